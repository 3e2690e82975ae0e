package messageswire_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

// everything is a request with every feature that goes together with the others:
// citations of files do not with an answer, nor a forced call with thinking.
func everything(t testing.TB) request.Request {
	t.Helper()
	turn := request.Assistant(request.Text("Looking."), request.Text("Two ways."), call("t1", "get_weather", `{"city": "Graz", "n": 1.0}`), call("t2", "über tool", `{}`))
	turn.Data = kept(`{"content":[{"type":"thinking","thinking":"hm <\"> ","signature":"SIG=="},{"type":"redacted_thinking","data":"R=="},` +
		`{"slot":"text","citations":[{"type":"char_location","cited_text":"\u007f","document_index":0}]},` +
		`{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"x"}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[]},` +
		`{"slot":"text"},{"slot":"tool_use","id":"t1"},{"slot":"tool_use","id":"t2"}]}`)
	r := ask(
		request.User(
			request.Text("look <b>&"), request.ImageBytes("image/png", []byte{1, 2, 3}), request.ImageURL("https://example.com/a.png"),
			request.FileBytes("a.pdf", "application/pdf", []byte("%PDF")), request.FileURL("", "application/pdf", "https://example.com/b.pdf"),
			request.FileBytes("n.txt", "text/plain", []byte("note\n")).Cached(request.CacheLong),
		),
		turn,
		request.Results(request.ResultBlocks("t1", request.Text("here"), request.ImageBytes("image/png", []byte{1})), request.ResultError("t2", "no")),
		request.UserText("and?"),
	)
	r.System, r.MaxOutputTokens, r.Stop = "Be \"brief\" & kind.", 4000, []string{"\n\n", "END"}
	r.Temperature, r.TopP, r.ThinkingBudget, r.Effort = new(1.0), new(0.95), new(2000), request.EffortHigh
	r.Tools, r.Parallel, r.Answer = []request.Tool{tool(t, "get_weather", "weather <of> a city"), tool(t, "über tool", "")}, new(false), answer(t)
	r.HostedTools = []request.HostedTool{
		request.SearchWeb(request.WebSearch{MaxUses: 2, AllowedDomains: []string{"a.example"}, Location: request.Location{City: "Graz", Country: "AT"}}),
		request.HostedRaw("messages", `{"type":"code_execution_20250825", "name":"code_execution"}`),
	}
	r.Cache = request.Cache{Tools: request.CacheLong, System: request.CacheLong, Automatic: request.CacheShort}
	r.Extra = map[string]string{"messages": `{"thinking":{"display":"summarized"},"metadata":{"user_id":"1e400"},"service_tier":"auto","n":1e400}`, "chat": `{"x":1}`}
	return r
}

// The request that has everything is sent whole: the same bytes each time, nothing left
// out but what the wire's subset of JSON Schema lacks, and nothing written to.
func TestPrepareEverything(t *testing.T) {
	t.Parallel()
	r := everything(t)
	before, err := r.Canonical()
	require.NoError(t, err)
	var bodies []string
	for range 2 {
		call, _, err := messageswire.Prepare(r, "claude-test", request.Spec{}, anthropic())
		require.NoError(t, err)
		require.Len(t, call.Notices, 1)
		assert.Equal(t, events.NoticeSchemaLossy, call.Notices[0].Code)
		bodies = append(bodies, string(call.Body))
	}
	assert.Equal(t, bodies[0], bodies[1])
	after, err := r.Canonical()
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
	assert.Equal(t, everything(t).Messages, r.Messages, "what the canonical form does not show")
	want, err := os.ReadFile("testdata/encode/everything.json")
	require.NoError(t, err)
	assert.Equal(t, string(want), bodies[0]+"\n")
}
