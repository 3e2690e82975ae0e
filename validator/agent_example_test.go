package validator_test

import (
	"errors"
	"fmt"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// A whole agent: ask, run the tools that the model calls, answer, ask again. Calls
// that do not fit go back to the model with what is wrong with them.
func Example_agent() {
	weather, err := request.NewTool("get_weather", "Weather of a city.", `{
		"type": "object",
		"properties": {"city": {"type": "string"}},
		"required": ["city"],
		"additionalProperties": false
	}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	run := func(call events.ToolCall) (string, error) {
		fmt.Println("run:", call.Name, call.Arguments)
		if call.Arguments != `{"city":"Oslo"}` {
			return "", errors.New("no such city")
		}
		return "rain, 4 degrees", nil
	}

	req := request.Request{
		Messages: []request.Message{request.UserText("Weather in Oslo?")},
		Tools:    []request.Tool{weather},
	}
	const maxTurns = 8
	for range maxTurns {
		// In a program: model.Stream(ctx, req).
		s := validator.Guard(scripted(req), validator.ForRequest(req), validator.WithPolicy(validator.Report))
		reply, err := stream.Collect(s)
		if err != nil {
			fmt.Println(err)
			return
		}
		req.Messages = append(req.Messages, reply.Turn())
		if reply.Outcome() != stream.OutcomeToolRequest {
			fmt.Println("answer:", reply.Text())
			return
		}
		answers := reply.Answer(run)
		for _, b := range answers.Blocks {
			fmt.Println("result:", b.Result.Content[0].Text)
		}
		req.Messages = append(req.Messages, answers)
	}
	fmt.Println("no answer after", maxTurns, "turns")
	// Output:
	// result: tool call invalid: unknown_tool: no tool named "weather"
	// result: tool call invalid: schema: arguments do not fit the schema: at the top level: missing properties: 'city'
	// run: get_weather {"city":"Oslo"}
	// run: get_weather {"city":"Olso"}
	// result: rain, 4 degrees
	// result: no such city
	// answer: Rain, 4 degrees.
}

// scripted stands for a model that knows its tools badly and learns. Like a real
// one it refuses a history whose calls are not all answered.
func scripted(req request.Request) stream.Stream {
	if f := request.FailureOf(req.CheckFor(request.Spec{})); f != nil {
		return stream.Fail(f)
	}
	call := func(i int, name, arguments string) []events.Event {
		c := events.ToolCall{ID: fmt.Sprint("call_", i), Name: name, Arguments: arguments}
		return []events.Event{events.NewToolCallStarted(i, c.ID, name, false), events.NewToolCallCompleted(i, c)}
	}
	reply, stop := []events.Event{events.NewStarted(events.Start{})}, events.StopToolUse
	switch len(req.Messages) {
	case 1:
		reply = append(append(reply, call(0, "weather", `{"city":"Oslo"}`)...), call(1, "get_weather", `{}`)...)
	case 3:
		reply = append(append(reply, call(0, "get_weather", `{"city":"Oslo"}`)...), call(1, "get_weather", `{"city":"Olso"}`)...)
	default:
		reply, stop = append(reply, events.NewTextDelta(0, "Rain, 4 degrees.")), events.StopEnd
	}
	reply = append(reply, events.NewCompleted(events.Completion{Stop: stop}))
	return stream.New(func(emit func(events.Event) bool) {
		for _, ev := range reply {
			if !emit(ev) {
				return
			}
		}
	})
}
