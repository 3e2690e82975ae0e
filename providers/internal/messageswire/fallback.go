package messageswire

import (
	"encoding/json"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A request may name models that go on where its own declines (fallbacks, which Extra
// sets). The reply then has a block at the boundary, and before it what the declining
// model wrote: its text counts, its calls are not to be answered, and only the text and
// the hosted tools that got a result go back beside the boundary
// (platform.claude.com/docs/en/build-with-claude/refusals-and-fallback, a stored copy
// read 2026-12-01).

// holds reports whether the calls of a reply wait for its end, by what Extra asks for: a
// call that was told cannot be taken back.
func holds(extra string) bool {
	if extra == "" {
		return false
	}
	var asked struct{ Fallbacks json.RawMessage }
	return json.Unmarshal([]byte(extra), &asked) == nil && len(asked.Fallbacks) > 0 && string(asked.Fallbacks) != "null"
}

// fallBack takes the boundary between two models.
func (d *decoder) fallBack(content *fastjson.Value) {
	d.boundary = len(d.blocks)
	d.replaced(wirejson.String(content.Get("from", "model")) + " declined, and " + wirejson.String(content.Get("to", "model")) + " goes on")
	for _, b := range d.blocks {
		if b.kind == callBlock && b.index < 0 {
			d.replaced("the call of " + b.name + " by the model that declined is dropped")
			b.kind, b.visible, b.over = textBlock, false, true
		}
	}
}

func (d *decoder) replaced(detail string) {
	d.send(events.NewNotice(events.NoticeModelReplaced, strings.Clone(events.CutText(detail, events.MaxDetail))))
}

// abandoned reports whether the block, which stands before the boundary, must not go
// back.
func (b *block) abandoned() bool {
	switch b.kind {
	case thinkingBlock, callBlock:
		return true
	case hostedBlock:
		return !b.over
	default:
		return b.name == "redacted_thinking" || b.name == "connector_text"
	}
}

// tellCall tells that a call began, if it was not told yet.
func (d *decoder) tellCall(b *block) {
	if b.index < 0 {
		d.take(b)
		d.send(events.NewToolCallStarted(b.index, b.id, b.name, b.minted))
	}
}
