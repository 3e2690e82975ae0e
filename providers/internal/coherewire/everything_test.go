package coherewire_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/request"
)

// everything is a request that asks for all there is at once, whether this wire has a
// word for it or not. Its map is filled in the order of the keys.
func everything(t testing.TB, keys ...string) request.Request {
	t.Helper()
	foreign := request.AssistantText("Sure.")
	foreign.Data = events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: `{"content":[]}`}
	extra := map[string]string{
		"cohere": `{"safety_mode":"STRICT","citation_options":{"mode":"FAST"},"k":5}`, "chat": `{"x":1}`, "coher": `{"y":2}`,
	}
	r := request.Request{
		System: "Answer in \"one\" sentence.",
		Messages: []request.Message{
			request.UserText("Can you look?"), foreign,
			request.User(
				request.Text("Weather <here>?").Cached(request.CacheLong), request.ImageBytes("image/png", []byte("png")),
				request.FileBytes("a.txt", "text/plain", []byte("Graz & around\n")), request.ImageURL("https://example.com/sky.jpg?a=1&b=2")),
			turn(`{"tool_plan":"Look.","content":[{"type":"thinking","thinking":"hm"},{"slot":"text"}],"citations":[{"text":"moment"}]}`,
				request.Text("One moment."), call("t1", "get_weather", `{"city":"Graz","n":12345678901234567890}`), call("t2", "über tool", "{}")),
			request.Results(request.Result("t1", "21 & sunny").Cached(request.CacheShort), request.ResultError("t2", "no such city")),
			request.UserText("And tomorrow?"),
		},
		Tools:       []request.Tool{tool(t, "get_weather", "weather of a city"), tool(t, "über tool", "")},
		HostedTools: []request.HostedTool{request.SearchWeb(request.WebSearch{MaxUses: 3}), request.HostedRaw("gemini", `{"codeExecution":{}}`)},
		ToolChoice:  request.ToolChoice{Mode: request.ToolRequired}, Parallel: new(false),
		Answer: answer(t), MaxOutputTokens: 4000, Temperature: new(0.5), TopP: new(0.9), Stop: []string{"END", "\n\n"}, Seed: new(int64(7)),
		Effort: request.EffortMinimal, ThinkingBudget: new(1000),
		Cache:       request.Cache{Tools: request.CacheLong, System: request.CacheLong, Automatic: request.CacheShort, Key: "weather"},
		Foreign:     request.ForeignDrop,
		Extra:       map[string]string{},
		Correlation: request.Correlation{Run: "secret-run", Turn: "secret-turn", Actor: "secret-actor", Purpose: "secret-purpose"},
	}
	for _, key := range keys {
		r.Extra[key] = extra[key]
	}
	return r
}

// A request with every feature set: what the wire has words for is in the body, what it
// has none for is told, one by one, and the same request is the same bytes.
func TestEverything(t *testing.T) {
	t.Parallel()
	keys := []string{"chat", "coher", "cohere"}
	r, untouched := everything(t, keys...), everything(t, keys...)
	first, _, err := coherewire.Prepare(r, "command-test", request.Spec{}, profile())
	require.NoError(t, err)
	assert.Equal(t, untouched, r, "a request is never written to")
	require.True(t, json.Valid(first.Body))
	const file = "testdata/encode/everything.json"
	if *update {
		require.NoError(t, os.WriteFile(file, append(slices.Clone(first.Body), '\n'), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(first.Body)+"\n")
	assert.NotContains(t, string(first.Body), "secret-", "a correlation is nobody's but the observer's")

	var told []string
	for _, n := range first.Notices {
		field, _, _ := strings.Cut(n.Detail, ":")
		told = append(told, string(n.Code)+" "+field)
		if field == "cache.tools" {
			assert.Contains(t, n.Detail, "(4 times", "tools, system, a block and a result")
		}
	}
	assert.Equal(t, []string{
		"foreign_dropped messages[1].data",
		"parameter_dropped hosted_tools[0]", "parameter_dropped hosted_tools[1]",
		"parameter_dropped parallel", "parameter_dropped answer", "effort_clamped effort",
		"parameter_dropped cache.tools", "parameter_dropped cache.key", "parameter_dropped extra.coher",
	}, told)

	for _, order := range [][]string{{"cohere", "coher", "chat"}, {"coher", "chat", "cohere"}, keys} {
		shuffled := everything(t, order...)
		shuffled.Extra = maps.Clone(shuffled.Extra)
		again, _, err := coherewire.Prepare(shuffled, "command-test", request.Spec{}, profile())
		require.NoError(t, err)
		require.Equal(t, string(first.Body), string(again.Body), "%v", order)
		require.Equal(t, first.Notices, again.Notices)
	}
}

// Where nothing may be left out each of them refuses the request, and so does what
// changes what is asked in any case.
func TestEverythingStrict(t *testing.T) {
	t.Parallel()
	tools := []request.Tool{tool(t, "f", "")}
	user := func(b request.Block) func(*request.Request) {
		return func(r *request.Request) { r.Messages = []request.Message{request.User(request.Text("q"), b)} }
	}
	for why, change := range map[string]func(*request.Request){
		"parallel":         func(r *request.Request) { r.Tools, r.Parallel = tools, new(true) },
		"web search":       func(r *request.Request) { r.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{})} },
		"raw hosted tool":  func(r *request.Request) { r.HostedTools = []request.HostedTool{request.HostedRaw("cohere", `{"x":1}`)} },
		"effort between":   func(r *request.Request) { r.Effort = request.EffortMedium },
		"off and budget":   func(r *request.Request) { r.Effort, r.ThinkingBudget = request.EffortOff, new(9) },
		"cache marker":     func(r *request.Request) { r.Messages[0].Blocks[0].Cache = request.CacheShort },
		"cache key":        func(r *request.Request) { r.Cache.Key = "k" },
		"answer and tools": func(r *request.Request) { r.Tools, r.Answer = tools, answer(t) },
		"extra of nobody":  func(r *request.Request) { r.Extra = map[string]string{"coher": "{}"} },
		"audio":            user(request.AudioBytes("audio/wav", []byte("wav"))),
		"audio by URL":     user(request.AudioURL("audio/wav", "https://example.com/a.wav")),
		"PDF":              user(request.FileBytes("a.pdf", "application/pdf", []byte("%PDF"))),
		"file by URL":      user(request.FileURL("a.txt", "text/plain", "https://example.com/a.txt")),
		"image of a tool": func(r *request.Request) {
			r.Messages = append(r.Messages, request.Assistant(call("t1", "f", "{}")),
				request.Results(request.ResultBlocks("t1", request.ImageBytes("image/png", []byte("png")))))
		},
	} {
		r := ask(request.UserText("q"))
		change(&r)
		r.Strict = true
		got, _, err := coherewire.Prepare(r, "m", request.Spec{}, profile())
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, why)
		assert.Nil(t, got.Body, why)
	}
}

// Cohere cites documents and the results of tools unasked: to ask is nothing to tell.
func TestCitationsAreUnasked(t *testing.T) {
	t.Parallel()
	r := ask(request.User(request.Text("q"), request.FileBytes("", "text/plain", []byte("a"))))
	plain, _, err := coherewire.Prepare(r, "m", request.Spec{}, profile())
	require.NoError(t, err)
	r.Citations, r.Strict = true, true
	asked, _, err := coherewire.Prepare(r, "m", request.Spec{}, profile())
	require.NoError(t, err)
	assert.Empty(t, asked.Notices)
	assert.Equal(t, string(plain.Body), string(asked.Body))
}
