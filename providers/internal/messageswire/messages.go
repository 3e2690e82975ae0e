package messageswire

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// messages appends the conversation. A run of user and tool turns is one user
// message, its tool results first: the wire wants all results of a turn there.
func (e *encoder) messages(turns []request.Message) error {
	e.dst = append(e.dst, '[')
	for i := 0; i < len(turns); {
		n := 1
		if turns[i].Role != request.RoleAssistant {
			n = userRun(turns[i:])
		}
		if err := e.message(turns[i : i+n]); err != nil {
			return err
		}
		i += n
	}
	e.dst = append(e.dst, ']')
	return nil
}

func userRun(turns []request.Message) int {
	n := 0
	for n < len(turns) && turns[n].Role != request.RoleAssistant {
		n++
	}
	return n
}

// message appends one message, or nothing when its turns have no content.
func (e *encoder) message(turns []request.Message) error {
	start := len(e.dst)
	if e.dst[start-1] != '[' {
		e.dst = append(e.dst, ',')
	}
	role, content := "user", e.userContent
	if turns[0].Role == request.RoleAssistant {
		role, content = "assistant", e.assistantContent
	}
	e.dst = append(e.dst, `{"role":"`+role+`","content":[`...)
	empty := len(e.dst)
	if err := content(turns); err != nil {
		return err
	}
	if len(e.dst) == empty {
		e.dst = e.dst[:start]
		return nil
	}
	e.dst = append(e.dst, "]}"...)
	return nil
}

func (e *encoder) userContent(turns []request.Message) error {
	for _, results := range []bool{true, false} {
		for _, t := range turns {
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

// element appends the comma before the next element of a list.
func (e *encoder) element() {
	if e.dst[len(e.dst)-1] != '[' {
		e.dst = append(e.dst, ',')
	}
}

func (e *encoder) block(b *request.Block) error {
	e.element()
	switch b.Kind {
	case request.BlockText:
		e.text(b, "")
	case request.BlockImage, request.BlockFile:
		return e.media(b)
	case request.BlockToolCall:
		return e.call(&b.Call, b.Cache)
	case request.BlockToolResult:
		return e.result(&b.Result, b.Cache)
	default:
		return badHistory("the Messages wire has no block of kind " + string(b.Kind))
	}
	return nil
}

// text appends a text block with its citations, the raw JSON of a list, if any.
func (e *encoder) text(b *request.Block, citations string) {
	e.dst = append(e.dst, `{"type":"text","text":`...)
	e.str(b.Text)
	if citations != "" {
		e.dst = append(append(e.dst, `,"citations":`...), citations...)
	}
	e.mark(b.Cache)
	e.dst = append(e.dst, '}')
}

func (e *encoder) call(c *events.ToolCall, marker request.CacheTTL) error {
	e.dst = append(e.dst, `{"type":"tool_use","id":`...)
	e.str(wirejson.SafeID(c.ID, 0))
	e.dst = append(e.dst, `,"name":`...)
	e.str(e.names.Wire(c.Name))
	e.dst = append(append(e.dst, `,"input":`...), c.Arguments...)
	caller, err := e.callerOf(c.Replay)
	if caller != "" {
		e.dst = append(append(e.dst, `,"caller":`...), caller...)
	}
	e.mark(marker)
	e.dst = append(e.dst, '}')
	return err
}

// result appends a tool result. A single text is its content; without any the
// content is left out.
func (e *encoder) result(r *request.ToolResult, marker request.CacheTTL) error {
	e.dst = append(e.dst, `{"type":"tool_result","tool_use_id":`...)
	e.str(wirejson.SafeID(r.CallID, 0))
	switch {
	case len(r.Content) == 0:
	case len(r.Content) == 1 && r.Content[0].Kind == request.BlockText:
		if text := r.Content[0].Text; text != "" {
			e.dst = append(e.dst, `,"content":`...)
			e.str(text)
		}
	default:
		e.dst = append(e.dst, `,"content":[`...)
		for i := range r.Content {
			if err := e.block(&r.Content[i]); err != nil {
				return err
			}
		}
		e.dst = append(e.dst, ']')
	}
	if r.IsError {
		e.dst = append(e.dst, `,"is_error":true`...)
	}
	e.mark(marker)
	e.dst = append(e.dst, '}')
	return nil
}
