package replay

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/weirsdk/weir/events"
)

// The decoded events of a recording, each with its delay.
type decoded struct {
	events []timed
	// newer reports that kinds which this version does not know were passed over.
	newer bool
}

// decode returns the events of a recording. Kinds that this version does not know are
// passed over. The problem says what to do, for people.
func (r *recording) decode() (d decoded, problem string) {
	var waited int64
	for i, line := range r.events {
		if r.delays != nil {
			waited += r.delays[i]
		}
		var head struct {
			Kind string `json:"kind"`
		}
		if json.Unmarshal(line, &head) == nil && head.Kind != "" && !isKnown(head.Kind) {
			d.newer = true
			continue
		}
		var ev events.Event
		if err := ev.UnmarshalJSON(line); err != nil {
			return decoded{}, fmt.Sprintf("has an event %d that cannot be read (%s): record it again", i+1, detailOf(err))
		}
		d.events = append(d.events, timed{ev, milliseconds(waited)})
		waited = 0
	}
	if d.newer {
		renumber(d.events)
	}
	return d, ""
}

func isKnown(kind string) bool {
	return slices.ContainsFunc(events.Kinds(), func(k events.Kind) bool { return k.String() == kind })
}

// renumber closes the gaps that passed over blocks leave: indexes are taken in
// order.
func renumber(evs []timed) {
	numbers := map[int32]int32{}
	for i := range evs {
		if !evs[i].Kind.HasIndex() {
			continue
		}
		number, ok := numbers[evs[i].Index]
		if !ok {
			number = int32(len(numbers))
			numbers[evs[i].Index] = number
		}
		evs[i].Index = number
	}
}

func detailOf(err error) string {
	if f, ok := events.AsFailure(err); ok {
		return f.Detail
	}
	return err.Error()
}
