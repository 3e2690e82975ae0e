package providers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

func geminiOf(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
	return geminiwire.Prepare(r, s, geminiwire.Profile{})
}

func cohereOf(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
	return coherewire.Prepare(r, "m", s, coherewire.Profile{})
}

func ollamaOf(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
	return ollamawire.Prepare(r, "m", s, ollamawire.Profile{})
}

// A web search reaches the provider in its words, with the options that it has, or a
// Notice tells what does not, and a strict request is refused.
func TestWebSearchOfEachFamily(t *testing.T) {
	t.Parallel()
	const place = `{"type":"approximate","city":"Graz","country":"AT"}`
	allowed := request.WebSearch{MaxUses: 3, AllowedDomains: []string{"a.example"}, Location: request.Location{City: "Graz", Country: "AT"}}
	blocked := request.WebSearch{BlockedDomains: []string{"b.example"}}
	located := request.WebSearch{MaxUses: 3, Location: allowed.Location}
	for _, c := range []struct {
		why     string
		prepare preparing
		search  request.WebSearch
		has     string
		notices int
	}{
		{
			why: "Messages", prepare: messages, search: allowed,
			has: `"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":3,"allowed_domains":["a.example"],"user_location":` + place + `}]`,
		},
		{why: "Messages keeps off domains", prepare: messages, search: blocked, has: `"blocked_domains":["b.example"]`},
		{
			why: "Responses", prepare: responsesOf("openai"), search: allowed,
			has: `"tools":[{"type":"web_search","filters":{"allowed_domains":["a.example"]},"user_location":` + place + `}],"max_tool_calls":3`,
		},
		{why: "Responses cannot keep off domains: no search", prepare: responsesOf("openai"), search: blocked, notices: 1},
		{
			why: "OpenRouter", prepare: chatOf("openrouter"), search: allowed,
			has: `"plugins":[{"id":"web","max_uses":3,"include_domains":["a.example"],"user_location":` + place + `}]`,
		},
		{why: "OpenRouter keeps off domains", prepare: chatOf("openrouter"), search: blocked, has: `"exclude_domains":["b.example"]`},
		{
			why: "OpenAI's search models", prepare: chatOf("openai"), search: located, notices: 1,
			has: `"web_search_options":{"user_location":{"type":"approximate","approximate":{"city":"Graz","country":"AT"}}}`,
		},
		{why: "OpenAI's search models cannot be held to domains", prepare: chatOf("openai"), search: allowed, notices: 1},
		{why: "Groq's models have a tool without options", prepare: chatOf("groq"), search: located, has: `"tools":[{"type":"browser_search"}]`, notices: 2},
		{why: "a server that nothing is known of", prepare: chatOf("unheard-of"), search: located, notices: 1},
		{why: "Gemini has no options", prepare: geminiOf, search: located, has: `"tools":[{"googleSearch":{}}]`, notices: 2},
		{why: "Gemini cannot be held to domains: no search", prepare: geminiOf, search: allowed, notices: 1},
		{why: "Converse has the model's own tools alone", prepare: converse, search: located, notices: 1},
		{why: "Cohere has none", prepare: cohereOf, search: located, notices: 1},
		{why: "Ollama has none", prepare: ollamaOf, search: located, notices: 1},
	} {
		r := request.Request{Messages: []request.Message{request.UserText("q")}, HostedTools: []request.HostedTool{request.SearchWeb(c.search)}}
		call, _, err := c.prepare(r, request.Spec{})
		require.NoError(t, err, c.why)
		assert.Contains(t, string(call.Body), c.has, c.why)
		if c.has == "" {
			assert.NotContains(t, string(call.Body), "earch", "%s: nothing is sent", c.why)
		}
		assert.Len(t, call.Notices, c.notices, c.why)
		r.Strict = true
		_, _, err = c.prepare(r, request.Spec{})
		assert.Equal(t, c.notices > 0, err != nil, "%s: strict", c.why)
	}
}

// A tool of the provider's own stands in its list of tools as it was given, beside
// declared ones and alone; another family refuses it.
func TestRawToolOfEachFamily(t *testing.T) {
	t.Parallel()
	for family, c := range map[string]struct {
		prepare preparing
		tool    string
	}{
		"messages":  {messages, `{"type":"code_execution_20250825","name":"code_execution"}`},
		"converse":  {converse, `{"systemTool":{"name":"nova_grounding"}}`},
		"chat":      {chatOf("groq"), `{"type":"browser_search"}`},
		"responses": {responsesOf("openai"), `{"type":"code_interpreter","container":{"type":"auto"}}`},
		"gemini":    {geminiOf, `{"codeExecution":{}}`},
		"cohere":    {cohereOf, ""},
		"ollama":    {ollamaOf, ""},
	} {
		r := cached(t)
		r.Cache = request.Cache{}
		r.Messages[0].Blocks[0].Cache = ""
		r.HostedTools = []request.HostedTool{request.HostedRaw(family, `{"type":"x"}`)}
		if c.tool == "" {
			call, _, err := c.prepare(r, request.Spec{})
			require.NoError(t, err, family)
			assert.Len(t, call.Notices, 1, "%s has no tools of its own", family)
			continue
		}
		r.HostedTools[0].Raw = c.tool
		for _, tools := range [][]request.Tool{r.Tools, nil} {
			r.Tools = tools
			call, _, err := c.prepare(r, request.Spec{})
			require.NoError(t, err, family)
			assert.Contains(t, string(call.Body), c.tool, family)
			assert.Empty(t, call.Notices, family)
		}
		r.HostedTools[0].Family = "elsewhere"
		_, _, err := c.prepare(r, request.Spec{})
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData}, family)
	}
}

// A marker after the tools is on the last of them, a hosted one too.
func TestMarkerAfterHostedTools(t *testing.T) {
	t.Parallel()
	r := request.Request{
		Messages: []request.Message{request.UserText("q")}, Cache: request.Cache{Tools: request.CacheShort},
		HostedTools: []request.HostedTool{request.HostedRaw("messages", `{"type":"x", "name":"x" }`)},
	}
	call, _, err := messages(r, request.Spec{})
	require.NoError(t, err)
	assert.Contains(t, string(call.Body), `"tools":[{"type":"x", "name":"x" ,"cache_control":{"type":"ephemeral"}}]`)
}
