package conversewire

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// maxID is the longest id of a tool call that the wire takes
// (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html,
// stored copies read 2026-12-01: 1 to 64 letters, digits, "_" and "-"; the newest
// takes "." and ":" too).
const maxID = 64

// messages appends the conversation. Roles have to alternate, so turns of one side
// that follow each other are one message; of the user's the tool results come first.
//
// An assistant turn of nothing but reasoning is left out: newer models refuse it as
// a prefill (NousResearch/hermes-agent issue 105780, read 2026-12-01).
func (e *encoder) messages(turns []request.Message) error {
	e.dst = append(e.dst, '[')
	run := make([]request.Message, 0, len(turns))
	for i := range turns {
		if !e.speaks(&turns[i]) {
			continue
		}
		if len(run) > 0 && isAssistant(&run[0]) != isAssistant(&turns[i]) {
			if err := e.message(run); err != nil {
				return err
			}
			run = run[:0]
		}
		run = append(run, turns[i])
	}
	if len(run) > 0 {
		if err := e.message(run); err != nil {
			return err
		}
	}
	e.dst = append(e.dst, ']')
	return nil
}

func isAssistant(m *request.Message) bool { return m.Role == request.RoleAssistant }

func (e *encoder) message(run []request.Message) error {
	e.element()
	role, content := "user", e.userContent
	if isAssistant(&run[0]) {
		role, content = "assistant", e.assistantContent
	}
	e.dst = append(e.dst, `{"role":"`+role+`","content":[`...)
	err := content(run)
	e.dst = append(e.dst, "]}"...)
	return err
}

func (e *encoder) userContent(run []request.Message) error {
	for _, results := range []bool{true, false} {
		for _, t := range run {
			for i := range t.Blocks {
				if b := &t.Blocks[i]; (b.Kind == request.BlockToolResult) == results {
					if err := e.block(b); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

func (e *encoder) block(b *request.Block) error {
	e.element()
	if err := e.unmarked(b); err != nil {
		return err
	}
	e.dst = append(e.dst, cachePoint(b.Cache)...)
	return nil
}

func (e *encoder) unmarked(b *request.Block) error {
	switch b.Kind {
	case request.BlockText:
		e.text(b.Text)
	case request.BlockImage, request.BlockAudio, request.BlockFile:
		return e.media(b)
	case request.BlockToolCall:
		return e.call(&b.Call)
	case request.BlockToolResult:
		return e.result(&b.Result)
	default:
		return badHistory("the Converse wire has no block of kind " + string(b.Kind))
	}
	return nil
}

func (e *encoder) text(text string) {
	e.dst = append(e.dst, `{"text":`...)
	e.str(text)
	e.dst = append(e.dst, '}')
}

func (e *encoder) call(c *events.ToolCall) error {
	if err := e.read(c.Replay, &struct{}{}); err != nil {
		return err
	}
	e.dst = append(e.dst, `{"toolUse":{"toolUseId":`...)
	e.str(wirejson.SafeID(c.ID, maxID))
	e.dst = append(e.dst, `,"name":`...)
	e.str(e.names.Wire(c.Name))
	e.dst = append(append(append(e.dst, `,"input":`...), c.Arguments...), `}}`...)
	return nil
}

// result appends a tool result. Without content the list is empty.
func (e *encoder) result(r *request.ToolResult) error {
	e.dst = append(e.dst, `{"toolResult":{"toolUseId":`...)
	e.str(wirejson.SafeID(r.CallID, maxID))
	e.dst = append(e.dst, `,"content":[`...)
	for i := range r.Content {
		if err := e.block(&r.Content[i]); err != nil {
			return err
		}
	}
	e.dst = append(e.dst, ']')
	if r.IsError {
		e.dst = append(e.dst, `,"status":"error"`...)
	}
	e.dst = append(e.dst, `}}`...)
	return nil
}
