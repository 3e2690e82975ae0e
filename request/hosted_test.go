package request_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func searching(s request.WebSearch, more ...request.HostedTool) request.Request {
	return request.Request{
		Messages:    []request.Message{request.UserText("q")},
		HostedTools: append([]request.HostedTool{request.SearchWeb(s)}, more...),
	}
}

func TestHostedToolsProblems(t *testing.T) {
	t.Parallel()
	raw := func(tool string) request.Request {
		return request.Request{Messages: []request.Message{request.UserText("q")}, HostedTools: []request.HostedTool{request.HostedRaw("chat", tool)}}
	}
	named := searching(request.WebSearch{})
	named.Tools = []request.Tool{mustTool(t, "web_search", citySchema)}
	for _, c := range []struct {
		why    string
		r      request.Request
		reason events.Reason
	}{
		{"neither", request.Request{Messages: named.Messages, HostedTools: make([]request.HostedTool, 1)}, events.ReasonBadTool},
		{"not JSON", raw(`{`), events.ReasonBadTool},
		{"empty", raw(`{}`), events.ReasonBadTool},
		{"a function by another way", raw(`{"type":"function","function":{"name":"f"}}`), events.ReasonBadTool},
		{"a function by another way, of Gemini", raw(`{"function_declarations":[]}`), events.ReasonBadTool},
		{"a function by another way, of Anthropic", raw(`{"name":"f","input_schema":{}}`), events.ReasonBadTool},
		{"two searches", searching(request.WebSearch{}, request.SearchWeb(request.WebSearch{})), events.ReasonBadTool},
		{"less than none", searching(request.WebSearch{MaxUses: -1}), events.ReasonBadParameter},
		{"both lists", searching(request.WebSearch{AllowedDomains: []string{"a.example"}, BlockedDomains: []string{"b.example"}}), events.ReasonBadParameter},
		{"an address", searching(request.WebSearch{AllowedDomains: []string{"https://a.example"}}), events.ReasonBadParameter},
		{"no domain", searching(request.WebSearch{BlockedDomains: []string{""}}), events.ReasonBadParameter},
		{"the name is taken", named, events.ReasonBadParameter},
	} {
		problems := c.r.CheckFor(request.Spec{})
		if assert.NotEmpty(t, problems, c.why) {
			assert.Equal(t, c.reason, problems[0].Reason, c.why)
		}
	}
}

func TestHostedToolsLeftOut(t *testing.T) {
	t.Parallel()
	all := request.WebSearch{MaxUses: 3, AllowedDomains: []string{"a.example"}, Location: request.Location{City: "Graz"}}
	for _, c := range []struct {
		why     string
		can     request.WebSearchSupport
		without string
		choice  request.ToolMode
		want    *request.WebSearch
		notices int
	}{
		{why: "nothing known refuses nothing", want: &all},
		{why: "no search", can: request.WebSearchSupport{Tool: request.No}, notices: 1},
		{why: "a search that cannot be held to domains might go anywhere", can: request.WebSearchSupport{AllowedDomains: request.No}, notices: 1},
		{
			why: "other options are not worth the search", can: request.WebSearchSupport{MaxUses: request.No, Location: request.No},
			want: &request.WebSearch{AllowedDomains: all.AllowedDomains}, notices: 2,
		},
		{why: "refused before", without: request.FeatureWebSearch, notices: 1},
		{why: "all tools were refused before", without: request.FeatureTools, notices: 1},
		{why: "no tool may be used", choice: request.ToolNone},
	} {
		r := searching(all)
		r.ToolChoice.Mode = c.choice
		if c.without != "" {
			r.Options.Without = []string{c.without}
		}
		target := request.Target{Spec: request.Spec{WebSearch: c.can}, Format: "chat.v1"}
		p, err := r.Prepare(target)
		require.NoError(t, err, c.why)
		assert.Len(t, p.Notices, c.notices, c.why)
		if c.want == nil {
			assert.Empty(t, p.Request.HostedTools, c.why)
		} else if assert.Len(t, p.Request.HostedTools, 1, c.why) {
			assert.Equal(t, *c.want, *p.Request.HostedTools[0].WebSearch, c.why)
		}
		r.Strict = true
		_, err = r.Prepare(target)
		assert.Equal(t, c.notices > 0, err != nil, "%s: strict", c.why)
	}
}

// A raw tool is for one family: another refuses it, or drops it when told to.
func TestHostedRawIsOfOneFamily(t *testing.T) {
	t.Parallel()
	r := request.Request{Messages: []request.Message{request.UserText("q")}, HostedTools: []request.HostedTool{request.HostedRaw("gemini", `{"codeExecution":{}}`)}}
	p, err := r.Prepare(request.Target{Format: "gemini.v1"})
	require.NoError(t, err)
	assert.Equal(t, r.HostedTools, p.Request.HostedTools)
	_, err = r.Prepare(request.Target{Format: "chat.v1"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData})
	r.Foreign = request.ForeignDrop
	p, err = r.Prepare(request.Target{Format: "chat.v1"})
	require.NoError(t, err)
	assert.Empty(t, p.Request.HostedTools)
	require.Len(t, p.Notices, 1)
	assert.Equal(t, events.NoticeForeignDropped, p.Notices[0].Code)
}

func TestHostedToolsJSON(t *testing.T) {
	t.Parallel()
	const text = `{"hosted_tools":[{"allowed_domains":["a.example"],"location":{"city":"Graz","country":"AT"},"max_uses":2,"type":"web_search"},` +
		`{"family":"gemini","tool":{"codeExecution":{}},"type":"raw"}],"messages":[]}`
	r, err := request.Parse([]byte(text))
	require.NoError(t, err)
	got, err := r.Canonical()
	require.NoError(t, err)
	assert.Equal(t, text, string(got))
	for _, bad := range []string{
		`{"hosted_tools":[{"type":"web_search","family":"chat"}]}`, `{"hosted_tools":[{"type":"raw","max_uses":1}]}`,
		`{"hosted_tools":[{"type":"x"}]}`, `{"hosted_tools":[{"type":"web_search","query":"x"}]}`,
	} {
		_, err := request.Parse([]byte(bad))
		assert.Error(t, err, bad)
	}
	plain := request.Request{}
	assert.Equal(t, plain.EstimateInputTokens()+2*request.EstimatedSearch, searchOnly(2)-searchText(t, 2), "as many as may be used")
	assert.Equal(t, plain.EstimateInputTokens()+request.EstimatedSearches*request.EstimatedSearch, searchOnly(0)-searchText(t, 0), "a guess where nothing bounds them")
}

func searchOnly(uses int) int64 {
	return request.Request{HostedTools: []request.HostedTool{request.SearchWeb(request.WebSearch{MaxUses: uses})}}.EstimateInputTokens()
}

// searchText is what the words of the request count for beside an empty one.
func searchText(t *testing.T, uses int) int64 {
	t.Helper()
	with, err := request.Request{HostedTools: []request.HostedTool{request.SearchWeb(request.WebSearch{MaxUses: uses})}}.Canonical()
	require.NoError(t, err)
	without, err := request.Request{}.Canonical()
	require.NoError(t, err)
	return int64(len(with)/3 - len(without)/3)
}
