package chatwire

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A memo remembers the last frame when all it did was to send one delta.
type memo struct {
	wirejson.Memo
	sent int         // events of the frame under way
	kind events.Kind // of the last of them
	call int         // the call of the last piece
}

// repeat takes a frame that is the last one but for its text and its padding.
func (d *decoder) repeat(frame []byte) (done bool, err error) {
	text, ok := d.memo.Text(frame)
	if !ok {
		return false, nil
	}
	switch d.memo.kind {
	case events.TextDelta:
		d.say(&d.text, events.TextDelta, text)
	case events.ThinkingDelta:
		d.think(text)
	default:
		err = d.argue(&d.calls[d.memo.call], text)
	}
	return true, err
}

// learn remembers the frame that was read, if it sent one delta and nothing else.
func (d *decoder) learn(frame []byte) {
	if d.memo.sent != 1 {
		return
	}
	switch c := &d.delta; d.memo.kind {
	case events.TextDelta:
		d.remember(frame, "content")
	case events.ThinkingDelta:
		switch {
		case c.details != nil: // they are kept too
		case said(c.reasoningContent):
			d.remember(frame, "reasoning_content")
		default:
			d.remember(frame, "reasoning")
		}
	case events.ToolArgumentsDelta:
		if len(arrayOf(c.calls)) == 1 {
			d.remember(frame, "arguments")
		}
	default:
	}
}

// remember knows that OpenAI pads its frames to one length with a member of
// random text (include_obfuscation, on by default:
// platform.openai.com/docs/api-reference/chat/create).
func (d *decoder) remember(frame []byte, member string) {
	d.memo.Remember(frame, member, "obfuscation")
}
