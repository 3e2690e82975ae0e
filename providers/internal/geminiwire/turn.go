package geminiwire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// A turn is what has to go back of the reply: its parts in their order.
type turn struct {
	parts []*turnPart
	// current is the run that text or thinking goes on in, or nil.
	current *turnPart
	kept    int // bytes
	// token is the JSON text with which a turn that paused goes on.
	token string
}

type partKind uint8

const (
	textRun partKind = iota
	// thinkingRun is shown and does not go back.
	thinkingRun
	callPart
	// rawPart goes back as it came.
	rawPart
)

// A turnPart is one part, or a run of text parts that no signature parts.
type turnPart struct {
	kind  partKind
	index int // weir's, -1 until the first event
	// visible: the text has more than white space in it. size is how much there is.
	visible bool
	size    int
	// hidden: the part stands there in raw form too, which goes back.
	hidden bool
	// signature is the JSON text of a text's signature.
	signature string
	id        string // of a call
	raw       string
}

// run returns the run of the kind that goes on, or a new one.
func (t *turn) run(kind partKind) *turnPart {
	if t.current == nil || t.current.kind != kind {
		return t.newRun(kind)
	}
	return t.current
}

func (t *turn) newRun(kind partKind) *turnPart {
	t.current = t.add(&turnPart{kind: kind, index: -1})
	return t.current
}

// endRun lets the next text begin a block of its own.
func (t *turn) endRun() { t.current = nil }

func (t *turn) add(p *turnPart) *turnPart {
	t.current = nil
	t.parts = append(t.parts, p)
	return p
}

func (t *turn) last() *turnPart { return t.parts[len(t.parts)-1] }

// keepRaw keeps a part as it came.
func (t *turn) keepRaw(raw string) error {
	t.add(&turnPart{kind: rawPart, raw: raw})
	return t.checkKept(raw)
}

// checkKept counts a text that is kept as it came, and refuses one that is no
// JSON: it could not be sent back. The parser lets control characters inside
// strings pass, and bad escapes and numbers.
func (t *turn) checkKept(raw string) error {
	if raw != "" && !json.Valid([]byte(raw)) {
		return malformed("a part that must go back is not JSON")
	}
	t.kept += len(raw)
	return nil
}

// data returns what must go back with this turn: nothing when it is only unsigned
// text and calls and is whole, else every part in its place, see [Format].
func (t *turn) data(origin string) events.ProviderData {
	needed := false
	dst := []byte(`{"parts":[`)
	for _, p := range t.parts {
		before := len(dst)
		if dst = p.append(dst); len(dst) > before {
			needed = needed || p.raw != "" || p.signature != ""
			dst = append(dst, ',')
		}
	}
	if !needed && t.token == "" {
		return events.ProviderData{}
	}
	dst = append(bytes.TrimSuffix(dst, []byte{','}), ']')
	if t.token != "" {
		dst = append(append(dst, `,"continuationToken":`...), t.token...)
	}
	return events.ProviderData{Format: Format, Origin: origin, Value: string(append(dst, '}'))}
}

// append appends the part, or its slot, or nothing.
func (p *turnPart) append(dst []byte) []byte {
	switch {
	case p.kind == rawPart && strings.Contains(p.raw, `"slot"`):
		return append(append(append(dst, `{"slot":"raw","part":`...), p.raw...), '}')
	case p.kind == rawPart:
		return append(dst, p.raw...)
	case p.kind == callPart:
		return append(events.AppendQuoted(append(dst, `{"slot":"call","id":`...), p.id), '}')
	case p.kind == thinkingRun || !p.visible || p.hidden:
		return dst
	case p.signature != "":
		return append(append(append(dst, `{"slot":"text","thoughtSignature":`...), p.signature...), '}')
	default:
		return append(dst, `{"slot":"text"}`...)
	}
}

func sizeOf(n int) string { return strconv.Itoa(n) + " bytes" }
