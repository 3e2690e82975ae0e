package messageswire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// sentBack plays a golden body, folds it, and returns the raw blocks of the
// assistant turn as the next request sends it.
func sentBack(t *testing.T, name string) []string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
	require.NoError(t, err)
	var reply stream.Reply
	for _, ev := range play(t, answered(body), minting()) {
		reply.Add(ev)
	}
	require.NoError(t, reply.Err())
	messages := []request.Message{request.UserText("q"), reply.Turn()}
	for _, c := range reply.ToolCalls() {
		messages = append(messages, request.Results(request.Result(c.ID, "ok")))
	}
	sent, err := messageswire.Encode("m", prepared(t, ask(messages...)), anthropic())
	require.NoError(t, err)
	var out struct {
		Messages []struct{ Content []json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(sent, &out))
	var blocks []string
	for _, raw := range out.Messages[1].Content {
		blocks = append(blocks, string(raw))
	}
	return blocks
}

// What the provider needs of its own turn comes back byte for byte and in place.
func TestTurnGoesBack(t *testing.T) {
	t.Parallel()
	const sig = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk"
	for name, want := range map[string][]string{
		"thinking-then-tool": {
			`{"type":"thinking","thinking":"Let me see <\"> é\t.","signature":"` + sig + `"}`,
			`{"type":"text","text":"Looking."}`,
			`{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city": "Paris", "n": 12345678901234567890}}`,
		},
		"thinking-omitted": {
			`{"type":"thinking","thinking":"","signature":"` + sig + `"}`, `{"type":"text","text":"42"}`,
		},
		"thinking-redacted": {
			`{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpP"}`,
			`{"type":"text","text":"ok"}`,
		},
		"web-search": {
			`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query": "sky colour"}}`,
			`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://example.com/sky","title":"Sky ` +
				"\u2028" + ` <b>","encrypted_content":"EqgfCioI` + "\x7f" + `","page_age":null}]}`,
			`{"type":"text","text":"Blue."}`,
		},
		"citations": {
			`{"type":"text","text":"The sky is blue and clear.","citations":[{"type":"web_search_result_location","cited_text":"It is \"blue\".","url":"https://example.com/sky","title":"Sky","encrypted_index":"Eo8BCioIAhgB"},` +
				`{"type":"char_location","cited_text":"clear","document_index":0,"document_title":"Weather","start_char_index":3,"end_char_index":8}]}`,
		},
		"pause-with-hosted-tool": {
			`{"type":"text","text":"Searching."}`,
			`{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"x"}}`,
		},
		"tool-caller": {
			`{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{"code":"f()"}}`,
			`{"type":"tool_use","id":"t1","name":"f","input":{"a":1},"caller":{"type":"code_execution_20250825","tool_id":"srvtoolu_1"}}`,
		},
		"white-space-before-thinking": {
			`{"type":"thinking","thinking":"hm","signature":"` + sig + `"}`, `{"type":"text","text":"x"}`,
		},
		"hosted-input-broken": {`{"type":"redacted_thinking","data":"R"}`},
		"mcp-error": {
			`{"type":"mcp_tool_use","id":"m1","name":"echo","server_name":"srv","input":{"a":1}}`,
			`{"type":"mcp_tool_result","tool_use_id":"m1","is_error":true,"content":[{"type":"text","text":"no"}]}`,
			`{"type":"text","text":"a"}`,
		},
		"compaction":    {`{"type":"compaction","content":"The user said \"hi\".\n"}`, `{"type":"text","text":"Hello!"}`},
		"unknown-block": {`{"type":"hologram","data":"xyz"}`, `{"type":"text","text":"a"}`},
		"tool-no-arguments": {
			`{"type":"tool_use","id":"t1","name":"now","input":{}}`, `{"type":"tool_use","id":"t2","name":"now","input":{}}`,
		},
		// A cut reply keeps its text only, and unsigned thinking never goes back.
		"stop-context-window":  {`{"type":"text","text":"x"}`},
		"ollama-thinking-tool": {`{"type":"tool_use","id":"call_wx3womw9","name":"get_weather","input":{"city":"Lima"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, want, sentBack(t, name))
		})
	}
}

// Only what cannot be rebuilt from the turn's own blocks is kept.
func TestDataOnlyWhenNeeded(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"usage-cumulative", "tool-calls-end-turn", "blocks-interleaved", "ollama-thinking-unset", "thinking-unsigned-cut"} {
		body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
		require.NoError(t, err)
		done, ok := terminal(t, play(t, answered(body), minting())).Completion()
		require.True(t, ok, name)
		assert.Equal(t, events.ProviderData{}, done.Data, name)
	}
}
