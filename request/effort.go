package request

import (
	"slices"

	"github.com/weirsdk/weir/events"
)

// Effort is how hard a model should think.
type Effort string

// The efforts, lowest first. The empty Effort leaves it to the model.
const (
	EffortOff     Effort = "off"
	EffortMinimal Effort = "minimal"
	EffortLow     Effort = "low"
	EffortMedium  Effort = "medium"
	EffortHigh    Effort = "high"
	EffortXHigh   Effort = "xhigh"
	EffortMax     Effort = "max"
)

// Efforts returns every effort, lowest first.
func Efforts() []Effort {
	return []Effort{EffortOff, EffortMinimal, EffortLow, EffortMedium, EffortHigh, EffortXHigh, EffortMax}
}

// ParseEffort returns the effort of that name; the empty text is the empty
// Effort. The error is a failure of kind invalid_request, reason bad_parameter.
func ParseEffort(text string) (Effort, error) {
	e := Effort(text)
	if text != "" && !e.isKnown() {
		return "", invalid(events.ReasonBadParameter, "unknown effort "+quoteShort(text))
	}
	return e, nil
}

// Compare returns a negative number when e is lower than o, zero when they are
// equal, a positive one when it is higher. The empty Effort and unknown words
// are below EffortOff.
func (e Effort) Compare(o Effort) int { return e.rank() - o.rank() }

func (e Effort) rank() int { return slices.Index(Efforts(), e) }

func (e Effort) isKnown() bool { return e.rank() >= 0 }

// Resolve returns the effort of supported, in any order, that is sent when e is
// wanted: e itself, else the next higher one, else the next lower one. It returns
// e when e or supported is empty.
func (e Effort) Resolve(supported []Effort) Effort {
	if e == "" || len(supported) == 0 {
		return e
	}
	sorted := slices.SortedFunc(slices.Values(supported), Effort.Compare)
	for _, s := range sorted {
		if s.Compare(e) >= 0 {
			return s
		}
	}
	return sorted[len(sorted)-1]
}
