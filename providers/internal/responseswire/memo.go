package responseswire

import (
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// A memo remembers the last frame when all it did was to bring a piece of a part or
// of a call's arguments.
type memo struct {
	wirejson.Memo
	part *part
	call *call
	// brought: the frame under way brought a piece.
	brought bool
	name    string // of the event, which may stand for its type
}

// note tells that the frame under way brings a piece.
func (m *memo) note(p *part, c *call, text []byte) {
	if len(text) > 0 {
		m.part, m.call, m.brought = p, c, true
	}
}

// clear forgets the last frame, before another is decoded.
func (m *memo) clear() {
	m.Forget()
	m.brought = false
}

// learn remembers the frame that was decoded, if it brought a piece. The number of
// the frame means nothing, nor does the text that OpenAI pads frames with
// (include_obfuscation: platform.openai.com/docs/api-reference/responses/create).
func (m *memo) learn(frame transport.Frame) {
	if !m.brought {
		return
	}
	if m.name != string(frame.Name) {
		m.name = string(frame.Name)
	}
	m.Remember(frame.Data, "delta", "sequence_number", "obfuscation")
}

// repeat takes a frame that is the last one but for its piece and its padding. (What
// ends a part or a call is another frame, which is never passed over so.)
func (d *decoder) repeat(frame transport.Frame) bool {
	if d.memo.name != string(frame.Name) {
		return false
	}
	text, ok := d.memo.Text(frame.Data)
	if !ok {
		return false
	}
	if d.memo.part != nil {
		d.say(d.memo.part, text)
		return true
	}
	// What is out of bounds is for the parser's way to tell.
	return d.argue(d.memo.call, text) == nil
}
