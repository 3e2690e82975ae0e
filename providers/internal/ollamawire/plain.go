package ollamawire

import (
	"bytes"
	"unicode/utf8"

	"github.com/weirsdk/weir/events"
)

// plainDelta reads a line that is spelled exactly as the server spells a piece of
// text or of thinking, which nearly all lines of a reply are:
//
//	{"model":"M","created_at":"T","message":{"role":"assistant","content":"TEXT"},"done":false}
//	{"model":"M","created_at":"T","message":{"role":"assistant","content":"","thinking":"TEXT"},"done":false}
//
// It refuses every other line, which is then parsed. A line without a backslash
// has no escapes, so that each quote ends a string, and the spelling proves what
// a parser would find, at a fifth of its cost.
func plainDelta(line []byte) (kind events.Kind, text []byte, ok bool) {
	if bytes.IndexByte(line, '\\') >= 0 || !utf8.Valid(line) {
		return 0, nil, false
	}
	rest, ok := afterString(line, `{"model":"`)
	if !ok {
		return 0, nil, false
	}
	rest, ok = afterString(rest, `,"created_at":"`)
	if !ok {
		return 0, nil, false
	}
	rest, ok = bytes.CutPrefix(rest, []byte(`,"message":{"role":"assistant","content":"`))
	if !ok {
		return 0, nil, false
	}
	kind = events.TextDelta
	if thinking, ok := bytes.CutPrefix(rest, []byte(`","thinking":"`)); ok {
		kind, rest = events.ThinkingDelta, thinking
	}
	text, rest, ok = bytes.Cut(rest, []byte{'"'})
	return kind, text, ok && string(rest) == `},"done":false}`
}

// afterString returns what follows the string that the opening begins.
func afterString(line []byte, opening string) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(opening))
	if !ok {
		return nil, false
	}
	_, rest, ok = bytes.Cut(rest, []byte{'"'})
	return rest, ok
}
