package price

import (
	"strings"
	"time"

	"github.com/weirsdk/weir/events"
)

// For returns the price of the model of that name: its own entry, else that of
// the name without the date that it ends with ("-20250101" or "-2025-01-01", a
// day that exists). Nothing else of a name is left out: "openai:x-mini" is never
// priced as "openai:x", and no provider's model as another provider's. When the
// table has neither, the error is a *events.Failure of kind limit and reason
// unpriced.
//
// Of a model whose price has changed it is the price that the table lists,
// whatever the day; [Price.On] finds that of a day.
func For(t Table, name string) (Price, error) {
	if p, ok := lookup(t, name); ok {
		return p, nil
	}
	return Price{}, unpriced("no price for the model " + name)
}

// ForReply returns the price of a reply: name is the name of the model that was
// asked, answered what the provider calls the model that answered (the Model of
// [events.Start]), empty when it did not say. The model that answered has the
// first say, as "<provider of name>:<answered>", then the one that was asked, both
// by the rule of [For]. A name without a provider is priced by itself only.
func ForReply(t Table, name, answered string) (Price, error) {
	provider, _, ok := strings.Cut(name, ":")
	if ok && answered != "" {
		if p, ok := lookup(t, provider+":"+answered); ok {
			return p, nil
		}
	}
	return For(t, name)
}

func lookup(t Table, name string) (Price, bool) {
	if p, ok := t[name]; ok {
		return p, true
	}
	p, ok := t[undated(name)]
	return p, ok
}

// undated returns the name without the date that it ends with.
func undated(name string) string {
	for _, layout := range []string{"-20060102", "-2006-01-02"} {
		at := len(name) - len(layout)
		if at < 0 {
			continue
		}
		if _, err := time.Parse(layout, name[at:]); err == nil {
			return name[:at]
		}
	}
	return name
}

// On returns the price that held on a day, of all that p tells: the one with the
// last From that is not after it. Days begin at midnight UTC; a From that is no
// day holds never. When none held yet, the error is a *events.Failure of kind
// limit and reason unpriced.
func (p Price) On(day time.Time) (Price, error) {
	date := day.UTC().Format(time.DateOnly)
	var held Price
	found := false
	for _, other := range append([]Price{p}, p.Before...) {
		if other.holds(date) && (!found || other.From > held.From) {
			held, found = other, true
		}
	}
	if !found {
		return Price{}, unpriced("no price held on " + date)
	}
	held.Before = nil
	return held, nil
}

func (p Price) holds(date string) bool {
	if p.From == "" {
		return true
	}
	_, err := time.Parse(time.DateOnly, p.From)
	return err == nil && p.From <= date
}

func unpriced(text string) *events.Failure {
	return events.NewFailure(events.LimitReached, events.ReasonUnpriced, text)
}
