package coherewire

import (
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// The types of the frames that nearly all of a reply is made of.
const (
	contentDelta = "content-delta"
	planDelta    = "tool-plan-delta"
	callDelta    = "tool-call-delta"
)

// A memo remembers the last frame when all it did was to bring a piece of a
// block's text.
type memo struct {
	wirejson.Memo
	block *block
	// member is where the frame under way brought a piece of text; empty when it
	// did not.
	member string
	// name is that of the frame's event, which stands for a type that is not there.
	name string
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
	if m.member == "" {
		return
	}
	if string(frame.Name) != m.name {
		m.name = string(frame.Name)
	}
	m.Remember(frame.Data, m.member)
}

// repeat takes a frame that is the last one but for its text.
func (d *decoder) repeat(frame transport.Frame) bool {
	if d.memo.name != string(frame.Name) {
		return false
	}
	text, ok := d.memo.Text(frame.Data)
	if !ok {
		return false
	}
	d.add(d.memo.block, text)
	return true
}
