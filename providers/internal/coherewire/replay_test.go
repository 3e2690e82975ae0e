package coherewire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/request"
)

// sentBack plays a golden body, folds it, and returns the assistant turn as the
// next request sends it.
func sentBack(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
	require.NoError(t, err)
	reply := canned.Reply(play(t, answered(body)))
	require.NoError(t, reply.Err())
	messages := []request.Message{request.UserText("q"), reply.Turn()}
	for _, c := range reply.ToolCalls() {
		messages = append(messages, request.Results(request.Result(c.ID, "ok")))
	}
	sent, err := coherewire.Encode("m", prepared(t, ask(messages...)), profile())
	require.NoError(t, err)
	var out struct{ Messages []json.RawMessage }
	require.NoError(t, json.Unmarshal(sent, &out))
	return string(out.Messages[1])
}

// What the provider needs of its own turn comes back byte for byte and in place.
func TestTurnGoesBack(t *testing.T) {
	t.Parallel()
	const matz = `{"type":"document","id":"doc:0","document":{"id":"doc:0","text":"Ruby was created by \"Matz\".","title":"facts.txt"}}`
	for name, want := range map[string]string{
		"text": `{"role":"assistant","content":"Hello"}`,
		"plan-then-calls": `{"role":"assistant","tool_plan":"I will look up both.","tool_calls":[` +
			`{"id":"w_1","type":"function","function":{"name":"get_weather","arguments":"{\n    \"city\": \"Rome\"\n}"}},` +
			`{"id":"t_1","type":"function","function":{"name":"get_time","arguments":"{\"big\": 12345678901234567890}"}}]}`,
		"thinking-then-call": `{"role":"assistant","content":[{"type":"thinking","thinking":"I need the weather."}],"tool_calls":[` +
			`{"id":"w_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}]}`,
		"thinking-then-text": `{"role":"assistant","content":[{"type":"thinking","thinking":"Let me <\"> see é\t."},{"type":"text","text":"42"}]}`,
		"text-and-plan-and-call": `{"role":"assistant","content":"One moment.","tool_plan":"Look it up.","tool_calls":[` +
			`{"id":"w_1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}`,
		"white-space-text": `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}]}`,
		"citations": `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Matz, 1993. More."}],"citations":[` +
			`{"start":0,"end":11,"text":"Matz, 1993.","sources":[` + matz + `,{"type":"document","id":"doc:1","document":{"id":"doc:1","snippet":"In 1993.","url":"https://example.com/ruby"}}],"type":"TEXT_CONTENT","content_index":1}]}`,
		"citation-of-plan": `{"role":"assistant","tool_plan":"As doc:0 says.","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}],` +
			`"citations":[{"start":3,"end":8,"text":"doc:0","sources":[` + matz + `],"type":"PLAN"}]}`,
		// A reply that was cut keeps its text only.
		"stop-length": `{"role":"assistant","content":"a"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, want, sentBack(t, name))
		})
	}
}

// A stored turn whose citations were made to be searched for is sent without them before
// the search takes for ever, and what is no citation is never sent.
func TestForgedCitations(t *testing.T) {
	t.Parallel()
	sent := func(text, citations string) string {
		turn := request.AssistantText(text)
		turn.Data = events.ProviderData{Format: coherewire.Format, Origin: "cohere", Value: `{"citations":[` + citations + `]}`}
		body, err := coherewire.Encode("m", prepared(t, ask(request.UserText("q"), turn)), profile())
		require.NoError(t, err)
		return string(body)
	}
	const cited, absent = `{"text":"end"}`, `{"text":"z"},`
	text := strings.Repeat("aaaa", 1<<18) + " end"
	assert.Contains(t, sent(text, strings.Repeat(absent, 9)+cited), `"citations":[`+cited+`]`, "few are searched for")
	assert.NotContains(t, sent(text, strings.Repeat(absent, 300)+cited), "citations", "many are not")
	assert.Contains(t, sent("the end", `null,7,"end",[],`+cited), `"citations":[`+cited+`]`)
}

// Only what cannot be rebuilt from the turn's own blocks is kept.
func TestDataOnlyWhenNeeded(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"text", "calls-complete", "calls-interleaved", "null-arguments", "content-unknown"} {
		body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
		require.NoError(t, err)
		done, ok := terminal(t, play(t, answered(body))).Completion()
		require.True(t, ok, name)
		assert.Equal(t, events.ProviderData{}, done.Data, name)
	}
}
