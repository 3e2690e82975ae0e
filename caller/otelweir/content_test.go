package otelweir_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/otelweir"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

// The canaries stand where content and a credential may be.
const (
	canary = "CANARY"
	secret = "sk-SECRETSECRETSECRET"
)

// telling is a request that has the canary in every place.
func telling(t *testing.T) request.Request {
	t.Helper()
	tool, err := request.NewTool("find", canary+"1", `{"type":"object","properties":{"`+canary+`2":{"type":"string"}}}`)
	require.NoError(t, err)
	req := ask(canary + "3")
	req.System = canary + "4"
	req.Tools = []request.Tool{tool}
	req.Extra = map[string]string{"chat": `{"user":"` + canary + `5","key":"` + secret + `"}`}
	req.Messages = append(req.Messages,
		request.Assistant(request.Text("a"), request.Call(events.ToolCall{ID: "c1", Name: "find", Arguments: `{"q":"` + canary + `6"}`})),
		request.Results(request.Result("c1", canary+"7")),
		request.User(request.Text("b"), request.ImageBytes("image/png", []byte(canary+"8")), request.ImageURL("https://x/?sig="+secret)),
	)
	return req
}

// tellingPlays answer with the canary everywhere, and fail with it.
func tellingPlays() []play {
	f := events.NewFailure(events.Overloaded, events.ReasonServer, canary+"9")
	f.ProviderCode = canary + "10"
	return []play{
		of(events.NewStarted(events.Start{Metadata: map[string]string{"x": secret}}), events.NewFailed(f.WithCause(fmt.Errorf("%s %s", canary, secret)))),
		of(started(), events.NewThinkingDelta(0, canary+"11"), events.NewTextDelta(1, canary+"12"),
			events.NewToolCallStarted(2, "c2", "find", false), events.NewToolArgumentsDelta(2, `{"q":"`+canary+`13"}`),
			events.NewToolCallCompleted(2, events.ToolCall{ID: "c2", Name: "find", Arguments: `{"q":"` + canary + `13"}`}),
			events.NewCompleted(events.Completion{Stop: events.StopToolUse, RawStop: "tool_calls"})),
	}
}

// told returns all that was recorded, as one text.
func (l *lab) told(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, s := range l.spans.Ended() {
		fmt.Fprintln(&b, s.Name(), s.Status(), attributes(s), s.Events(), s.Links())
	}
	fmt.Fprintln(&b, l.metrics(t))
	return b.String()
}

// TestNoContent: without RecordContent nothing is told of what was said.
func TestNoContent(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{MaxContent: -1})
	c := l.caller(newScript(tellingPlays()...), caller.Config{MaxRetries: 1})
	result, err := c.Generate(t.Context(), telling(t))
	require.NoError(t, err)
	require.Len(t, result.Reply.ToolCalls(), 1)
	require.Len(t, l.spans.Ended(), 2)
	told := l.told(t)
	assert.NotContains(t, told, canary)
	assert.NotContains(t, told, "SECRET")
	for _, s := range l.spans.Ended() {
		for _, name := range []string{"gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions", "gen_ai.tool.definitions"} {
			assert.NotContains(t, attributes(s), name)
		}
	}
}

// TestContent: with RecordContent it is told in the forms of the conventions, and a
// credential is not told all the same.
func TestContent(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{RecordContent: true})
	c := l.caller(newScript(tellingPlays()...), caller.Config{MaxRetries: 1})
	_, err := c.Generate(t.Context(), telling(t))
	require.NoError(t, err)
	require.Len(t, l.spans.Ended(), 2)
	failed, got := attributes(l.spans.Ended()[0]), attributes(l.spans.Ended()[1])
	assert.JSONEq(t, `[{"type":"text","content":"CANARY4"}]`, got["gen_ai.system_instructions"].(string))
	assert.JSONEq(t, `[{"type":"function","name":"find"}]`, got["gen_ai.tool.definitions"].(string))
	assert.JSONEq(t, `[
		{"role":"user","parts":[{"type":"text","content":"CANARY3"}]},
		{"role":"assistant","parts":[{"type":"text","content":"a"},{"type":"tool_call","id":"c1","name":"find","arguments":{"q":"CANARY6"}}]},
		{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":[{"type":"text","content":"CANARY7"}]}]},
		{"role":"user","parts":[{"type":"text","content":"b"},{"type":"media","modality":"image","mime_type":"image/png"},{"type":"media","modality":"image"}]}
	]`, got["gen_ai.input.messages"].(string))
	assert.JSONEq(t, `[{"role":"assistant","finish_reason":"tool_call","parts":[
		{"type":"text","content":"CANARY12"},{"type":"reasoning","content":"CANARY11"},
		{"type":"tool_call","id":"c2","name":"find","arguments":{"q":"CANARY13"}}
	]}]`, got["gen_ai.output.messages"].(string))
	assert.Equal(t, got["gen_ai.input.messages"], failed["gen_ai.input.messages"])
	assert.JSONEq(t, `[{"role":"assistant","finish_reason":"error","parts":[]}]`, failed["gen_ai.output.messages"].(string))
	assert.NotContains(t, got, "weir.content.cut")
	told := l.told(t)
	assert.NotContains(t, told, "SECRET")
	for _, never := range []string{"1", "2", "5", "8", "9", "10"} {
		assert.NotRegexp(t, canary+never+`\b`, told, "no schema, extra, bytes or text of an error")
	}
}

// TestMaxContent: the newest is kept, and what is left is JSON.
func TestMaxContent(t *testing.T) {
	t.Parallel()
	req := ask(strings.Repeat("old ", 10))
	req.System = "a system prompt"
	req.Messages = append(req.Messages, request.AssistantText("é is two bytes"), request.UserText("0123456789"))
	for _, tt := range []struct {
		why          string
		most         int
		input        string
		system, text string
		cut          bool
	}{
		{"cut where a rune begins", 11, `[{"role":"assistant","parts":[{"type":"text","content":""}]},{"role":"user","parts":[{"type":"text","content":"0123456789"}]}]`, "a system pr", "hello worl", true},
		{"older ones are left out", 10, `[{"role":"user","parts":[{"type":"text","content":"0123456789"}]}]`, "a system p", "hello worl", true},
		{"all there is", -1, `[{"role":"user","parts":[{"type":"text","content":"` + strings.Repeat("old ", 10) + `"}]},{"role":"assistant","parts":[{"type":"text","content":"é is two bytes"}]},{"role":"user","parts":[{"type":"text","content":"0123456789"}]}]`, "a system prompt", "hello world!", false},
	} {
		l := newLab(t, otelweir.Options{RecordContent: true, MaxContent: tt.most})
		_, err := l.caller(newScript(says("hello world!", 1, 1)), caller.Config{}).Generate(t.Context(), req)
		require.NoError(t, err)
		got := attributes(l.only(t))
		assert.JSONEq(t, tt.input, got["gen_ai.input.messages"].(string), tt.why)
		assert.Contains(t, got["gen_ai.system_instructions"], tt.system+`"`, tt.why)
		assert.Contains(t, got["gen_ai.output.messages"], tt.text, tt.why)
		assert.Equal(t, tt.cut, got["weir.content.cut"] == true, tt.why)
	}
}

// TestOddContent: whatever is said, the attribute is JSON.
func TestOddContent(t *testing.T) {
	t.Parallel()
	broken := of(started(), events.NewRefusalDelta(0, "no \xff"),
		events.NewFailed(events.NewFailure(events.InvalidReply, events.ReasonLostConnection, "")))
	l := newLab(t, otelweir.Options{RecordContent: true, MaxContent: 12})
	req := ask("hi")
	req.Messages = append(req.Messages,
		request.Assistant(request.Call(events.ToolCall{ID: "c", Name: "f", Arguments: `{"q":"long enough"}`})),
		request.Results(request.ResultBlocks("c")))
	_, err := l.caller(newScript(broken), caller.Config{}).Generate(t.Context(), req)
	require.Error(t, err)
	got := attributes(l.only(t))
	input, output := got["gen_ai.input.messages"].(string), got["gen_ai.output.messages"].(string)
	assert.True(t, json.Valid([]byte(input)), input)
	assert.Contains(t, input, `"arguments":"{\"q\":\"long`, "arguments that are cut are a text")
	assert.Contains(t, input, `"response":[]`, "an empty result is one")
	assert.Contains(t, output, `"finish_reason":"error"`)
	assert.True(t, json.Valid([]byte(output)), output)
}

// TestInvalidCall: a call that is not one is told as it came.
func TestInvalidCall(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("find", "", `{"type":"object"}`)
	require.NoError(t, err)
	req := ask("hi")
	req.Tools = []request.Tool{tool}
	l := newLab(t, otelweir.Options{RecordContent: true})
	c := l.caller(newScript(of(started(), events.NewToolCallStarted(0, "c", "find", false), events.NewToolArgumentsDelta(0, `{"q":`),
		events.NewToolCallInvalid(0, events.ToolCall{ID: "c", Name: "find", Arguments: `{"q":`}, events.Issue{Kind: events.IssueNotObject, Detail: "cut"}),
		events.NewCompleted(events.Completion{Stop: events.StopToolUse}))), caller.Config{ToolPolicy: validator.Report})
	_, err = c.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.JSONEq(t, `[{"role":"assistant","finish_reason":"tool_call","parts":[{"type":"tool_call","id":"c","name":"find","arguments":"{\"q\":"}]}]`,
		attributes(l.only(t))["gen_ai.output.messages"].(string))
}
