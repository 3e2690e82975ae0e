package texttools_test

import (
	"context"
	"fmt"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/texttools"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A model that only writes text, and a tool. The script stands for a provider.
func Example() {
	model, err := texttools.New(script{
		"Let me look.\n\n```tool_call get_weather\n", `{"city": "Oslo"}`, "\n```\n",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	weather, err := request.NewTool("get_weather", "Weather of a city.", `{
		"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]
	}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := stream.Collect(model.Stream(context.Background(), request.Request{
		Messages: []request.Message{request.UserText("Weather in Oslo?")},
		Tools:    []request.Tool{weather},
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reply.Text())
	for _, call := range reply.ToolCalls() {
		fmt.Println(call.ID, call.Name, call.Arguments)
	}
	// Output:
	// Let me look.
	// call_w1 get_weather {"city": "Oslo"}
}

// A script is a model that says the same pieces of text each time.
type script []string

func (script) Name() string       { return "script:text" }
func (script) Spec() request.Spec { return request.Spec{Tools: request.No} }

func (s script) Stream(context.Context, request.Request) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		if !emit(events.NewStarted(events.Start{Model: "text"})) {
			return
		}
		for _, piece := range s {
			if !emit(events.NewTextDelta(0, piece)) {
				return
			}
		}
		emit(events.NewCompleted(events.Completion{Stop: events.StopEnd, RawStop: "stop"}))
	})
}
