package chatwire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// TestToolsOfGroq: the tools that Groq runs are tools of the list for its models, and
// names for its compound systems, which take no others.
func TestToolsOfGroq(t *testing.T) {
	t.Parallel()
	search := request.SearchWeb(request.WebSearch{})
	code := request.HostedRaw("chat", `{ "type": "code_interpreter" }`)
	mcp := request.HostedRaw("chat", `{"type":"mcp","server_label":"a"}`)
	domains := request.SearchWeb(request.WebSearch{AllowedDomains: []string{"a.example"}})
	for _, c := range []struct {
		why, model string
		tools      []request.HostedTool
		has, not   string
		notices    int
	}{
		{"nothing is asked for", "groq/compound", nil, `"stream":true`, "compound_custom", 0},
		{"a model searches by a tool", "openai/gpt-oss-120b", []request.HostedTool{search}, `"tools":[{"type":"browser_search"}]`, "compound_custom", 0},
		{"raw tools stand beside it", "openai/gpt-oss-20b", []request.HostedTool{search, code}, `"tools":[{"type":"browser_search"},{ "type": "code_interpreter" }]`, "compound_custom", 0},
		{"a model cannot be held to domains", "openai/gpt-oss-120b", []request.HostedTool{domains}, `"stream":true`, "browser", 1},
		{"nor to a number or a place", "openai/gpt-oss-120b", []request.HostedTool{request.SearchWeb(request.WebSearch{MaxUses: 2, Location: request.Location{City: "Graz"}})}, `{"type":"browser_search"}`, "Graz", 2},
		{"a system has names", "groq/compound", []request.HostedTool{search, code}, `"compound_custom":{"tools":{"enabled_tools":["web_search","code_interpreter"]}}`, `"tools":[`, 0},
		{"by its short name too", "compound-beta", []request.HostedTool{code}, `"compound_custom":{"tools":{"enabled_tools":["code_interpreter"]}}`, "web_search", 0},
		{"a system is held to domains", "groq/compound-mini", []request.HostedTool{domains}, `"search_settings":{"include_domains":["a.example"]},"compound_custom":{"tools":{"enabled_tools":["web_search"]}}`, `"tools":[`, 0},
		{"and kept off them", "groq/compound", []request.HostedTool{request.SearchWeb(request.WebSearch{BlockedDomains: []string{"b.example"}})}, `"search_settings":{"exclude_domains":["b.example"]}`, "include_domains", 0},
		{"what is more than a name is a tool", "groq/compound", []request.HostedTool{mcp}, `"tools":[{"type":"mcp","server_label":"a"}]`, "compound_custom", 0},
		{"no number of searches, no place", "groq/compound", []request.HostedTool{request.SearchWeb(request.WebSearch{MaxUses: 2, Location: request.Location{City: "Graz"}})}, "web_search", "Graz", 2},
	} {
		r := request.Request{Messages: []request.Message{request.UserText("q")}, HostedTools: c.tools}
		call, _, err := chatwire.Prepare(r, c.model, request.Spec{}, chatwire.ProfileFor("groq"))
		require.NoError(t, err, c.why)
		assert.Contains(t, string(call.Body), c.has, c.why)
		assert.NotContains(t, string(call.Body), c.not, c.why)
		assert.Len(t, call.Notices, c.notices, c.why)
		r.Strict = true
		_, _, err = chatwire.Prepare(r, c.model, request.Spec{}, chatwire.ProfileFor("groq"))
		assert.Equal(t, c.notices > 0, err != nil, "%s: strict", c.why)
	}
	r := request.Request{
		Messages: []request.Message{request.UserText("q")}, HostedTools: []request.HostedTool{search},
		Extra: map[string]string{"chat": `{"compound_custom":{"tools":{"wolfram_settings":{"authorization":"w"}}}}`},
	}
	call, _, err := chatwire.Prepare(r, "groq/compound", request.Spec{}, chatwire.ProfileFor("groq"))
	require.NoError(t, err)
	assert.Contains(t, string(call.Body), `"compound_custom":{"tools":{"enabled_tools":["web_search"],"wolfram_settings":{"authorization":"w"}}}`, "Extra is merged into it")
	r.HostedTools = []request.HostedTool{request.HostedRaw("responses", `{"type":"x"}`)}
	_, _, err = chatwire.Prepare(r, "groq/compound", request.Spec{}, chatwire.ProfileFor("groq"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData})
}
