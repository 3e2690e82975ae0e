package messageswire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

// sentBack plays a golden body, folds it, and returns the raw blocks of the
// assistant turn as the next request sends it.
func sentBack(t *testing.T, name string) []string {
	t.Helper()
	reply := canned.Reply(family().Play(t, canned.Folder(t, "testdata/decode/"+name)))
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
		"compaction": {`{"type":"compaction","content":"The user said \"hi\".\n"}`, `{"type":"text","text":"Hello!"}`},
		// Its deltas bring what the summary was sealed with: both SDKs lost it once.
		"compaction-sealed":      {`{"type":"compaction","content":"The user said hi.","encrypted_content":"EqQB\u0007Cg=="}`, `{"type":"text","text":"Hello!"}`},
		"citation-of-the-future": {`{"type":"text","text":"Blue.","citations":[{"type":"dream_location","seal":"Eo8B"}]}`},
		"hosted-kinds": {
			`{"type":"server_tool_use","id":"s1","name":"web_fetch","input":{"url":"https://example.com/a"}}`,
			`{"type":"web_fetch_tool_result","tool_use_id":"s1","content":{"type":"web_fetch_result","url":"https://example.com/a","content":{"type":"document",` +
				`"source":{"type":"text","media_type":"text/plain","data":"A"},"title":"A page","citations":{"enabled":true}},"retrieved_at":"2026-12-01T10:00:00Z"}}`,
			`{"type":"server_tool_use","id":"s2","name":"tool_search_tool_regex","input":{"pattern":"weather"}}`,
			`{"type":"tool_search_tool_result","tool_use_id":"s2","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"get_weather"}]}}`,
			`{"type":"server_tool_use","id":"s3","name":"bash_code_execution","input":{"command":"ls"}}`,
			`{"type":"bash_code_execution_tool_result","tool_use_id":"s3","content":{"type":"bash_code_execution_result","stdout":"a\n","stderr":"","return_code":0,` +
				`"content":[{"type":"bash_code_execution_output","file_id":"file_1"}]}}`,
			`{"type":"server_tool_use","id":"s4","name":"text_editor_code_execution","input":{"command":"view","path":"a"}}`,
			`{"type":"text_editor_code_execution_tool_result","tool_use_id":"s4","content":{"type":"text_editor_code_execution_tool_result_error","error_code":"file_not_found"}}`,
			`{"type":"container_upload","file_id":"file_2"}`, `{"type":"fallback","from":{"model":"std-1"},"to":{"model":"std-0"}}`, `{"type":"text","text":"Done."}`,
		},
		"fallback-mid-output": {
			`{"type":"text","text":"Let me see."}`,
			`{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"x"}}`,
			`{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}`,
			`{"type":"fallback","from":{"model":"std-1"},"to":{"model":"std-0"},"trigger":{"type":"refusal","category":null}}`,
			`{"type":"thinking","thinking":"b","signature":"SB=="}`, `{"type":"tool_use","id":"t2","name":"f","input":{"a": 2}}`,
		},
		"fallback-first": {`{"type":"fallback","from":{"model":"std-1"},"to":{"model":"std-0"}}`, `{"type":"text","text":"Hello!"}`},
		// The call was told before, and is answered: it goes back where it may stand.
		"fallback-unasked": {
			`{"type":"fallback","from":{"model":"std-1"},"to":{"model":"std-0"}}`, `{"type":"thinking","thinking":"b","signature":"SB=="}`,
			`{"type":"tool_use","id":"t1","name":"f","input":{"a":1}}`,
		},
		"usage-advisor": {
			`{"type":"text","text":"Hello!"}`, `{"type":"server_tool_use","id":"srvtoolu_1","name":"advisor","input":{}}`,
			`{"type":"advisor_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"advisor_result","text":"Drain the in-flight work first."}}`, `{"type":"text","text":" Done."}`,
		},
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

// Code of the provider's that waits goes on in its container, which the next request
// names, and no later one.
func TestContainerGoesBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, name, extra string
		answered         bool
		want             string
	}{
		{why: "it called a tool", name: "container-waits", want: `"container_1"`},
		{why: "it called another", name: "container-waits-again", want: `"container_1"`},
		{why: "the turn paused", name: "container-pause", want: `"container_1"`},
		{why: "it has ended", name: "container-done"},
		{why: "no container was told", name: "tool-caller"},
		{why: "the turn was answered", name: "container-waits", answered: true},
		{why: "skills come along", name: "container-waits", extra: `{"container":{"skills":[{"type":"anthropic","skill_id":"pdf"}]}}`, want: `{"id":"container_1","skills":[{"type":"anthropic","skill_id":"pdf"}]}`},
		{why: "the caller names one", name: "container-waits", extra: `{"container":"container_2"}`, want: `"container_2"`},
		{why: "and no other needs one", name: "container-done", extra: `{"container":"container_2"}`, want: `"container_2"`},
	} {
		body, err := os.ReadFile(filepath.Join("testdata/decode", c.name, "wire.sse"))
		require.NoError(t, err)
		reply := canned.Reply(play(t, answered(body), minting()))
		require.NoError(t, reply.Err(), c.why)
		r := ask(request.UserText("q"), reply.Turn())
		for _, called := range reply.ToolCalls() {
			r.Messages = append(r.Messages, request.Results(request.Result(called.ID, "ok")))
		}
		if c.answered {
			r.Messages = append(r.Messages, request.AssistantText("a"), request.UserText("next"))
		}
		if c.extra != "" {
			r.Extra = map[string]string{messageswire.ExtraKey: c.extra}
		}
		sent, err := messageswire.Encode("m", prepared(t, r), anthropic())
		require.NoError(t, err, c.why)
		var got struct{ Container json.RawMessage }
		require.NoError(t, json.Unmarshal(sent, &got), c.why)
		assert.Equal(t, c.want, string(got.Container), c.why)
	}
}
