package request_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/request"
)

// A notice goes on with what is done; a refusal ends with what is wrong, for nothing is done.
func TestRefusalsTellOfNothingDone(t *testing.T) {
	t.Parallel()
	answer, err := request.NewAnswer("", `{"type":"object"}`)
	require.NoError(t, err)
	search := request.Spec{WebSearch: request.WebSearchSupport{AllowedDomains: request.No}}
	for _, row := range []struct {
		why  string
		spec request.Spec
		req  request.Request
	}{
		{"another effort", request.Spec{Efforts: []request.Effort{request.EffortLow}}, request.Request{Effort: request.EffortMax}},
		{"an effort of a model that does not think", request.Spec{Thinking: request.No}, request.Request{Effort: request.EffortLow}},
		{"a smaller cap", request.Spec{MaxOutput: 10}, request.Request{MaxOutputTokens: 11}},
		{"words for a schema", request.Spec{StructuredAnswer: request.No}, request.Request{Answer: answer}},
		{"no time of an hour", request.Spec{CacheLong: request.No}, request.Request{System: "s", Cache: request.Cache{System: request.CacheLong}}},
		{"no search", search, request.Request{HostedTools: []request.HostedTool{request.SearchWeb(request.WebSearch{AllowedDomains: []string{"a.example"}})}}},
		{"no empty text", request.Spec{}, request.Request{System: " "}},
	} {
		row.req.Messages = []request.Message{request.UserText("q")}
		p, err := row.req.Prepare(request.Target{Spec: row.spec})
		require.NoError(t, err, row.why)
		row.req.Strict = true
		problems := row.req.CheckFor(row.spec)
		require.Len(t, problems, 1, row.why)
		require.Len(t, p.Notices, 1, row.why)
		done, told := strings.CutPrefix(p.Notices[0].Detail, problems[0].String())
		assert.True(t, told, "%s: the same is wrong", row.why)
		assert.NotEmpty(t, done, row.why)
	}
}

// Fields that are left out are told apart, though their notices use the same words.
func TestEachFieldLeftOutIsTold(t *testing.T) {
	t.Parallel()
	search := request.WebSearch{MaxUses: 1, Location: request.Location{City: "Oslo"}}
	req := request.Request{
		Messages: []request.Message{request.UserText("q")}, Cache: request.Cache{Key: "k"},
		HostedTools: []request.HostedTool{request.SearchWeb(search)},
	}
	p, err := req.Prepare(request.Target{Spec: request.Spec{
		CacheKey: request.No, WebSearch: request.WebSearchSupport{MaxUses: request.No, Location: request.No},
	}})
	require.NoError(t, err)
	assert.Len(t, p.Notices, 3)
}
