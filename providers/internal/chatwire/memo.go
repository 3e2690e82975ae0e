package chatwire

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A memo remembers the last frame when all it did was to send one delta.
type memo struct {
	wirejson.Memo
	sent   int         // events of the frame under way
	kind   events.Kind // of the last of them
	member string      // where the last delta came from, empty when none came
	call   int         // the call of the last piece of arguments
}

// repeat takes a frame that is the last one but for its text and its padding.
func (d *decoder) repeat(frame []byte) (done bool, err error) {
	text, ok := d.memo.Text(frame)
	if !ok {
		return false, nil
	}
	switch d.memo.kind {
	case events.TextDelta:
		d.say(&d.text, events.TextDelta, d.memo.member, text)
	case events.ThinkingDelta:
		d.think(d.memo.member, text)
	case events.RefusalDelta:
		d.say(&d.refusal, events.RefusalDelta, d.memo.member, text)
	default:
		err = d.argue(&d.calls[d.memo.call], text)
	}
	return true, err
}

// learn remembers the frame that was read, if it sent one delta and nothing else.
// Usage and reasoning details are kept as well, so what has them is always read.
//
// What may differ: OpenAI pads its frames to one length with a member of random
// text (include_obfuscation, on by default:
// platform.openai.com/docs/api-reference/chat/create), Mistral with p; hosts behind
// Hugging Face repeat the text beside the delta and give the number of the token
// (recordings).
func (d *decoder) learn(frame []byte) {
	m, c := &d.memo, &d.chunk
	switch {
	case m.sent != 1 || m.member == "":
	case c.usage != nil || c.groq != nil || d.delta.details != nil:
	case len(arrayOf(c.choices)) != 1 || len(arrayOf(d.delta.calls)) > 1:
	default:
		m.Remember(frame, m.member, "obfuscation", "p", "text", "token_id")
	}
}
