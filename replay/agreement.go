package replay

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// playable returns the events of a recording whose parts agree with each other. A
// person may have edited one of them; the problem says what to do then.
func (r *recording) playable() (evs []timed, problem string) {
	d, problem := r.decode()
	for _, check := range []func(decoded) string{r.endProblem, r.grammarProblem, r.replyProblem} {
		if problem != "" {
			return nil, problem
		}
		problem = check(d)
	}
	return d.events, problem
}

// endProblem says how the events do not fit what the recording says of its end.
func (r *recording) endProblem(d decoded) string {
	last := events.Kind(0)
	if n := len(d.events); n > 0 {
		last = d.events[n-1].Kind
	}
	switch {
	case r.complete && !last.IsTerminal():
		return "is complete and its last event is no terminal: record it again"
	case !r.complete && last == events.Completed:
		return "is not complete and ends with completed: record it again"
	case !r.complete && r.reason == "":
		return "is not complete and has no reason: record it again"
	}
	return ""
}

// grammarProblem says how the events break the grammar, if those of the model did not.
func (r *recording) grammarProblem(d decoded) string {
	if r.ungrammatical {
		return ""
	}
	err := violationIn(d.events, wide())
	switch {
	case err == nil:
		return ""
	case d.newer:
		return "has events of a later version, and without them it breaks the grammar (" + err.Error() + "): update weir"
	default:
		return "has events that break the grammar (" + err.Error() + "), so it was edited: undo that, or record it again"
	}
}

// replyProblem says how the fold is not that of the events. What only one of the two
// has may be of another version. So may be a fold of events that were passed over.
func (r *recording) replyProblem(d decoded) string {
	if len(r.reply) == 0 || d.newer {
		return ""
	}
	recorded, err := tape.Decode(r.reply)
	if err != nil {
		return "has a reply that is no JSON: remove it"
	}
	folded, err := tape.Decode(foldOf(d.events))
	if err != nil {
		return ""
	}
	if members, ok := folded.(map[string]any); ok {
		for _, name := range []string{"stop", "raw_stop"} { // left out where they are empty
			if members[name] == nil {
				members[name] = ""
			}
		}
	}
	recorded, folded = shared(recorded, folded)
	if isEqual(recorded, folded) {
		return ""
	}
	first, _ := tape.Compare(recorded, folded)
	return fmt.Sprintf("has a reply that is not what its events fold to (%s: %s, events %s): the events are what is played, "+
		"so edit those, and make reply the same or remove it", joined("reply", first.Path), first.Recorded, first.Asked)
}

// isEqual reports whether two values are the same, to the letter.
func isEqual(a, b any) bool {
	x, err := json.Marshal(a)
	if err != nil {
		return false
	}
	y, err := json.Marshal(b)
	return err == nil && bytes.Equal(x, y)
}

// joined returns the path of a place below a member.
func joined(member, path string) string {
	if path == "" || path[0] == '[' {
		return member + path
	}
	return member + "." + path
}

// shared returns two values without the members that only one of them has.
func shared(a, b any) (ofBoth, ofBothToo any) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			return a, b
		}
		left, right := map[string]any{}, map[string]any{}
		for name := range x {
			if _, ok := y[name]; ok {
				left[name], right[name] = shared(x[name], y[name])
			}
		}
		return left, right
	case []any:
		y, ok := b.([]any)
		if !ok {
			return a, b
		}
		for i := range min(len(x), len(y)) {
			x[i], y[i] = shared(x[i], y[i])
		}
		return x, y
	default:
		return a, b
	}
}

// foldOf returns the canonical JSON of the fold.
func foldOf(evs []timed) []byte {
	var fold stream.Reply
	for _, ev := range evs {
		fold.Add(ev.Event)
	}
	return stream.AppendReplyJSON(nil, &fold)
}

// violationIn returns how the events break the grammar, as far as they go; nil where
// they keep it.
func violationIn(evs []timed, limits validator.Limits) error {
	v := validator.Validator{Limits: limits}
	for _, ev := range evs {
		if err := v.Observe(ev.Event); err != nil {
			return err
		}
	}
	return nil
}
