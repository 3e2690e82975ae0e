package conversewire_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/request"
)

func everyProfile() conversewire.Profile {
	return conversewire.Profile{Origin: "bedrock", Thinking: conversewire.ThinkingBudget, SystemTools: []string{"nova_grounding"}}
}

// everything is a request with every feature that goes together with the others:
// citations of files do not with an answer, nor a forced call with thinking.
func everything(t testing.TB) request.Request {
	t.Helper()
	turn := request.Assistant(request.Text("Looking."), request.Text("Two ways."), call("t1", "get_weather", `{"a": 1.0}`), call("t2", "über tool", `{}`))
	turn.Data = kept(`{"content":[{"reasoningContent":{"reasoningText":{"text":"hm <\"> ","signature":"SIG=="}}},{"reasoningContent":{"redactedContent":"AAE="}},` +
		`{"slot":"text","citations":[{"title":"\u007f","location":{"documentChar":{"documentIndex":0,"start":3,"end":8}}}]},` +
		`{"toolUse":{"toolUseId":"s1","name":"nova_code_interpreter","type":"server_tool_use","input":{"snippet": "1+1"}}},{"toolResult":{"toolUseId":"s1","content":[{"json":{"out":1.0}}]}},` +
		`{"slot":"text"},{"citationsContent":{"citations":[{"location":{"web":{"url":"https://example.com"}}}]}},{"slot":"tool_use","id":"t1"},{"slot":"tool_use","id":"t2"}]}`)
	r := ask(
		request.User(
			request.Text("look <b>&"), request.ImageBytes("image/png", []byte{1, 2, 3}), request.AudioBytes("audio/wav", []byte{4}),
			request.FileBytes("a.pdf", "application/pdf", []byte("%PDF")), request.FileURL("film", "video/mp4", "s3://bucket/a.mp4"),
			request.FileBytes("n.txt", "text/plain", []byte("note\n")).Cached(request.CacheLong),
		),
		turn,
		request.Results(request.ResultBlocks("t1", request.Text("here"), request.ImageBytes("image/png", []byte{1})), request.ResultError("t2", "no")),
		request.UserText("and?"),
	)
	r.System, r.MaxOutputTokens, r.Stop = "Be \"brief\" & kind.", 4000, []string{"\n\n", "END"}
	r.Temperature, r.TopP, r.ThinkingBudget = new(1.0), new(0.95), new(2000)
	r.Tools, r.Answer = []request.Tool{tool(t, "get_weather", "weather <of> a city"), tool(t, "über tool", "")}, answer(t)
	r.HostedTools = []request.HostedTool{request.HostedRaw("converse", `{"systemTool":{"name":"nova_code_interpreter"}}`)}
	r.Cache = request.Cache{Tools: request.CacheLong, System: request.CacheLong, Automatic: request.CacheShort}
	r.Extra = map[string]string{conversewire.ExtraKey: `{"inferenceConfig":{"maxTokens":3000},"additionalModelRequestFields":{"top_k":5},"serviceTier":{"type":"flex"},"n":1e400}`, "chat": `{"x":1}`}
	return r
}

// The request that has everything is sent whole: the same bytes each time, nothing left
// out but what the wire's subset of JSON Schema lacks, and nothing written to.
func TestPrepareEverything(t *testing.T) {
	t.Parallel()
	r := everything(t)
	before, err := r.Canonical()
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/encode/everything.json")
	require.NoError(t, err)
	for range 2 {
		call, _, err := conversewire.Prepare(r, request.Spec{}, everyProfile())
		require.NoError(t, err)
		assert.Equal(t, string(want), string(call.Body)+"\n")
		for _, n := range call.Notices {
			assert.Equal(t, events.NoticeSchemaLossy, n.Code, n.Detail)
		}
	}
	after, err := r.Canonical()
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
	assert.Equal(t, everything(t).Messages, r.Messages, "what the canonical form does not show")
}
