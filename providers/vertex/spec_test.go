package vertex_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/vertex"
	"github.com/weirsdk/weir/request"
)

// An id is known with a version and without, in the language that is its own, and
// another one is not.
func TestSpecFor(t *testing.T) {
	t.Parallel()
	anyGemini, anyClaude := request.Spec{ParallelTools: request.No}, request.Spec{Audio: request.No, Seed: request.No}
	for _, c := range []struct {
		id, why string
		api     vertex.API
		output  int
		budget  request.Support
	}{
		{"gemini-3.8-flash", "levels, and budgets for old clients", vertex.GenerateContent, 65_536, request.Unknown},
		{"publishers/google/models/gemini-3.8-flash", "by its whole name", vertex.GenerateContent, 65_536, request.Unknown},
		{"google/gemini-4-neon", "with its publisher", vertex.GenerateContent, 0, request.No},
		{"publishers/anthropic/models/claude-opus-5-5@20260901", "Claude too", vertex.Messages, 128_000, request.No},
		{"gemini-2.5-flash-lite@default", "budgets", vertex.GenerateContent, 65_536, request.Yes},
		{"claude-sonnet-4-5@20250929", "with its version", vertex.Messages, 64_000, request.Yes},
		{"claude-sonnet-4-5", "without", vertex.Messages, 64_000, request.Yes},
		{"claude-opus-5-5", "no budgets", vertex.Messages, 128_000, request.No},
		{"claude-opus-4-6", "both", vertex.Messages, 128_000, request.Yes},
	} {
		s := vertex.SpecFor(c.id, c.api)
		assert.Equal(t, c.output, s.MaxOutput, "%s: %s", c.id, c.why)
		assert.Equal(t, c.budget, s.ThinkingBudget, "%s: %s", c.id, c.why)
	}
	for _, id := range []string{"endpoints/123", "gemini-3.8-flash-cyber", "claude-opus-5-5", ""} {
		assert.Equal(t, anyGemini, vertex.SpecFor(id, vertex.GenerateContent), id)
	}
	for _, id := range []string{"gemini-3.8-flash", "claude-opus-5-50", "anthropic.claude-opus-5-5", ""} {
		assert.Equal(t, anyClaude, vertex.SpecFor(id, vertex.Messages), id)
	}
}

// Every model that is told to think is told in a way that it takes.
func TestThinking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model  string
		api    vertex.API
		effort request.Effort
		want   string
		notice bool
	}{
		{"gemini-2.5-flash", vertex.GenerateContent, "off", `"thinkingConfig":{"thinkingBudget":0}`, false},
		{"gemini-2.5-pro", vertex.GenerateContent, "max", `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":32768}`, false},
		{"gemini-2.5-pro", vertex.GenerateContent, "off", `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":1024}`, true},
		{"gemini-3.8-flash", vertex.GenerateContent, "minimal", `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"low"}`, true},
		{"gemini-3.6-flash", vertex.GenerateContent, "minimal", `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"minimal"}`, false},
		{"gemini-next", vertex.GenerateContent, "high", `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"high"}`, false},
		{"claude-haiku-4-5@20251001", vertex.Messages, "low", `"thinking":{"type":"enabled","budget_tokens":2048}`, false},
		{"claude-opus-4-5", vertex.Messages, "high", `"max_tokens":64000,"output_config":{"effort":"high"}`, false},
		{"claude-opus-4-6", vertex.Messages, "max", `"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}`, false},
		{"claude-opus-4-8", vertex.Messages, "off", `"thinking":{"type":"disabled"}`, false},
		{"claude-sonnet-5-5", vertex.Messages, "off", `"output_config":{"effort":"low"}`, true},
	} {
		rt := ok(geminiReply)
		r := ask()
		r.Effort = c.effort
		evs := slices.Collect(model(t, vertex.Config{Model: c.model, API: c.api}, rt).Stream(t.Context(), r))
		require.Len(t, rt.Requests(), 1, c.model)
		assert.Contains(t, string(rt.Requests()[0].Body), c.want, c.model)
		told := slices.ContainsFunc(evs, func(e events.Event) bool {
			n, isNotice := e.Notice()
			return isNotice && n.Code == events.NoticeEffortClamped
		})
		assert.Equal(t, c.notice, told, "%s %s", c.model, c.effort)
	}
}

// The tables are nobody's to change.
func TestSpecIsACopy(t *testing.T) {
	t.Parallel()
	for id, api := range map[string]vertex.API{"gemini-3.8-flash": vertex.GenerateContent, "claude-opus-5-5": vertex.Messages} {
		vertex.SpecFor(id, api).Efforts[0] = "x"
		assert.Equal(t, request.EffortLow, vertex.SpecFor(id, api).Efforts[0])
	}
}

// Of the two samplers Claude takes one since Opus 4.1.
func TestOneSampler(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"claude-sonnet-4-5@20250929", "claude-opus-4-6"} {
		assert.Equal(t, request.No, vertex.SpecFor(id, vertex.Messages).BothSamplers, id)
	}
	assert.Equal(t, request.Unknown, vertex.SpecFor("somebody-elses", vertex.Messages).BothSamplers, "of others nothing is known")
}
