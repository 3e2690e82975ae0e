package anthropic_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// frames is an answer of frames without names.
func frames(data ...string) *canned.Transport {
	return ok("data: " + strings.Join(data, "\n\ndata: ") + "\n\n")
}

// A loop of tools that the model's code calls, from call to result to call to answer:
// signed and redacted thinking goes back before the code, byte for byte, and while the
// code waits each request names its container.
func TestToolLoop(t *testing.T) {
	t.Parallel()
	const (
		tools = `"tools":[{"type":"code_execution_20260120","name":"code_execution"},{"name":"weather","input_schema":{"type":"object"}}]`
		began = `{"type":"thinking","thinking":"Hm <\"> é.","signature":"U0lH+/=="},{"type":"redacted_thinking","data":"AAEC+/=="},` +
			`{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{"code": "go()"}}`
		first = `{"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Paris","n":1.0},"caller":{"type":"code_execution_20260120","tool_id":"srvtoolu_1"}}`
		next  = `{"type":"tool_use","id":"toolu_2","name":"weather","input":{"city":"Graz"},"caller":{"type":"code_execution_20260120","tool_id":"srvtoolu_1"}}`
		ended = `{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"code_execution_result","stdout":"ok\n","stderr":"","return_code":0,"content":[]}}`
	)
	wire := &canned.Script{Answers: []*canned.Transport{
		frames(
			`{"type":"message_start","message":{"id":"m1","model":"claude-test","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm <\"> é."}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"U0lH+/=="}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"AAEC+/=="}}`,
			`{"type":"content_block_stop","index":1}`,
			`{"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{}}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"code\": \"go()\"}"}}`,
			`{"type":"content_block_stop","index":2}`,
			`{"type":"content_block_start","index":3,"content_block":`+first+`}`, `{"type":"content_block_stop","index":3}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use","container":{"id":"container_1","expires_at":"2026-12-01T10:00:00Z"}},"usage":{"output_tokens":5}}`,
			`{"type":"message_stop"}`,
		),
		frames(
			`{"type":"message_start","message":{"id":"m2","model":"claude-test","content":[`+next+`],"stop_reason":"tool_use","container":{"id":"container_1","expires_at":"2026-12-01T10:00:00Z"},"usage":{"input_tokens":0,"output_tokens":0}}}`,
			`{"type":"message_stop"}`,
		),
		frames(
			`{"type":"message_start","message":{"id":"m3","model":"claude-test","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":`+ended+`}`, `{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"Sun."}}`, `{"type":"content_block_stop","index":1}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn","container":{"id":"container_1","expires_at":"2026-12-01T10:00:00Z"}},"usage":{"output_tokens":5}}`,
			`{"type":"message_stop"}`,
		),
		ok(reply),
	}}
	weather, err := request.NewTool("weather", "", `{"type":"object"}`)
	require.NoError(t, err)
	m := model(t, anthropic.Config{HTTPClient: &http.Client{Transport: wire}})
	req := ask()
	req.Tools = []request.Tool{weather}
	req.HostedTools = []request.HostedTool{request.HostedRaw("messages", `{"type":"code_execution_20260120","name":"code_execution"}`)}
	var got *stream.Reply
	for range 3 {
		got, err = stream.Collect(validator.Guard(m.Stream(t.Context(), req), validator.ForRequest(req)))
		require.NoError(t, err)
		req.Messages = append(req.Messages, got.Turn())
		if got.Executable() {
			req.Messages = append(req.Messages, got.Answer(func(events.ToolCall) (string, error) { return "sunny", nil }))
		}
	}
	assert.Equal(t, "Sun.", got.Text())
	req.Messages = append(req.Messages, request.UserText("Thanks."))
	_, err = stream.Collect(m.Stream(t.Context(), req))
	require.NoError(t, err)

	const (
		asked    = `{"role":"user","content":[{"type":"text","text":"hi"}]}`
		answered = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"sunny"}]}`
		again    = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_2","content":"sunny"}]}`
		turn1    = asked + `,{"role":"assistant","content":[` + began + `,` + first + `]},` + answered
		turn2    = turn1 + `,{"role":"assistant","content":[` + next + `]},` + again
		turn3    = turn2 + `,{"role":"assistant","content":[` + ended + `,{"type":"text","text":"Sun."}]},{"role":"user","content":[{"type":"text","text":"Thanks."}]}`
		tail     = `],"stream":true,"max_tokens":`
	)
	require.Len(t, wire.Sent(), 4)
	for i, want := range []struct{ messages, container string }{{asked, ""}, {turn1, `"container":"container_1"`}, {turn2, `"container":"container_1"`}, {turn3, ""}} {
		assert.Contains(t, wire.Sent()[i], `{"model":"claude-test",`+tools+`,"messages":[`+want.messages+tail)
		if want.container == "" {
			assert.NotContains(t, wire.Sent()[i], `"container"`)
		} else {
			assert.Contains(t, wire.Sent()[i], want.container)
		}
	}

	// The turn is another host's elsewhere, whatever its language.
	foreign := req
	foreign.Messages = slices.Clone(req.Messages)
	foreign.Messages[1].Data.Origin = "vertex"
	_, err = stream.Collect(m.Stream(t.Context(), foreign))
	require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData})
	require.Len(t, wire.Sent(), 4)
}
