package chatwire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// TestReplay: what an earlier answer looks like in the next request, with the data that
// came with it and the text that may have been changed since.
func TestReplay(t *testing.T) {
	t.Parallel()
	const thought = `{"type":"thinking","thinking":[{"type":"text","text":"\u00e9"}],"closed":true}`
	const source = `{"type":"reference","reference_ids":[0]}`
	for _, c := range []struct{ why, vendor, text, data, want string }{
		{"text alone stays a string", "mistral", "Hello", ``, `"content":"Hello"`},
		{"parts with text between", "mistral", "Né.", `{"content":[` + thought + `,3,` + source + `,1]}`, `"content":[` + thought + `,{"type":"text","text":"Né"},` + source + `,{"type":"text","text":"."}]`},
		{"a changed text stands whole where it began", "mistral", "Longer", `{"content":[` + thought + `,3,` + source + `,1]}`, `"content":[` + thought + `,{"type":"text","text":"Longer"},` + source + `]`},
		{"so does one that would be cut within a character", "mistral", "aéb", `{"content":[` + thought + `,2,` + source + `,2]}`, `"content":[` + thought + `,{"type":"text","text":"aéb"},` + source + `]`},
		{"or after all parts where it is new", "mistral", "New", `{"content":[` + thought + `]}`, `"content":[` + thought + `,{"type":"text","text":"New"}]`},
		{"other members follow", "mistral", "a", `{"content":[` + source + `,1],"x":1.0}`, `"content":[` + source + `,{"type":"text","text":"a"}],"x":1.0`},
		{"speech goes back by its id, and its words with it", "openai", "Hello", `{"audio":{"id":"audio_1"}}`, `"content":null,"audio":{"id":"audio_1"}`},
	} {
		m := request.AssistantText(c.text)
		if c.data != "" {
			m.Data = events.ProviderData{Format: chatwire.Format, Origin: c.vendor, Value: c.data}
		}
		call, _, err := chatwire.Prepare(request.Request{
			Messages: []request.Message{request.UserText("q"), m, request.UserText("go on")},
		}, "m", request.Spec{}, chatwire.ProfileFor(c.vendor))
		require.NoError(t, err, c.why)
		assert.Contains(t, string(call.Body), `{"role":"assistant",`+c.want+`}`, c.why)
	}
	m := request.AssistantText("a")
	m.Data = events.ProviderData{Format: chatwire.Format, Origin: "deepseek", Value: `{"content":[1]}`}
	_, _, err := chatwire.Prepare(request.Request{
		Messages: []request.Message{request.UserText("q"), m, request.UserText("go on")},
	}, "m", request.Spec{}, chatwire.ProfileFor("deepseek"))
	require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData}, "parts where nobody asks for them")
	for why, data := range map[string]string{
		"content that is no list":        `{"content":"x"}`,
		"an empty list":                  `{"content":[]}`,
		"a text among the parts":         `{"content":["x"]}`,
		"a part of text without a size":  `{"content":[0]}`,
		"one of a size that is negative": `{"content":[-1]}`,
		"one that is no whole number":    `{"content":[1.5]}`,
		"a null":                         `{"content":[null]}`,
		"a role":                         `{"role":"system"}`,
		"calls":                          `{"content":[1],"tool_calls":[]}`,
	} {
		m := request.AssistantText("a")
		m.Data = events.ProviderData{Format: chatwire.Format, Origin: "mistral", Value: data}
		_, _, err := chatwire.Prepare(request.Request{
			Messages: []request.Message{request.UserText("q"), m, request.UserText("go on")},
		}, "m", request.Spec{}, chatwire.ProfileFor("mistral"))
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData}, why)
	}
}

// A user's message follows results directly, but where that is refused.
func TestAssistantAfterTools(t *testing.T) {
	t.Parallel()
	call := request.Assistant(request.Call(events.ToolCall{ID: "t1", Name: "f", Arguments: "{}"}))
	results := request.Results(request.Result("t1", "ok"))
	for _, c := range []struct {
		why, vendor string
		messages    []request.Message
		want        string
	}{
		{"elsewhere", "openai", []request.Message{request.UserText("q"), call, results, request.UserText("and?")}, `"content":"ok"},{"role":"user","content":"and?"}]`},
		{"Mistral", "mistral", []request.Message{request.UserText("q"), call, results, request.UserText("and?")}, `"content":"ok"},{"role":"assistant","content":"OK"},{"role":"user","content":"and?"}]`},
		{"the answer is next", "mistral", []request.Message{request.UserText("q"), call, results}, `"content":"ok"}]`},
		{"the answer is there", "mistral", []request.Message{request.UserText("q"), call, results, request.AssistantText("So."), request.UserText("and?")}, `"content":"ok"},{"role":"assistant","content":"So."},{"role":"user","content":"and?"}]`},
	} {
		sent, _, err := chatwire.Prepare(request.Request{Messages: c.messages}, "m", request.Spec{}, chatwire.ProfileFor(c.vendor))
		require.NoError(t, err, c.why)
		assert.Contains(t, string(sent.Body), c.want, c.why)
	}
}
