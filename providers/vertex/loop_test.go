package vertex_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/vertex"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// The wire of two calls, written by recordings of Vertex AI: calls have no id, the
// first is signed. And of one that Claude thinks about.
const (
	geminiCalls = `data: {"candidates": [{"content": {"role": "model","parts": [{"functionCall": {"name": "weather","args": {"city": "Graz","day": 1.0}},"thoughtSignature": "Ci8Bjz1r\u002b/=="},{"functionCall": {"name": "weather","args": {"city": "Wien","day": 2}}}]},"finishReason": "STOP"}],"usageMetadata": {"promptTokenCount": 57,"candidatesTokenCount": 10,"totalTokenCount": 67,"trafficType": "ON_DEMAND"},"modelVersion": "gemini-3.8-flash","responseId": "l1"}

`
	// What goes back has the signature on its call, and no id, which Vertex AI did not
	// give and would refuse.
	geminiTurn = `{"role":"model","parts":[{"functionCall":{"name":"weather","args":{"city": "Graz","day": 1.0}},"thoughtSignature":"Ci8Bjz1r\u002b/=="},` +
		`{"functionCall":{"name":"weather","args":{"city": "Wien","day": 2}}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"weather","response":{"output":"rain"}}},` +
		`{"functionResponse":{"name":"weather","response":{"output":"sun"}}}]}`

	claudeCalls = `data: {"type":"message_start","message":{"id":"msg_vrtx_2","model":"claude-sonnet-5","content":[],"usage":{"input_tokens":50,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Two cities."}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EpwI+/=="}}

data: {"type":"content_block_stop","index":0}

data: {"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"AAEC+/=="}}

data: {"type":"content_block_stop","index":1}

data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_vrtx_1","name":"weather","input":{}}}

data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"city\": \"Graz\",\"day\": 1.0}"}}

data: {"type":"content_block_stop","index":2}

data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":40}}

data: {"type":"message_stop"}

`
	claudeTurn = `{"role":"assistant","content":[{"type":"thinking","thinking":"Two cities.","signature":"EpwI+/=="},{"type":"redacted_thinking","data":"AAEC+/=="},` +
		`{"type":"tool_use","id":"toolu_vrtx_1","name":"weather","input":{"city": "Graz","day": 1.0}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_vrtx_1","content":"rain"}]}`
)

func TestToolLoop(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"city":{"type":"string"},"day":{"type":"number"}}}`
	weather, err := request.NewTool("weather", "", schema)
	require.NoError(t, err)
	for _, c := range []struct {
		config          vertex.Config
		calls, answered string
		second          string
	}{
		{
			vertex.Config{Model: "gemini-3.8-flash", Token: tokens("t")},
			geminiCalls, geminiReply,
			`{"contents":[{"role":"user","parts":[{"text":"Weather?"}]},` + geminiTurn +
				`],"generationConfig":{"maxOutputTokens":100},"tools":[{"functionDeclarations":[{"name":"weather","parametersJsonSchema":` + schema + `}]}]}`,
		},
		{
			vertex.Config{Model: "claude-sonnet-5", API: vertex.Messages, Token: tokens("t")},
			claudeCalls, claudeReply,
			`{"anthropic_version":"vertex-2023-10-16","tools":[{"name":"weather","input_schema":` + schema + `}],` +
				`"messages":[{"role":"user","content":[{"type":"text","text":"Weather?"}]},` + claudeTurn + `],"stream":true,"max_tokens":100}`,
		},
	} {
		rt := &canned.Script{Answers: []*canned.Transport{ok(c.calls), ok(c.answered)}}
		m := model(t, c.config, rt)
		req := request.Request{Messages: []request.Message{request.UserText("Weather?")}, Tools: []request.Tool{weather}, MaxOutputTokens: 100}
		var reply *stream.Reply
		for range 2 {
			reply, err = stream.Collect(validator.Guard(m.Stream(t.Context(), req), validator.ForRequest(req)))
			require.NoError(t, err)
			if !reply.Executable() {
				break
			}
			say := map[string]string{`{"city": "Graz","day": 1.0}`: "rain", `{"city": "Wien","day": 2}`: "sun"}
			req.Messages = append(req.Messages, reply.Turn(), reply.Answer(func(c events.ToolCall) (string, error) {
				return say[c.Arguments], nil
			}))
		}
		assert.Equal(t, "Hi!", reply.Text())
		require.Len(t, rt.Sent(), 2)
		assert.Equal(t, c.second, rt.Sent()[1])

		// What came from elsewhere is refused, unless it may be dropped.
		other := model(t, c.config, ok(c.answered))
		foreign := req
		foreign.Messages[1].Data.Origin = "elsewhere"
		if foreign.Messages[1].Data.Format == "" {
			foreign.Messages[1].Blocks[0].Call.Replay.Origin = "elsewhere"
		}
		_, err := stream.Collect(other.Stream(t.Context(), foreign))
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData})
	}
}
