package replay

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/internal/tape"
	"github.com/weirsdk/weir/validator"
)

// scrubbed returns the events without secrets, and whether one was in what the
// model says. A delta of which nothing is left is left out.
func scrubbed(evs []timed, s *providers.Scrubber) (clean []timed, said bool, err error) {
	texts := scrubbedDeltas(evs, s)
	var late timed // the time of what is left out
	changed := false
	for i, ev := range evs {
		before := ev.Event
		ev.after += late.after
		late.after = 0
		if ev.Kind.IsDelta() {
			ev.Text = texts[i]
			said = said || ev.Text != before.Text
			if ev.Text == "" && before.Text != "" {
				late.after = ev.after
				continue
			}
		} else if ev.Event, err = scrubbedEvent(before, s); err != nil {
			return nil, false, err
		}
		changed = changed || !ev.Equal(before)
		clean = append(clean, ev)
	}
	if (changed || said) && isGrammatical(evs) && !isGrammatical(clean) {
		return nil, false, events.NewFailure(events.Other, events.ReasonProtocolViolation,
			"without the credentials in it the reply breaks the grammar")
	}
	return clean, said, nil
}

// A block is what deltas belong to.
type block struct {
	kind  events.Kind
	index int32
}

// scrubbedDeltas returns the texts of the deltas, by the number of the event. A
// secret may be split over several: of one block, whatever comes between them, or of
// the blocks of one kind, which the fold joins as they come.
func scrubbedDeltas(evs []timed, s *providers.Scrubber) []string {
	texts := make([]string, len(evs))
	for i, ev := range evs {
		texts[i] = ev.Text
	}
	scrubTogether(evs, texts, s, func(ev timed) block { return block{ev.Kind, ev.Index} })
	scrubTogether(evs, texts, s, func(ev timed) block {
		if ev.Kind == events.ToolArgumentsDelta {
			return block{ev.Kind, ev.Index}
		}
		return block{ev.Kind, 0}
	})
	return texts
}

// scrubTogether scrubs the texts of deltas, those of equal blocks together.
func scrubTogether(evs []timed, texts []string, s *providers.Scrubber, of func(timed) block) {
	numbers, pieces := map[block][]int{}, map[block][]string{}
	for i, ev := range evs {
		if ev.Kind.IsDelta() {
			b := of(ev)
			numbers[b], pieces[b] = append(numbers[b], i), append(pieces[b], texts[i])
		}
	}
	for b, these := range pieces {
		for i, text := range s.ScrubPieces(these) {
			texts[numbers[b][i]] = text
		}
	}
}

// scrubbedEvent returns an event that is no delta without secrets, by way of its
// canonical JSON, so that no text of any event is forgotten.
func scrubbedEvent(ev events.Event, s *providers.Scrubber) (events.Event, error) {
	if m, ok := ev.Media(); ok {
		return events.NewMediaCompleted(int(ev.Index), s.Scrub(m.Type), []byte(s.Scrub(string(m.Data)))), nil
	}
	value, err := tape.Decode(events.AppendJSON(nil, ev))
	if err != nil {
		return ev, err
	}
	c := cleaner{scrubber: s, words: true}
	value = c.clean(value)
	if !c.changed {
		return ev, nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ev, err
	}
	var clean events.Event
	err = clean.UnmarshalJSON(text)
	return clean, err
}

// scrubbedJSON returns JSON text without secrets, and whether there was one.
func scrubbedJSON(text []byte, s *providers.Scrubber) (clean []byte, changed bool, err error) {
	value, err := tape.Decode(text)
	if err != nil {
		return nil, false, err
	}
	c := cleaner{scrubber: s, numbers: true}
	value = c.clean(value)
	if !c.changed {
		return text, false, nil
	}
	clean, err = json.Marshal(value)
	return clean, true, err
}

// A cleaner scrubs the strings of a JSON value, the keys of objects too.
type cleaner struct {
	scrubber *providers.Scrubber
	changed  bool
	// numbers says that a secret may be in a number, which becomes a text. Those of
	// events are counts.
	numbers bool
	// words leaves the words of the grammar alone, which a short secret may equal:
	// at the top and in a failure.
	words bool
}

func (c *cleaner) text(text string) string {
	clean := c.scrubber.Scrub(text)
	c.changed = c.changed || clean != text
	return clean
}

func (c *cleaner) clean(value any) any {
	words := c.words
	c.words = false
	switch v := value.(type) {
	case map[string]any:
		clean := make(map[string]any, len(v))
		for key, member := range v {
			if word, ok := member.(string); words && isWord(key) && ok && isOurs(word) {
				clean[key] = member
				continue
			}
			c.words = words && key == "failure"
			clean[c.key(key, words)] = c.clean(member)
			c.words = false
		}
		return clean
	case []any:
		for i := range v {
			v[i] = c.clean(v[i])
		}
		return v
	case string:
		return c.text(v)
	case json.Number:
		if clean := c.scrubber.Scrub(v.String()); c.numbers && clean != v.String() {
			c.changed = true
			return clean
		}
		return v
	default:
		return value
	}
}

// key scrubs the key of a member; those of an event are words.
func (c *cleaner) key(key string, words bool) string {
	if words {
		return key
	}
	return c.text(key)
}

// isWord reports whether a member of an event or of a failure is one of weir's own
// words.
func isWord(key string) bool {
	switch key {
	case "kind", "reason", "sent", "stop", "issue", "code":
		return true
	default:
		return false
	}
}

// isOurs reports whether a value has the form of weir's own words, as no credential
// has: a model of somebody else may have put anything there.
func isOurs(word string) bool {
	return len(word) <= longestWord && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// longestWord is more than the longest of weir's own words has, 18.
const longestWord = 24

// isGrammatical reports whether the events keep the grammar, as far as they go.
func isGrammatical(evs []timed) bool {
	limits := wide()
	limits.DeltaBytes = 0 // the default: what replaces a secret may be longer
	return violationIn(evs, limits) == nil
}

// wide are limits that bound nothing: a model may have larger ones than the default,
// and its recording is read whole anyway.
func wide() validator.Limits {
	const most = math.MaxInt32
	return validator.Limits{
		Events: most, Index: most, DeltaBytes: most, TextBytes: most, ThinkingBytes: most, CallBytes: most,
		ArgumentsBytes: most, Calls: most, MediaBytes: most, DataBytes: most,
	}
}
