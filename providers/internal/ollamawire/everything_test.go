package ollamawire_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/request"
)

// everything is a request that asks for all there is at once, whether this wire has a
// word for it or not. Its map is filled in the order of the keys.
func everything(t *testing.T, keys ...string) request.Request {
	t.Helper()
	call := func(id, name, arguments string) request.Block {
		return request.Call(events.ToolCall{ID: id, Name: name, Arguments: arguments})
	}
	foreign := request.AssistantText("Sure.")
	foreign.Data = events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: `{"content":[]}`}
	own := request.Assistant(request.Text("One moment."), call("c1", "f", `{"n": 12345678901234567890}`), call("c2", "g.h", "{}"))
	own.Data = events.ProviderData{Format: ollamawire.Format, Origin: "ollama", Value: `{"thinking":"hm <\">"}`}
	extra := map[string]string{
		"ollama": `{"keep_alive":"10m","truncate":false,"options":{"num_ctx":32768,"top_k":5},"logprobs":true}`, "chat": `{"x":1}`, "olama": `{"y":2}`,
	}
	r := request.Request{
		System: "Answer in \"one\" sentence.",
		Messages: []request.Message{
			request.UserText("Can you look?"), foreign,
			request.User(request.Text("Weather <here>?").Cached(request.CacheLong), request.ImageBytes("image/png", []byte("png")), request.Text("And there?"), request.ImageBytes("image/jpeg", []byte("jpg"))),
			own,
			request.Results(
				request.ResultBlocks("c1", request.Text("21 & sunny"), request.ImageBytes("image/png", []byte("sky"))).Cached(request.CacheShort),
				request.ResultError("c2", "no such city")),
			request.UserText("And tomorrow?"),
		},
		Tools:       []request.Tool{tool(t, "f"), tool(t, "g.h")},
		HostedTools: []request.HostedTool{request.SearchWeb(request.WebSearch{MaxUses: 3}), request.HostedRaw("gemini", `{"codeExecution":{}}`)},
		ToolChoice:  request.ToolChoice{Mode: request.ToolNamed, Name: "f"}, Parallel: new(false),
		Answer: structured(t), MaxOutputTokens: 4000, Temperature: new(0.5), TopP: new(0.9), Stop: []string{"END", "\n\n"}, Seed: new(int64(7)),
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
	profile := ollamawire.Profile{Origin: "ollama", ThinkLevels: true, KeepAlive: `"5m0s"`, ContextLength: 8192}
	keys := []string{"chat", "olama", "ollama"}
	r, untouched := everything(t, keys...), everything(t, keys...)
	first, _, err := ollamawire.Prepare(r, "qwen3:4b", request.Spec{}, profile)
	require.NoError(t, err)
	assert.Equal(t, untouched, r, "a request is never written to")
	require.True(t, json.Valid(first.Body))
	file := filepath.Join("testdata", "encode", "everything.json")
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
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
		"parameter_dropped parallel", "parameter_dropped tool_choice", "parameter_dropped answer",
		"parameter_dropped thinking_budget", "effort_clamped effort",
		"parameter_dropped cache.tools", "parameter_dropped cache.key", "parameter_dropped extra.olama",
	}, told)

	for _, order := range [][]string{{"ollama", "olama", "chat"}, {"olama", "chat", "ollama"}, keys} {
		shuffled := everything(t, order...)
		shuffled.Extra = maps.Clone(shuffled.Extra)
		again, _, err := ollamawire.Prepare(shuffled, "qwen3:4b", request.Spec{}, profile)
		require.NoError(t, err)
		require.Equal(t, string(first.Body), string(again.Body), "%v", order)
		require.Equal(t, first.Notices, again.Notices)
	}
}

// Where nothing may be left out each of them refuses the request, and so does what
// changes what is asked in any case. A Spec that claims more than the wire has words for
// changes nothing.
func TestEverythingStrict(t *testing.T) {
	t.Parallel()
	all := request.Spec{
		Tools: request.Yes, ParallelTools: request.Yes, ToolChoice: request.Yes, Images: request.Yes, Audio: request.Yes, Files: request.Yes,
		Thinking: request.Yes, ThinkingBudget: request.Yes, CacheMarkers: request.Yes, CacheKey: request.Yes, HostedTools: request.Yes,
		WebSearch: request.WebSearchSupport{Tool: request.Yes}, Citations: request.Yes,
	}
	user := func(b request.Block) func(*request.Request) {
		return func(r *request.Request) { r.Messages = []request.Message{request.User(request.Text("q"), b)} }
	}
	for why, change := range map[string]func(*request.Request){
		"parallel":           func(r *request.Request) { r.Parallel = new(true) },
		"a call is required": func(r *request.Request) { r.ToolChoice.Mode = request.ToolRequired },
		"one tool is named":  func(r *request.Request) { r.ToolChoice = request.ToolChoice{Mode: request.ToolNamed, Name: "f"} },
		"web search":         func(r *request.Request) { r.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{})} },
		"raw hosted tool":    func(r *request.Request) { r.HostedTools = []request.HostedTool{request.HostedRaw("ollama", `{"x":1}`)} },
		"budget":             func(r *request.Request) { r.ThinkingBudget = new(9) },
		"cache marker":       func(r *request.Request) { r.Messages[0].Blocks[0].Cache = request.CacheShort },
		"cache key":          func(r *request.Request) { r.Cache.Key = "k" },
		"citations":          func(r *request.Request) { r.Citations = true },
		"answer and tools":   func(r *request.Request) { r.Answer = structured(t) },
		"extra of nobody":    func(r *request.Request) { r.Extra = map[string]string{"olama": "{}"} },
		"audio":              user(request.AudioBytes("audio/wav", []byte("wav"))),
		"audio by URL":       user(request.AudioURL("audio/wav", "https://example.com/a.wav")),
		"a file":             user(request.FileBytes("a.txt", "text/plain", []byte("a"))),
		"a file by URL":      user(request.FileURL("a.txt", "text/plain", "https://example.com/a.txt")),
		"an image by URL":    user(request.ImageURL("https://example.com/a.png")),
		"an image by URL in a result": func(r *request.Request) {
			r.Messages = append(r.Messages, request.Assistant(request.Call(events.ToolCall{ID: "c", Name: "f", Arguments: "{}"})),
				request.Results(request.ResultBlocks("c", request.ImageURL("https://example.com/a.png"))))
		},
	} {
		r := request.Request{Messages: []request.Message{request.UserText("q")}, Tools: []request.Tool{tool(t, "f")}, Strict: true}
		change(&r)
		got, _, err := ollamawire.Prepare(r, "m", all, ollamawire.Profile{})
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, why)
		assert.Nil(t, got.Body, why)
	}
}
