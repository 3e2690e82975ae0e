package ollamawire_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func tool(t *testing.T, name string) request.Tool {
	t.Helper()
	tool, err := request.NewTool(name, `says "hi" <b>`, `{"type": "object", "properties": {"n": {"type": "integer", "maximum": 12345678901234567890}}}`)
	require.NoError(t, err)
	return tool
}

func structured(t *testing.T) request.Answer {
	t.Helper()
	a, err := request.NewAnswer("", `{ "type": "object", "properties": {"a": {"minLength": 1, "$ref": "#"}} }`)
	require.NoError(t, err)
	return a
}

func prepare(t *testing.T, r request.Request) request.Prepared {
	t.Helper()
	p, err := r.Prepare(request.Target{Format: ollamawire.Format, Origin: "ollama"})
	require.NoError(t, err)
	return p
}

func TestEncode(t *testing.T) {
	t.Parallel()
	hi := []request.Message{request.UserText("hi")}
	call := func(id, name, arguments string) request.Block {
		return request.Call(events.ToolCall{ID: id, Name: name, Arguments: arguments})
	}
	const start = `{"model":"m","messages":[{"role":"user","content":"hi"}]`
	for _, c := range []struct {
		why     string
		request request.Request
		profile ollamawire.Profile
		want    string
	}{
		{
			why:     "the least",
			request: request.Request{Messages: hi},
			want:    start + `,"stream":true}`,
		},
		{
			why:     "the schema of a structured answer goes byte for byte, before what may be merged into it",
			request: request.Request{Messages: hi, Answer: structured(t), Effort: request.EffortOff},
			want:    start + `,"stream":true,"format":{ "type": "object", "properties": {"a": {"minLength": 1, "$ref": "#"}} },"think":false}`,
		},
		{
			why: "and Extra may still set another format",
			request: request.Request{
				Messages: hi, Answer: structured(t), Extra: map[string]string{"ollama": `{"format":"json"}`},
			},
			want: start + `,"stream":true,"format":"json"}`,
		},
		{
			why: "text goes as it is, without HTML escapes",
			request: request.Request{
				System:   "be <brief> & \"kind\"",
				Messages: []request.Message{request.User(request.Text("a\n"), request.Text("<b>😀\u2028"))},
			},
			want: `{"model":"m","messages":[{"role":"system","content":"be <brief> & \"kind\""},` +
				`{"role":"user","content":"a\n\n<b>😀\u2028"}],"stream":true}`,
		},
		{
			why: "inline images stand beside the text",
			request: request.Request{Messages: []request.Message{
				request.User(request.ImageBytes("image/png", []byte{0xff, 0xfe}), request.Text("what?"), request.ImageBytes("image/png", []byte("x"))),
			}},
			want: `{"model":"m","messages":[{"role":"user","content":"what?","images":["//4=","eA=="]}],"stream":true}`,
		},
		{
			why: "calls go back with their arguments as objects, byte for byte, and each result names its tool",
			request: request.Request{Messages: []request.Message{
				request.UserText("hi"),
				request.Assistant(request.Text("look"), call("c1", "f", "{ \"n\": 12345678901234567890,\n\"u\":\"\\u00e9\" }"), call("c2", "g.h", "{}")),
				request.Results(request.ResultError("c2", "no"), request.ResultBlocks("c1", request.Text("a"), request.ImageBytes("image/png", []byte("x")))),
			}},
			want: `{"model":"m","messages":[{"role":"user","content":"hi"},` +
				`{"role":"assistant","content":"look","tool_calls":[{"id":"c1","function":{"name":"f","arguments":{ "n": 12345678901234567890,` + "\n" +
				`"u":"\u00e9" }}},{"id":"c2","function":{"name":"WIRE","arguments":{}}}]},` +
				`{"role":"tool","content":"Error: no","tool_name":"WIRE","tool_call_id":"c2"},` +
				`{"role":"tool","content":"a","images":["eA=="],"tool_name":"f","tool_call_id":"c1"}],"stream":true}`,
		},
		{
			why:     "thinking goes back",
			request: request.Request{Messages: []request.Message{request.UserText("hi"), thoughtful(`{"thinking":"hm <\"\n>"}`), request.UserText("hi")}},
			want: `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a","thinking":"hm <\"\n>"},` +
				`{"role":"user","content":"hi"}],"stream":true}`,
		},
		{
			why: "tools with their schemas byte for byte",
			request: request.Request{
				Messages: hi,
				Tools:    []request.Tool{tool(t, "f"), tool(t, "g.h")},
			},
			want: start + `,"tools":[{"type":"function","function":{"name":"f","description":"says \"hi\" <b>","parameters":` + tool(t, "f").Schema() + `}},` +
				`{"type":"function","function":{"name":"WIRE","description":"says \"hi\" <b>","parameters":` + tool(t, "f").Schema() + `}}],"stream":true}`,
		},
		{
			why:     "no tool may be called: they are left out, for the protocol has no word for it",
			request: request.Request{Messages: hi, Tools: []request.Tool{tool(t, "f")}, ToolChoice: request.ToolChoice{Mode: request.ToolNone}},
			want:    start + `,"stream":true}`,
		},
		{
			why: "every option; zero is a value",
			request: request.Request{
				Messages: hi, MaxOutputTokens: 7, Temperature: new(0.0), TopP: new(0.95), Seed: new(int64(-3)), Stop: []string{"\n", "END"},
			},
			profile: ollamawire.Profile{ContextLength: 8192, KeepAlive: `"5m0s"`},
			want: start + `,"stream":true,"keep_alive":"5m0s","options":{"num_ctx":8192,"num_predict":7,"temperature":0,"top_p":0.95,` +
				`"seed":-3,"stop":["\n","END"]}}`,
		},
		{
			why: "extra adds members and options, and wins over parameters",
			request: request.Request{
				Messages: hi, MaxOutputTokens: 7, Effort: request.EffortOff,
				Extra: map[string]string{"ollama": `{"options":{"num_ctx":4096,"top_k":1.0},"format":"json","think":true}`, "chat": `{"x":1}`},
			},
			profile: ollamawire.Profile{ContextLength: 8192},
			want:    start + `,"stream":true,"think":true,"options":{"num_ctx":4096,"num_predict":7,"top_k":1.0},"format":"json"}`,
		},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			p := prepare(t, c.request)
			got, err := ollamawire.Encode("m", p, c.profile)
			require.NoError(t, err)
			assert.Equal(t, strings.ReplaceAll(c.want, "WIRE", p.Names.Wire("g.h")), string(got))
			assert.True(t, json.Valid(got))
			again, err := ollamawire.Encode("m", p, c.profile)
			require.NoError(t, err)
			assert.Equal(t, got, again, "the same request gives the same bytes")
		})
	}
}

func thoughtful(value string) request.Message {
	m := request.AssistantText("a")
	m.Data = events.ProviderData{Format: ollamawire.Format, Origin: "ollama", Value: value}
	return m
}

func TestEncodeThink(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		effort       request.Effort
		onOff, level string
	}{
		{"", ``, ``},
		{request.EffortOff, `,"think":false`, `,"think":false`},
		{request.EffortMinimal, `,"think":true`, `,"think":"minimal"`},
		{request.EffortLow, `,"think":true`, `,"think":"low"`},
		{request.EffortMedium, `,"think":true`, `,"think":"medium"`},
		{request.EffortHigh, `,"think":true`, `,"think":"high"`},
		{request.EffortXHigh, `,"think":true`, `,"think":"xhigh"`},
		{request.EffortMax, `,"think":true`, `,"think":"max"`},
	} {
		p := prepare(t, request.Request{Messages: []request.Message{request.UserText("hi")}, Effort: c.effort})
		for levels, want := range map[bool]string{false: c.onOff, true: c.level} {
			got, err := ollamawire.Encode("m", p, ollamawire.Profile{ThinkLevels: levels})
			require.NoError(t, err)
			assert.Equal(t, `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true`+want+`}`, string(got),
				"effort %q, levels %v", c.effort, levels)
		}
	}
}

// TestEncodeRefuses encodes what Prepare would not let through, too: a body that
// is no JSON is never made.
func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why     string
		request request.Request
		reason  events.Reason
	}{
		{"an image by URL", request.Request{Messages: []request.Message{request.User(request.ImageURL("https://x/y.png"))}}, events.ReasonBadParameter},
		{"an audio clip", request.Request{Messages: []request.Message{request.User(request.AudioBytes("audio/wav", nil))}}, events.ReasonBadParameter},
		{"a file", request.Request{Messages: []request.Message{request.User(request.FileBytes("a", "application/pdf", nil))}}, events.ReasonBadParameter},
		{"a file in a result", request.Request{Messages: []request.Message{request.Results(request.ResultBlocks("c", request.FileURL("a", "b", "c")))}}, events.ReasonBadParameter},
		{"a text among results", request.Request{Messages: []request.Message{request.Results(request.Text("x"))}}, events.ReasonBadHistory},
		{"arguments that are no object", request.Request{Messages: []request.Message{request.Assistant(request.Call(events.ToolCall{ID: "c", Name: "f", Arguments: `{"a":`}))}}, events.ReasonBadHistory},
		{"another family's data", request.Request{Messages: []request.Message{{Role: request.RoleAssistant, Data: events.ProviderData{Format: "chat.v1", Value: "{}"}}}}, events.ReasonForeignData},
		{"data that cannot be read", request.Request{Messages: []request.Message{thoughtful(`{"thinking":`)}}, events.ReasonForeignData},
		{"a temperature that is no number", request.Request{Temperature: new(math.NaN())}, events.ReasonBadParameter},
		{"a top_p without end", request.Request{TopP: new(math.Inf(1))}, events.ReasonBadParameter},
		{"extra that is no object", request.Request{Extra: map[string]string{"ollama": `[]`}}, events.ReasonBadParameter},
		{"extra with a model", request.Request{Extra: map[string]string{"ollama": `{"model":"x"}`}}, events.ReasonBadParameter},
		{"extra with messages", request.Request{Extra: map[string]string{"ollama": `{"messages":[]}`}}, events.ReasonBadParameter},
		{"extra with tools", request.Request{Extra: map[string]string{"ollama": `{"tools":[]}`}}, events.ReasonBadParameter},
		{"extra without a stream", request.Request{Extra: map[string]string{"ollama": `{"stream":false}`}}, events.ReasonBadParameter},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			body, err := ollamawire.Encode("m", request.Prepared{Request: c.request}, ollamawire.Profile{})
			assert.Nil(t, body)
			f, ok := events.AsFailure(err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, events.InvalidRequest, f.Kind)
			assert.Equal(t, c.reason, f.Reason)
		})
	}
}

// TestTurnGoesBack plays a reply that thought and called, and sends its turn on.
func TestTurnGoesBack(t *testing.T) {
	t.Parallel()
	wire := `{"model":"m","message":{"role":"assistant","content":"","thinking":"hm "},"done":false}
{"model":"m","message":{"role":"assistant","content":"","thinking":"\"so\""},"done":false}
{"model":"m","message":{"role":"assistant","content":"look","tool_calls":[{"function":{"name":"f","arguments":{"n":1.0}}}]},"done":false}
{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}
`
	ask := []request.Message{request.UserText("hi")}
	first := prepare(t, request.Request{Messages: ask})
	r, err := stream.Collect(streamOf(t, first, strings.NewReader(wire)))
	require.NoError(t, err)
	require.Len(t, r.ToolCalls(), 1)
	id := r.ToolCalls()[0].ID

	second := prepare(t, request.Request{Messages: append(ask, r.Turn(), request.Results(request.Result(id, "ok")))})
	body, err := ollamawire.Encode("m", second, ollamawire.Profile{})
	require.NoError(t, err)
	assert.Equal(t, `{"model":"m","messages":[{"role":"user","content":"hi"},`+
		`{"role":"assistant","content":"look","thinking":"hm \"so\"","tool_calls":[{"id":"call_w1","function":{"name":"f","arguments":{"n":1.0}}}]},`+
		`{"role":"tool","content":"ok","tool_name":"f","tool_call_id":"call_w1"}],"stream":true}`, string(body))
	assert.Equal(t, 2, second.FirstMinted, "the next minted id is another one")
}
