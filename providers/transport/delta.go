package transport

import "github.com/weirsdk/weir/events"

// MaxDelta is the longest text of one delta, in bytes; see validator.Limits.
const MaxDelta = 64 << 10

// EmitDelta hands text to emit as deltas of the kind: nothing for an empty text,
// which the grammar forbids and providers send, and several for a long one, cut
// at rune boundaries. An index that no event can hold is -1 there, which the grammar
// refuses. It reports whether emit still wants more.
func EmitDelta(emit func(events.Event) bool, kind events.Kind, index int, text string) bool {
	at := events.NewTextDelta(index, "").Index // never another block's, where it does not fit
	for len(text) > MaxDelta {
		piece := events.CutText(text, MaxDelta)
		if !emit(events.Event{Kind: kind, Index: at, Text: piece}) {
			return false
		}
		text = text[len(piece):]
	}
	return text == "" || emit(events.Event{Kind: kind, Index: at, Text: text})
}
