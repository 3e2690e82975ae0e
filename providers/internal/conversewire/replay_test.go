package conversewire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// goingBack returns the history that sends a reply back, with the answers to its
// calls.
func goingBack(reply *stream.Reply) []request.Message {
	turn := reply.Turn()
	messages := []request.Message{request.UserText("q"), turn}
	for _, b := range turn.Blocks {
		if b.Kind == request.BlockToolCall {
			messages = append(messages, request.Results(request.Result(b.Call.ID, "ok")))
		}
	}
	return append(messages, request.UserText("next"))
}

// What the provider needs of its own turn comes back byte for byte and in place.
func TestTurnGoesBack(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"reasoning-then-tool": {
			`{"reasoningContent":{"reasoningText":{"text":"Let me see <\"> é\t.","signature":"EqQBCg=="}}}`,
			`{"text":"Looking."}`,
			`{"toolUse":{"toolUseId":"t1","name":"get_weather","input":{"city": "Paris", "n": 12345678901234567890}}}`,
		},
		"reasoning-redacted": {`{"reasoningContent":{"redactedContent":"AAEC/w=="}}`, `{"text":"ok"}`},
		"reasoning-both": {
			`{"reasoningContent":{"reasoningText":{"text":"a","signature":"S"}}}`, `{"reasoningContent":{"redactedContent":"AAEC"}}`, `{"text":"ok"}`,
		},
		"reasoning-unsigned": {`{"text":"x"}`},
		"hosted-tool": {
			`{"toolUse":{"toolUseId":"s1","name":"nova_code_interpreter","type":"server_tool_use","input":{"snippet": "1+1"}}}`,
			`{"toolResult":{"toolUseId":"s1","status":"success","type":"nova_code_interpreter_result","content":[{"json":{"stdOut":"2","exitCode":0.0}},{"text":"é <b>"}]}}`,
			`{"text":"Two."}`, `{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}`,
		},
		"citation-block": {
			`{"text":"Blue"}`,
			`{"citationsContent":{"citations":[{"location":{"web":{"url":"https://example.com/sky","domain":"example.com"}}},` +
				`{"location":{"documentChar":{"documentIndex":0,"start":3,"end":8}},"sourceContent":[{"text":"cle"},{"text":"ar"}],"title":"Weather"}]}}`,
			`{"text":"."}`,
		},
		"citation-before-text": {
			`{"citationsContent":{"content":[{"text":"Blue and clear."}],"citations":[` +
				`{"location":{"documentChar":{"documentIndex":0,"start":3,"end":8}},"sourceContent":[{"text":"cle"},{"text":"ar"}],"title":"Weather"},` +
				`{"location":{"web":{"url":"https://example.com/sky","domain":"example.com"}}}]}}`,
		},
		"citation-of-the-future": {`{"citationsContent":{"content":[{"text":"x"}],"citations":[{"location":{"dream":{"seal":"Eo8B"}}}]}}`},
		"citation-empty": {
			`{"citationsContent":{"content":[{"text":"x"}],"citations":[` +
				`{"location":{"searchResultLocation":{"searchResultIndex":0,"start":0,"end":1}},"source":"https://example.com/r","title":"R"}]}}`,
		},
		// A cut reply keeps its text only.
		"stop-window": {`{"text":"x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata/decode", name+".sse"))
			require.NoError(t, err)
			reply := canned.Reply(play(t, answered(framed(string(text))), minting()))
			require.NoError(t, reply.Err())
			sent, err := conversewire.Encode(prepared(t, ask(goingBack(reply)...)), bedrock())
			require.NoError(t, err)
			var out struct {
				Messages []struct{ Content []json.RawMessage }
			}
			require.NoError(t, json.Unmarshal(sent, &out))
			var blocks []string
			for _, raw := range out.Messages[1].Content {
				blocks = append(blocks, string(raw))
			}
			assert.Equal(t, want, blocks)
		})
	}
}

// The second request of a loop of tools, byte for byte.
func TestToolLoop(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/decode/reasoning-then-tool.sse")
	require.NoError(t, err)
	first := ask(request.UserText("Weather in Paris?"))
	first.Tools = []request.Tool{tool(t, "get_weather", "")}
	reply := canned.Reply(play(t, answered(framed(string(text))), prepared(t, first)))
	require.True(t, reply.Executable())
	second := first
	second.Messages = append(second.Messages, reply.Turn(), reply.Answer(func(c events.ToolCall) (string, error) { return "21 degrees for " + c.Name, nil }))
	body, err := conversewire.Encode(prepared(t, second), bedrock())
	require.NoError(t, err)
	assert.Equal(t, `{"messages":[{"role":"user","content":[{"text":"Weather in Paris?"}]},`+
		`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"Let me see <\"> é\t.","signature":"EqQBCg=="}}},{"text":"Looking."},`+
		`{"toolUse":{"toolUseId":"t1","name":"get_weather","input":{"city": "Paris", "n": 12345678901234567890}}}]},`+
		`{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"21 degrees for get_weather"}]}}]}],`+
		`"toolConfig":{"tools":[{"toolSpec":{"name":"get_weather","inputSchema":{"json":{"type":"object","properties":{"b":{"type":"number"},"a":{"type":"string"}}}}}}]}}`, string(body))
	last, err := os.ReadFile("testdata/decode/text.sse")
	require.NoError(t, err)
	done := canned.Reply(play(t, answered(framed(string(last))), prepared(t, second)))
	require.NoError(t, done.Err())
	assert.Equal(t, "Hello, world.", done.Text())
}
