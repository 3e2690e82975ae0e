package interop_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// What the recorded replies hold: the seal of the thinking, and the call's arguments.
const (
	seal  = "c2lnbmF0dXJlLW9mLXdlaXI="
	paris = `{"city":"Paris"}`
)

// answered is what the tool says.
const answered = "result of " + paris

// scenario is the recorded reply that is thought about and sealed, where there is one,
// and calls weather.
func (a adapter) scenario(tb testing.TB) string {
	tb.Helper()
	if _, ok := a.wire(tb, "thinking-signed"); ok {
		return "thinking-signed"
	}
	return "tool-call"
}

// called returns a conversation with the reply that an adapter's own bytes are: up to
// the results of its calls, or else to the next question.
func (a adapter) called(tb testing.TB, scenario string) request.Request {
	tb.Helper()
	s := a.answering(tb, scenario)
	req := request.Request{Messages: []request.Message{request.UserText("Paris?")}, Tools: []request.Tool{tool(tb, "weather")}}
	got := ask(tb, a.model(tb, a.models[0], s), s, req)
	require.Nil(tb, got.failure)
	req.Messages = append(req.Messages, got.reply.Turn())
	if len(got.reply.ToolCalls()) == 0 {
		req.Messages = append(req.Messages, request.UserText("And tomorrow?"))
		return req
	}
	req.Messages = append(req.Messages, got.reply.Answer(func(c events.ToolCall) (string, error) {
		return "result of " + c.Arguments, nil
	}))
	return req
}

// turnOf returns where the parts of the recorded turn and of its result belong in the
// second request of a family.
func (a adapter) turnOf(sealed bool) []leaf {
	const chatTurn, chatResult = "messages.1", "messages.2"
	switch a.family {
	case messages:
		turn := []leaf{
			{"messages.1.role", "assistant"},
			{"messages.1.content.0.type", "thinking"},
			{"messages.1.content.0.thinking", "I need the weather."},
			{"messages.1.content.0.signature", seal},
			{"messages.1.content.1.type", "tool_use"},
			{"messages.1.content.1.id", "call_1"},
			{"messages.1.content.1.name", "weather"},
			{"messages.1.content.1.input.city", "Paris"},
			{"messages.2.role", "user"},
			{"messages.2.content.0.type", "tool_result"},
			{"messages.2.content.0.tool_use_id", "call_1"},
			{"messages.2.content.0.content", answered},
		}
		return turn
	case converse:
		return []leaf{
			{"messages.1.role", "assistant"},
			{"messages.1.content.0.reasoningContent.reasoningText.text", "I need the weather."},
			{"messages.1.content.0.reasoningContent.reasoningText.signature", seal},
			{"messages.1.content.1.toolUse.toolUseId", "call_1"},
			{"messages.1.content.1.toolUse.name", "weather"},
			{"messages.1.content.1.toolUse.input.city", "Paris"},
			{"messages.2.role", "user"},
			{"messages.2.content.0.toolResult.toolUseId", "call_1"},
			{"messages.2.content.0.toolResult.content.0.text", answered},
		}
	case responses:
		return []leaf{
			{"input.1.id", "rs_68f1c0ffee00"},
			{"input.1.type", "reasoning"},
			{"input.1.encrypted_content", seal},
			{"input.1.summary.0.text", "I need the weather."},
			{"input.2.id", "fc_68f1c0ffee01"},
			{"input.2.type", "function_call"},
			{"input.2.arguments", paris},
			{"input.2.call_id", "call_1"},
			{"input.2.name", "weather"},
			{"input.3.type", "function_call_output"},
			{"input.3.call_id", "call_1"},
			{"input.3.output", answered},
		}
	case google:
		return []leaf{
			{"contents.1.role", "model"},
			{"contents.1.parts.0.functionCall.id", "call_1"},
			{"contents.1.parts.0.functionCall.name", "weather"},
			{"contents.1.parts.0.functionCall.args.city", "Paris"},
			{"contents.1.parts.0.thoughtSignature", seal},
			{"contents.2.parts.0.functionResponse.id", "call_1"},
			{"contents.2.parts.0.functionResponse.name", "weather"},
			{"contents.2.parts.0.functionResponse.response.output", answered},
		}
	case ollamaAPI:
		return []leaf{
			{chatTurn + ".role", "assistant"},
			{chatTurn + ".tool_calls.0.id", "call_1"},
			{chatTurn + ".tool_calls.0.function.name", "weather"},
			{chatTurn + ".tool_calls.0.function.arguments.city", "Paris"},
			{chatResult + ".role", "tool"},
			{chatResult + ".content", answered},
			{chatResult + ".tool_name", "weather"},
			{chatResult + ".tool_call_id", "call_1"},
		}
	default:
		turn := []leaf{
			{chatTurn + ".role", "assistant"},
			{chatTurn + ".tool_calls.0.id", "call_1"},
			{chatTurn + ".tool_calls.0.function.name", "weather"},
			{chatTurn + ".tool_calls.0.function.arguments", paris},
			{chatResult + ".role", "tool"},
			{chatResult + ".tool_call_id", "call_1"},
			{chatResult + ".content", answered},
		}
		switch {
		case a.family == cohereV2:
			return append(turn, leaf{chatTurn + ".tool_plan", "I will look up the weather."})
		case sealed:
			return append(turn,
				leaf{chatTurn + ".reasoning_details.0.type", "reasoning.text"},
				leaf{chatTurn + ".reasoning_details.0.text", "I need the weather."},
				leaf{chatTurn + ".reasoning_details.0.signature", seal})
		default:
			return turn
		}
	}
}

// TestToolLoop is an agent's whole way over an adapter's own bytes: asked, thought
// about and called, answered, and asked again. What the provider sealed goes back as
// it came and where it was, in every later request, also after the conversation was
// stored as JSON.
func TestToolLoop(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, a adapter) {
		scenario := a.scenario(t)
		want := a.turnOf(scenario == "thinking-signed")
		s := a.answering(t, scenario, "text", "text")
		c := caller.New(a.model(t, a.models[0], s), caller.Config{})
		run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "run"})
		require.NoError(t, err)
		ctx := caller.WithRun(t.Context(), run)
		type place struct {
			City string `json:"city"`
		}
		look, err := caller.NewTool("weather", "Look.", func(_ context.Context, p place) (string, error) { return `result of {"city":"` + p.City + `"}`, nil })
		require.NoError(t, err)
		tools := caller.Tools{look}
		req := request.Request{Messages: []request.Message{request.UserText("Paris?")}, Tools: tools.Declared()}

		first, err := c.Generate(ctx, req)
		require.NoError(t, err)
		require.Equal(t, stream.OutcomeToolRequest, first.Reply.Outcome())
		req.Messages = append(req.Messages, first.Reply.Turn(), run.Answer(ctx, first.Reply, tools.Handle))
		second, err := c.Generate(ctx, req)
		require.NoError(t, err)
		require.Equal(t, stream.OutcomeFinal, second.Reply.Outcome())
		req.Messages = append(req.Messages, second.Reply.Turn(), request.UserText("Thanks."))
		stored, err := req.Canonical()
		require.NoError(t, err)
		again, err := request.Parse(stored)
		require.NoError(t, err)
		_, err = c.Generate(ctx, again)
		require.NoError(t, err)

		sent := s.bodies()
		require.Len(t, sent, 3)
		for n, body := range sent[1:] {
			got := leaves(t, body)
			for _, l := range want {
				assert.True(t, slices.ContainsFunc(got, func(g leaf) bool { return g == l || a.spells(l, g) }), "request %d has no %v: %s", n+2, l, body)
			}
		}
		assert.Contains(t, sent[2], second.Reply.Text())
	})
}

// spells reports whether got is the place of the recorded call's id, which the provider
// does not take as it is, with one that it takes.
func (a adapter) spells(want, got leaf) bool {
	rule := a.ids()
	return want.value == "call_1" && want.path == got.path && !rule.MatchString(want.value) && rule.MatchString(got.value)
}
