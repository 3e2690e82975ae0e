package ollamawire

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A memo remembers the last line when all it did was to bring a piece of text or
// of thinking.
type memo struct {
	wirejson.Memo
	kind events.Kind
}

// learn remembers the line that was read, if it brought one piece and nothing
// else. Every line has its own created_at.
func (d *decoder) learn(line []byte) {
	m := &d.line.message
	if m.calls != nil || m.images != nil || !d.known(m) {
		return
	}
	text, _ := wirejson.Text(m.content)
	thinking, _ := wirejson.Text(m.thinking)
	switch {
	case len(text) > 0 && len(thinking) == 0:
		d.memo.kind = events.TextDelta
		d.memo.Remember(line, "content", "created_at")
	case len(thinking) > 0 && len(text) == 0:
		d.memo.kind = events.ThinkingDelta
		d.memo.Remember(line, "thinking", "created_at")
	}
}
