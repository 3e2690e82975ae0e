package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

// A tool is what the model is told of it, and its handler.
type tool struct {
	request.Tool
	handle func(ctx context.Context, arguments string) (string, error)
}

// newTool returns a tool whose arguments are an A: the schema is made of the type.
func newTool[A any](name, description string, handle func(context.Context, A) (string, error)) (tool, error) {
	text, err := schema.For[A]()
	if err != nil {
		return tool{}, err
	}
	declared, err := request.NewTool(name, description, text)
	if err != nil {
		return tool{}, err
	}
	return tool{declared, func(ctx context.Context, arguments string) (string, error) {
		var a A
		if err := json.Unmarshal([]byte(arguments), &a); err != nil {
			return "", err
		}
		return handle(ctx, a)
	}}, nil
}

// tools are the tools of an agent.
type tools []tool

func (t tools) declared() []request.Tool {
	var declared []request.Tool
	for _, each := range t {
		declared = append(declared, each.Tool)
	}
	return declared
}

// run runs a call that has passed the tool's schema. What it returns, the model reads.
func (t tools) run(ctx context.Context, call events.ToolCall) (string, error) {
	for _, each := range t {
		if each.Name() == call.Name {
			return each.handle(ctx, call.Arguments)
		}
	}
	return "", fmt.Errorf("no tool named %q", call.Name) // the guard has told the model already
}
