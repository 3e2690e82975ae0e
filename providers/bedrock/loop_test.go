package bedrock_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// invoked is an answer in Anthropic's language.
func invoked(frames ...string) *canned.Transport {
	var body []byte
	for _, frame := range frames {
		body = append(body, message("chunk", string(chunk([]byte(frame))))...)
	}
	return ok(body)
}

// conversed is an answer of ConverseStream, of pairs of a name and its data.
func conversed(pairs ...string) *canned.Transport {
	var body []byte
	for pair := range slices.Chunk(pairs, 2) {
		body = append(body, message(pair[0], pair[1])...)
	}
	return ok(body)
}

// A loop of tools in both languages, from call to result to answer: signed and redacted
// thinking goes back before the call, byte for byte.
func TestToolLoop(t *testing.T) {
	t.Parallel()
	weather, err := request.NewTool("weather", "", `{"type":"object"}`)
	require.NoError(t, err)
	for _, c := range []struct {
		why           string
		api           bedrock.API
		calls, answer *canned.Transport
		second        string
	}{
		{
			why: "Converse", api: bedrock.Converse,
			calls: conversed(
				"messageStart", `{"role":"assistant"}`,
				"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Hm <\"> "}}}`,
				"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"é."}}}`,
				"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"U0lH+/=="}}}`,
				"contentBlockStop", `{"contentBlockIndex":0}`,
				"contentBlockDelta", `{"contentBlockIndex":1,"delta":{"reasoningContent":{"redactedContent":"AAEC/w=="}}}`,
				"contentBlockStop", `{"contentBlockIndex":1}`,
				"contentBlockDelta", `{"contentBlockIndex":2,"delta":{"text":"Let me look."}}`,
				"contentBlockStop", `{"contentBlockIndex":2}`,
				"contentBlockStart", `{"contentBlockIndex":3,"start":{"toolUse":{"toolUseId":"tooluse_1","name":"weather"}}}`,
				"contentBlockDelta", `{"contentBlockIndex":3,"delta":{"toolUse":{"input":"{\"city\": \"Paris\", \"n\": 1.0}"}}}`,
				"contentBlockStop", `{"contentBlockIndex":3}`,
				"messageStop", `{"stopReason":"tool_use"}`,
			),
			answer: ok(hello()),
			second: `{"messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[` +
				`{"reasoningContent":{"reasoningText":{"text":"Hm <\"> é.","signature":"U0lH+/=="}}},{"reasoningContent":{"redactedContent":"AAEC/w=="}},` +
				`{"text":"Let me look."},{"toolUse":{"toolUseId":"tooluse_1","name":"weather","input":{"city": "Paris", "n": 1.0}}}]},` +
				`{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1","content":[{"text":"sunny"}]}}]}],` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"weather","inputSchema":{"json":{"type":"object"}}}}]}}`,
		},
		{
			why: "InvokeModel", api: bedrock.InvokeMessages,
			calls: invoked(
				`{"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm <\"> é."}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"U0lH+/=="}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"AAEC+/=="}}`,
				`{"type":"content_block_stop","index":1}`,
				`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_bdrk_1","name":"weather","input":{}}}`,
				`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"city\": \"Paris\", \"n\": 1.0}"}}`,
				`{"type":"content_block_stop","index":2}`, `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}}`, `{"type":"message_stop"}`,
			),
			answer: invoked(
				`{"type":"message_start","message":{"id":"m2","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}`,
				`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}`, `{"type":"message_stop"}`,
			),
			second: `{"anthropic_version":"bedrock-2023-05-31","tools":[{"name":"weather","input_schema":{"type":"object"}}],"messages":[` +
				`{"role":"user","content":[{"type":"text","text":"hi"}]},` +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm <\"> é.","signature":"U0lH+/=="},{"type":"redacted_thinking","data":"AAEC+/=="},` +
				`{"type":"tool_use","id":"toolu_bdrk_1","name":"weather","input":{"city": "Paris", "n": 1.0}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_bdrk_1","content":"sunny"}]}],"max_tokens":64000}`,
		},
	} {
		config := bedrock.Config{API: c.api, Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"}
		m := model(t, config, &canned.Script{Answers: []*canned.Transport{c.calls, c.answer}})
		req := ask()
		req.Tools = []request.Tool{weather}
		reply, err := stream.Collect(validator.Guard(m.Stream(t.Context(), req), validator.ForRequest(req)))
		require.NoError(t, err, c.why)
		require.True(t, reply.Executable(), c.why)
		req.Messages = append(req.Messages, reply.Turn(), reply.Answer(func(events.ToolCall) (string, error) { return "sunny", nil }))
		done, err := stream.Collect(validator.Guard(m.Stream(t.Context(), req), validator.ForRequest(req)))
		require.NoError(t, err, c.why)
		assert.Equal(t, "Hi", done.Text(), c.why)
		assert.Equal(t, c.second, string(c.answer.Requests()[0].Body), c.why)

		// The turn is another host's elsewhere, whatever its language.
		foreign := req
		foreign.Messages = slices.Clone(req.Messages)
		foreign.Messages[1].Data.Origin = "anthropic"
		answer := ok(hello())
		_, err = stream.Collect(model(t, config, answer).Stream(t.Context(), foreign))
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData}, c.why)
		assert.Empty(t, answer.Requests(), c.why)
		foreign.Foreign = request.ForeignDrop
		told := false
		for ev := range model(t, config, answer).Stream(t.Context(), foreign) {
			n, isNotice := ev.Notice()
			told = told || isNotice && n.Code == events.NoticeForeignDropped
		}
		assert.True(t, told, c.why)
		assert.NotContains(t, string(answer.Requests()[0].Body), "U0lH", c.why)
	}
}

// Neither language has a file that is fetched from where it lies: the request is refused
// before it is sent.
func TestNoURLs(t *testing.T) {
	t.Parallel()
	for _, api := range []bedrock.API{bedrock.Converse, bedrock.InvokeMessages} {
		for _, b := range []request.Block{request.ImageURL("https://example.com/a.png"), request.FileURL("a", "application/pdf", "https://example.com/a.pdf")} {
			answer := ok(hello())
			m := model(t, bedrock.Config{API: api, Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"}, answer)
			_, err := stream.Collect(m.Stream(t.Context(), request.Request{Messages: []request.Message{request.User(b)}}))
			require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, "%v", api)
			assert.Empty(t, answer.Requests(), "%v", api)
		}
	}
}
