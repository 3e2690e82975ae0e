package vertex_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/vertex"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A web search of Claude's names its beta, beside those of the config and once.
func TestSearchNamesItsBeta(t *testing.T) {
	t.Parallel()
	const beta = "web-search-2025-03-05"
	search := []request.HostedTool{request.SearchWeb(request.WebSearch{})}
	for _, c := range []struct {
		why    string
		config vertex.Config
		tools  []request.HostedTool
		want   string
	}{
		{why: "a search", config: vertex.Config{API: vertex.Messages}, tools: search, want: beta},
		{why: "a raw search", config: vertex.Config{API: vertex.Messages}, tools: []request.HostedTool{request.HostedRaw("messages", `{"type":"web_search_20260209","name":"web_search"}`)}, want: beta},
		{why: "beside others", config: vertex.Config{API: vertex.Messages, Beta: []string{"a-1", "b-2"}}, tools: search, want: "a-1,b-2," + beta},
		{why: "named already", config: vertex.Config{API: vertex.Messages, Beta: []string{beta, "b-2"}}, tools: search, want: beta + ",b-2"},
		{why: "another tool", config: vertex.Config{API: vertex.Messages}, tools: []request.HostedTool{request.HostedRaw("messages", `{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"}`)}},
		{why: "no tool", config: vertex.Config{API: vertex.Messages}},
		{why: "Google's search", config: vertex.Config{API: vertex.GenerateContent}, tools: search},
	} {
		rt := ok(claudeReply)
		if c.config.API == vertex.GenerateContent {
			rt = ok(geminiReply)
		}
		m := model(t, c.config, rt)
		r := ask()
		r.HostedTools = c.tools
		_, err := stream.Collect(m.Stream(t.Context(), r))
		require.NoError(t, err, c.why)
		assert.Equal(t, c.want, rt.Requests()[0].Header.Get("Anthropic-Beta"), c.why)
		r.HostedTools = nil
		_, err = stream.Collect(m.Stream(t.Context(), r))
		require.NoError(t, err, c.why)
		assert.Equal(t, len(c.config.Beta) > 0, rt.Requests()[1].Header.Get("Anthropic-Beta") != "", "%s: the next request has none of it", c.why)
	}
}

// Claude is sent no address: Vertex AI fetches nothing for it.
func TestClaudeTakesNoURLs(t *testing.T) {
	t.Parallel()
	rt := ok(claudeReply)
	m := model(t, vertex.Config{API: vertex.Messages}, rt)
	for _, b := range []request.Block{request.ImageURL("https://example.com/a.png"), request.FileURL("a", "application/pdf", "https://example.com/a.pdf")} {
		_, err := stream.Collect(m.Stream(t.Context(), request.Request{Messages: []request.Message{request.User(b)}}))
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
	}
	assert.Empty(t, rt.Requests())
}

// Every effort and budget over the table reaches Claude, or what comes of it is told and
// a strict request refused.
func TestClaudeThinking(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"claude-opus-4-1@20250805", "claude-sonnet-4-5@20250929", "claude-haiku-4-5", "claude-opus-4-5@20251101", "claude-opus-4-6", "claude-sonnet-4-6",
		"claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5", "claude-haiku-5-5", "claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5",
		"claude-fable-5-1", "claude-next",
	} {
		spec := vertex.SpecFor(id, vertex.Messages)
		bodies := map[string]bool{}
		for _, effort := range request.Efforts() {
			r := ask()
			r.Effort = effort
			body, told := sentTo(t, id, r)
			takes := len(spec.Efforts) == 0 || slices.Contains(spec.Efforts, effort)
			switch {
			case id == "claude-next":
				takes = effort != request.EffortMinimal // the wire has no word for it
			case spec.MaxOutput == 32_000:
				takes = effort.Compare(request.EffortHigh) <= 0 // a budget of 32,000 is all that it writes
			}
			assert.Equal(t, !takes, told, "%s %s", id, effort)
			bodies[body] = true
		}
		assert.Greater(t, len(bodies), 3, id)
		r := ask()
		r.ThinkingBudget = new(2000)
		body, told := sentTo(t, id, r)
		assert.Equal(t, spec.ThinkingBudget == request.No, told, id)
		if !told {
			assert.Contains(t, body, `"thinking":{"type":"enabled","budget_tokens":2000}`, id)
		}
	}
}

// sentTo returns the body of a request to Claude, and whether anything was left out.
func sentTo(t *testing.T, id string, r request.Request) (body string, told bool) {
	t.Helper()
	rt := ok(claudeReply)
	m := model(t, vertex.Config{API: vertex.Messages, Model: id}, rt)
	reply, err := stream.Collect(m.Stream(t.Context(), r))
	require.NoError(t, err, id)
	told = len(reply.Notices()) > 0
	r.Strict = true
	_, err = stream.Collect(m.Stream(t.Context(), r))
	assert.Equal(t, told, err != nil, "%s: strict", id)
	return string(rt.Requests()[0].Body), told
}
