package chatwire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A memo remembers the last frame when all it did was to send one delta.
type memo struct {
	wirejson.Memo
	sent int         // events of the frame under way
	kind events.Kind // of the last of them
	call int         // the call of the last piece of arguments
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
		err = d.think(text)
	case events.RefusalDelta:
		d.say(&d.refusal, events.RefusalDelta, text)
	default:
		err = d.argue(&d.calls[d.memo.call], text)
	}
	return true, err
}

// learn remembers the frame that was read, if it did nothing but send one delta
// and would do the same with any other text that is not empty: what also changes a
// state without an event (usage, reasoning details, a call whose name is late) is
// always read.
//
// What may differ: OpenAI pads its frames to one length with a member of random
// text (include_obfuscation, on by default:
// platform.openai.com/docs/api-reference/chat/create), Mistral with p; hosts behind
// Hugging Face repeat the text beside the delta and give the number of the token
// (recordings). None of these means anything in a frame that is learned: text does
// in parts of content and in reasoning details, which are not.
func (d *decoder) learn(frame []byte) {
	c := &d.chunk
	if d.memo.sent != 1 || d.finished || len(arrayOf(c.choices)) != 1 {
		return
	}
	if c.usage != nil || c.groq != nil {
		return
	}
	switch member := d.delta.only(); member {
	case "":
	case "tool_calls":
		if d.continues() {
			d.memo.Remember(frame, "arguments", paddings()...)
		}
	default:
		d.memo.Remember(frame, member, paddings()...)
	}
}

func paddings() []string { return []string{"obfuscation", "p", "text", "token_id"} }

// continues reports whether the frame's calls are one piece that continues a call
// which has started, as it has when its arguments are sent. An id or a name may
// begin another call, and whether it does depends on the arguments.
func (d *decoder) continues() bool {
	return len(arrayOf(d.delta.calls)) == 1 && d.memo.kind == events.ToolArgumentsDelta &&
		len(d.piece.id) == 0 && len(d.piece.name) == 0
}

// only returns the name of the one member that says something, or nothing when
// none or several do. What is no string is not remembered by its name.
func (c *delta) only() string {
	if says(c.details) || says(c.annotations) || c.isRare() {
		return ""
	}
	only, n := "", 0
	for _, m := range [...]struct {
		name  string
		value *fastjson.Value
	}{
		{"content", c.content},
		{"refusal", c.refusal},
		{"reasoning_content", c.reasoningContent},
		{"reasoning", c.reasoning},
		{"tool_calls", c.calls},
	} {
		if says(m.value) {
			only = m.name
			n++
		}
	}
	if n != 1 {
		return ""
	}
	return only
}

// says reports whether a member is neither absent nor null nor empty.
func says(v *fastjson.Value) bool {
	if v == nil {
		return false
	}
	switch v.Type() {
	case fastjson.TypeNull:
		return false
	case fastjson.TypeString:
		return len(v.GetStringBytes()) > 0
	case fastjson.TypeArray:
		return len(v.GetArray()) > 0
	default:
		return true
	}
}
