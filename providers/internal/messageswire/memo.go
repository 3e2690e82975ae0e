package messageswire

import (
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// deltaFrame is the type of the frame that nearly all of a reply is made of.
const deltaFrame = "content_block_delta"

// A memo remembers the last frame when all it did was to bring a piece of a
// block's text.
type memo struct {
	wirejson.Memo
	block *block
	// member is where the frame under way brought a piece of text; empty when it
	// did not.
	member string
	// named: the frame's event had a name, which then stands for its type.
	named bool
}

// note tells that the frame under way brings a piece of a block's text.
func (m *memo) note(b *block, member string, text []byte) {
	if len(text) > 0 {
		m.block, m.member = b, member
	}
}

// clear forgets the last frame, before another is decoded.
func (m *memo) clear() {
	m.Forget()
	m.member = ""
}

// learn remembers the frame that was decoded, if it brought a piece of text.
func (m *memo) learn(frame transport.Frame) {
	if m.member != "" && isDelta(frame) {
		m.named = len(frame.Name) > 0
		m.Remember(frame.Data, m.member)
	}
}

// isDelta reports whether the event's name, if it has one, is that of a delta.
func isDelta(frame transport.Frame) bool {
	return len(frame.Name) == 0 || string(frame.Name) == deltaFrame
}

// repeat takes a frame that is the last one but for its text.
func (d *decoder) repeat(frame transport.Frame) bool {
	if !isDelta(frame) || d.memo.named != (len(frame.Name) > 0) {
		return false
	}
	text, ok := d.memo.Text(frame.Data)
	if !ok {
		return false
	}
	switch b := d.memo.block; b.kind {
	case textBlock:
		d.say(b, text)
	case thinkingBlock:
		d.think(b, text)
	default:
		d.argue(b, text)
	}
	return true
}
