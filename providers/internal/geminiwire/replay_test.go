package geminiwire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// sentBack plays a golden body, folds it, and returns the raw parts of the model's
// turn as the next request sends it.
func sentBack(t *testing.T, name string) []string {
	t.Helper()
	bodies, err := filepath.Glob(filepath.Join("testdata/decode", name, "wire.*"))
	require.NoError(t, err)
	require.Len(t, bodies, 1, name)
	body, err := os.ReadFile(bodies[0])
	require.NoError(t, err)
	reply := canned.Reply(play(t, answered(body), minting()))
	require.NoError(t, reply.Err())
	messages := []request.Message{request.UserText("q"), reply.Turn()}
	if calls := reply.ToolCalls(); len(calls) > 0 {
		messages = append(messages, reply.Answer(func(events.ToolCall) (string, error) { return "ok", nil }))
	}
	sent, err := geminiwire.Encode(prepared(t, ask(messages...)), gemini())
	require.NoError(t, err)
	var out struct {
		Contents []struct{ Parts []json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(sent, &out))
	var parts []string
	for _, raw := range out.Contents[1].Parts {
		parts = append(parts, string(raw))
	}
	return parts
}

const sig = "EpwICpkIAXLI2nxlU6gsWZaZHRYkX1orzuM8vSUF/+=="

// What the provider needs of its own turn comes back byte for byte and in place.
func TestTurnGoesBack(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"thinking-then-calls": {
			`{"functionCall":{"id":"8hd01vsf","name":"get_weather","args":{"city": "Paris", "n": 12345678901234567890}},"thoughtSignature":"` + sig + `"}`,
			`{"functionCall":{"id":"k0srpqrc","name":"get_weather","args":{"city": "Rome"}}}`,
		},
		"thinking-signed": {`{"text":"","thought":true,"thoughtSignature":"` + sig + `"}`, `{"text":"42"}`},
		"text-signed": {
			`{"text":"One. "}`, `{"text":"Two. ","thoughtSignature":"AA=="}`, `{"text":"Three. "}`, `{"text":"Four.","thoughtSignature":"BB=="}`,
		},
		"text-signed-at-the-end": {`{"text":"One two."}`, `{"text":"","thoughtSignature":"` + sig + `"}`},
		"array":                  {`{"text":"Sc\"]}oop"}`, `{"text":"","thoughtSignature":"` + sig + `"}`},
		"signature-escaped": {
			`{"text":"a\n\u0001","thoughtSignature":"A\u003d\u003d"}`, `{"text":" \n","thoughtSignature":"B\u002f"}`,
		},
		"white-space": {`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"` + sig + `"}`},
		"code-execution": {
			`{"text":"I run it.\n"}`,
			`{"executableCode":{"language":"PYTHON","code":"print(1 <\n2)","id":"8xju7mua"},"thoughtSignature":"` + sig + `"}`,
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"True\n","id":"8xju7mua"}}`,
			`{"text":"True."}`, `{"text":"","thoughtSignature":"EoEC"}`,
		},
		"partial-arguments": {
			`{"functionCall":{"name":"get_weather","args":{"location":"Boston \"MA\"\n","days":3,"exact":false,"unit":null}},"thoughtSignature":"` + sig + `"}`,
			`{"functionCall":{"name":"get_weather","args":{"location":"Rome"}}}`,
		},
		"call-id-twice": {
			`{"functionCall":{"id":"x","name":"f","args":{}}}`, `{"functionCall":{"id":"x","name":"g","args":{}}}`,
		},
		"image": {
			`{"text":"Here."}`,
			`{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQImWNwav0CAALIAbzDqqRyAAAAAElFTkSuQmCC"},"thoughtSignature":"` + sig + `"}`,
		},
		"media-file": {
			`{"fileData":{"fileUri":"gs://b/a.mp4","mimeType":"video/mp4"}}`, `{"hologram":{"a":[1]}}`, `{"hologram":{"a":2}}`, `{"text":"a"}`,
		},
		"server-tool": {
			`{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["sky"]},"id":"t1"},"thoughtSignature":"` + sig + `"}`,
			`{"toolResponse":{"toolType":"GOOGLE_SEARCH_WEB","response":{"x":1},"id":"t1"}}`, `{"text":"Blue."}`,
		},
		"partial-arguments-signed-late": {`{"functionCall":{"id":"c1","name":"f","args":{"a":"x"}},"thoughtSignature":"S\u002b1"}`},
		"thinking-image": {
			`{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQImWNwav0CAALIAbzDqqRyAAAAAElFTkSuQmCC"},"thoughtSignature":"S1"}`,
		},
		// A cut reply keeps its text only, and unsigned thinking never goes back.
		"stop-then-another": {`{"text":"a"}`},
		"call-then-text":    {`{"functionCall":{"name":"f","args":{"a": 1}}}`, `{"text":"Meanwhile."}`},
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
	for _, name := range []string{"text", "calls-without-ids", "partial-arguments", "google-search", "stop-length"} {
		body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
		require.NoError(t, err)
		done, ok := terminal(t, play(t, answered(body), minting())).Completion()
		require.True(t, ok, name)
		assert.Equal(t, events.ProviderData{}, done.Data, name)
	}
}

// A host that gives ids only itself gets back those that it gave.
func TestOwnIDsGoBack(t *testing.T) {
	t.Parallel()
	profile := geminiwire.Profile{Origin: "vertex", OwnIDs: true}
	d := geminiwire.NewDecoder(minting(), profile)
	var reply stream.Reply
	_, err := d.Frame(transportFrame(frame(`{"functionCall":{"name":"f","id":"x"}},{"functionCall":{"name":"g"}}`, stopped, "")), func(e events.Event) bool {
		reply.Add(e)
		return true
	})
	require.NoError(t, err)
	reply.Add(d.End(endOfBody()))
	r := ask(request.UserText("q"), reply.Turn(), reply.Answer(func(events.ToolCall) (string, error) { return "ok", nil }))
	p, err := r.Prepare(request.Target{Format: geminiwire.Format, Origin: "vertex"})
	require.NoError(t, err)
	sent, err := geminiwire.Encode(p, profile)
	require.NoError(t, err)
	assert.JSONEq(t, `{"contents":[{"role":"user","parts":[{"text":"q"}]},
		{"role":"model","parts":[{"functionCall":{"id":"x","name":"f","args":{}}},{"functionCall":{"name":"g","args":{}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"x","name":"f","response":{"output":"ok"}}},{"functionResponse":{"name":"g","response":{"output":"ok"}}}]}]}`, string(sent))
}

// A signature that comes late is kept beside an id that has to go back.
func TestLateSignatureKeepsID(t *testing.T) {
	t.Parallel()
	d := geminiwire.NewDecoder(minting(), geminiwire.Profile{Origin: "vertex", OwnIDs: true})
	var calls []events.ToolCall
	for _, part := range []string{`{"functionCall":{"name":"f","id":"x","willContinue":true}}`, `{"functionCall":{},"thoughtSignature":"S"}`} {
		_, err := d.Frame(transportFrame(frame(part, "", "")), func(e events.Event) bool {
			if c, ok := e.Call(); ok && e.Kind == events.ToolCallCompleted {
				calls = append(calls, c)
			}
			return true
		})
		require.NoError(t, err)
	}
	require.Len(t, calls, 1)
	assert.Equal(t, `{"id":"x","thoughtSignature":"S"}`, calls[0].Replay.Value)
}

// Case 034: calls of one reply go back as parts of one content, with the signature
// on the part that had it and none invented, and their results in one content.
func TestParallelCallsGoBackTogether(t *testing.T) {
	t.Parallel()
	evs := playBody(t, "data: "+frame(`{"functionCall":{"name":"a","args":{}},"thoughtSignature":"S1"},{"functionCall":{"name":"b","args":{}}}`, stopped, "")+"\n\n")
	reply := canned.Reply(evs)
	answers := map[string]string{"a": "1", "b": "2"}
	results := reply.Answer(func(c events.ToolCall) (string, error) { return answers[c.Name], nil })
	sent, err := geminiwire.Encode(prepared(t, ask(request.UserText("q"), reply.Turn(), results)), gemini())
	require.NoError(t, err)
	assert.Equal(t, `{"contents":[{"role":"user","parts":[{"text":"q"}]},`+
		`{"role":"model","parts":[{"functionCall":{"name":"a","args":{}},"thoughtSignature":"S1"},{"functionCall":{"name":"b","args":{}}}]},`+
		`{"role":"user","parts":[{"functionResponse":{"name":"a","response":{"output":"1"}}},{"functionResponse":{"name":"b","response":{"output":"2"}}}]}]}`, string(sent))
}

// An answer that pauses goes on from the same request with its token, byte for byte,
// however often, and its turns are one content for what comes after.
func TestLongDecode(t *testing.T) {
	t.Parallel()
	hop := func(name string) request.Message {
		body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
		require.NoError(t, err)
		reply := canned.Reply(play(t, answered(body), minting()))
		require.NoError(t, reply.Err())
		return reply.Turn()
	}
	encoded := func(r request.Request) string {
		sent, err := geminiwire.Encode(prepared(t, r), gemini())
		require.NoError(t, err)
		return string(sent)
	}
	r := ask(request.UserText("A story."))
	r.MaxOutputTokens = 200_000
	const begin, rest = `{"contents":[{"role":"user","parts":[{"text":"A story."}]}`, `],"generationConfig":{"maxOutputTokens":200000}`
	require.Equal(t, begin+rest+"}", encoded(r))
	r.Messages = append(r.Messages, hop("long-decode-thinking"))
	require.Equal(t, begin+rest+`,"continuationToken":"dDA="}`, encoded(r))
	r.Messages = append(r.Messages, hop("long-decode"))
	require.Equal(t, begin+rest+`,"continuationToken":"dG9rZW4tMQ=="}`, encoded(r))
	r.Messages = append(r.Messages, hop("long-decode-text-only"))
	require.Equal(t, begin+rest+`,"continuationToken":"dG9r\u002b"}`, encoded(r))
	r.Messages = append(r.Messages, hop("long-decode-last"), request.UserText("Thanks."))
	require.Equal(t, begin+`,{"role":"model","parts":[{"text":"Once upon "},{"text":"a time, ","thoughtSignature":"A\u003d"},{"text":"Once"},{"text":"they lived happily."}]},`+
		`{"role":"user","parts":[{"text":"Thanks."}]}`+rest+"}", encoded(r))
}

// A pause with a call in it asks for its result: a history with a call that nothing
// answers is refused, so that it could not go on otherwise.
func TestPauseWithCall(t *testing.T) {
	t.Parallel()
	reply := canned.Reply(playBody(t, body(frame(`{"functionCall":{"name":"f"}}`, `,"finishReason":"CONTINUATION","continuationToken":"dA=="`, ""))))
	require.NoError(t, reply.Err())
	assert.Equal(t, events.StopToolUse, reply.Stop())
	answer := reply.Answer(func(events.ToolCall) (string, error) { return "ok", nil })
	sent, err := geminiwire.Encode(prepared(t, ask(request.UserText("q"), reply.Turn(), answer)), gemini())
	require.NoError(t, err)
	assert.NotContains(t, string(sent), "continuationToken")
	assert.Contains(t, string(sent), "functionResponse")
	assert.True(t, reply.Turn().Data.IsZero(), "the token is spent")
}
