package caller

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

// A Tool is a declared tool with its handler. Make one with [NewTool]; it is immutable
// and safe for concurrent use as far as its handler is.
type Tool struct {
	request.Tool
	handle func(ctx context.Context, arguments string) (string, error)
}

// NewTool returns a tool whose arguments are an A: its schema is that of the type
// (schema.For), and handle gets them decoded. What handle returns, the model reads: its
// text, or that of its error. Errors of NewTool are those of request.NewTool and
// schema.For.
func NewTool[A any](name, description string, handle func(context.Context, A) (string, error)) (Tool, error) {
	text, err := schema.For[A]()
	if err != nil {
		return Tool{}, err
	}
	declared, err := request.NewTool(name, description, text)
	if err != nil {
		return Tool{}, err
	}
	return Tool{Tool: declared, handle: func(ctx context.Context, arguments string) (string, error) {
		var a A
		if err := json.Unmarshal([]byte(arguments), &a); err != nil {
			return "", badArguments(name, err)
		}
		return handle(ctx, a)
	}}, nil
}

func badArguments(name string, err error) error {
	return events.NewFailure(events.InvalidReply, events.ReasonBadToolArguments,
		"the arguments of "+strconv.Quote(name)+" fit its schema and not its type: "+err.Error())
}

// Tools are the tools of an agent. The nil Tools are none.
type Tools []Tool

// Declared returns what the model is told of them, for request.Request.Tools.
func (t Tools) Declared() []request.Tool {
	var declared []request.Tool
	for _, tool := range t {
		declared = append(declared, tool.Tool)
	}
	return declared
}

// Handle runs the handler of a call, for [Run.Answer]. The error is the handler's, or
// of kind invalid_reply and reason bad_tool_arguments when no tool has that name.
func (t Tools) Handle(ctx context.Context, call events.ToolCall) (string, error) {
	for _, tool := range t {
		if tool.Name() == call.Name && tool.handle != nil {
			return tool.handle(ctx, call.Arguments)
		}
	}
	return "", events.NewFailure(events.InvalidReply, events.ReasonBadToolArguments, "no tool named "+strconv.Quote(events.CutText(call.Name, 64)))
}
