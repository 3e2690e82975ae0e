package messageswire

import (
	"encoding/json"

	"github.com/weirsdk/weir/events"
)

// keep keeps the text of a block as it came.
func (d *decoder) keep(b *block, raw string) error {
	b.raw = raw
	return d.checkKept(raw)
}

// checkKept counts a text that is kept as it came, and refuses one that is no
// JSON: it could not be sent back. The parser lets control characters inside
// strings pass, and bad escapes and numbers.
func (d *decoder) checkKept(raw string) error {
	if !json.Valid([]byte(raw)) {
		return malformed("a block that must go back is not JSON")
	}
	d.kept += len(raw)
	return nil
}

// data returns what must go back with this turn: nothing when it is only text
// and calls, else every block in its place, see [Format].
func (d *decoder) data() events.ProviderData {
	needed := false
	dst := []byte(`{"content":[`)
	for _, b := range d.blocks {
		before := len(dst)
		var exact bool
		if dst, exact = b.appendData(dst); len(dst) > before {
			dst = append(dst, ',')
		}
		needed = needed || exact
	}
	if !needed {
		return events.ProviderData{}
	}
	if dst[len(dst)-1] == ',' {
		dst = dst[:len(dst)-1]
	}
	return d.providerData(string(append(dst, "]}"...)))
}

// appendData appends the block, or its slot, or nothing, and reports whether the
// turn cannot do without.
func (b *block) appendData(dst []byte) (_ []byte, exact bool) {
	switch b.kind {
	case textBlock:
		return b.appendTextSlot(dst)
	case thinkingBlock:
		// Without a signature the provider would not take it back.
		if len(b.signature) == 0 {
			return dst, false
		}
		dst = events.AppendQuoted(append(dst, `{"type":"thinking","thinking":`...), string(b.text))
		dst = events.AppendQuoted(append(dst, `,"signature":`...), string(b.signature))
		return append(dst, '}'), true
	case callBlock:
		dst = events.AppendQuoted(append(dst, `{"slot":"tool_use","id":`...), b.id)
		return append(dst, '}'), false
	case hostedBlock:
		args := b.arguments()
		if args == "" {
			args = "{}"
		}
		if events.CheckArguments(args) != nil {
			return dst, false
		}
		dst = append(append(dst, b.raw...), `"input":`...)
		return append(append(dst, args...), '}'), true
	default:
		return append(dst, b.raw...), true
	}
}

// appendTextSlot holds the place of a text that will be sent: one of white space
// only is dropped from a history.
func (b *block) appendTextSlot(dst []byte) (_ []byte, exact bool) {
	if !b.visible {
		return dst, false
	}
	dst = append(dst, `{"slot":"text"`...)
	for i, c := range b.citations {
		if i == 0 {
			dst = append(dst, `,"citations":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = append(dst, c...)
	}
	if len(b.citations) > 0 {
		dst = append(dst, ']')
	}
	return append(dst, '}'), len(b.citations) > 0
}
