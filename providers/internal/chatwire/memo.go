package chatwire

import (
	"bytes"
	"unicode/utf8"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A memo is the bytes around the text of a frame that did nothing but bring that
// text. A later frame with the same bytes around another string without quote and
// backslash is the same JSON but for that string, and is not parsed: most of a
// stream is such frames, and parsing is nine tenths of reading one.
type memo struct {
	kind          events.Kind
	before, after []byte
	// fruitless counts how often something was remembered for nothing. Streams
	// whose frames all differ (OpenAI pads them) are not tried for ever.
	fruitless int
}

const maxFruitless = 16

// text returns the text of a frame that fits the memo.
func (m *memo) text(frame []byte) ([]byte, bool) {
	if m.kind == 0 || len(frame) < len(m.before)+len(m.after) ||
		!bytes.HasSuffix(frame, m.after) || !bytes.HasPrefix(frame, m.before) {
		return nil, false
	}
	text := frame[len(m.before) : len(frame)-len(m.after)]
	if !isPlain(text) {
		return nil, false
	}
	m.fruitless = 0
	return text, true
}

// isPlain reports whether text stands for itself inside a JSON string.
func isPlain(text []byte) bool {
	ascii := true
	for _, b := range text {
		if b < ' ' || b == '"' || b == '\\' {
			return false
		}
		ascii = ascii && b < utf8.RuneSelf
	}
	return ascii || utf8.Valid(text)
}

// repeat takes the text of a frame that fits the memo.
func (d *decoder) repeat(text []byte) error {
	switch d.memo.kind {
	case events.TextDelta:
		d.say(&d.text, events.TextDelta, text)
	case events.ThinkingDelta:
		d.think(text)
	default:
		return d.argue(&d.calls[d.current], text)
	}
	return nil
}

// learn remembers a frame that sent one delta and nothing else. It forgets the
// one before, so between a frame and its repetition nothing has happened, and the
// same bytes mean the same.
func (d *decoder) learn(frame []byte) {
	d.memo.kind = 0
	if d.sent != 1 || d.memo.fruitless >= maxFruitless {
		return
	}
	c := &d.delta
	switch d.lastKind {
	case events.TextDelta:
		text, _ := wirejson.Text(c.content)
		d.remember(frame, `"content":"`, text)
	case events.ThinkingDelta:
		if c.details != nil {
			return // they are kept too
		}
		text, _ := wirejson.Text(c.reasoningContent)
		key := `"reasoning_content":"`
		if len(text) == 0 {
			text, _ = wirejson.Text(c.reasoning)
			key = `"reasoning":"`
		}
		d.remember(frame, key, text)
	case events.ToolArgumentsDelta:
		if len(arrayOf(c.calls)) == 1 {
			text, _ := wirejson.Text(d.piece.arguments)
			d.remember(frame, `"arguments":"`, text)
		}
	default:
	}
}

// remember keeps what is around the text of a member that the frame has once.
func (d *decoder) remember(frame []byte, key string, text []byte) {
	at := bytes.Index(frame, []byte(key)) + len(key)
	if at < len(key) || len(text) == 0 || bytes.Count(frame, []byte(key[:len(key)-2])) != 1 {
		return
	}
	if end := at + len(text); end < len(frame) && frame[end] == '"' && bytes.HasPrefix(frame[at:], text) {
		m := &d.memo
		m.before = append(m.before[:0], frame[:at]...)
		m.after = append(m.after[:0], frame[end:]...)
		m.kind = d.lastKind
		m.fruitless++
	}
}
