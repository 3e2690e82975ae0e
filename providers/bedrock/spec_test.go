package bedrock_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/request"
)

// An id is known under each of its spellings, and another one under none.
func TestSpecFor(t *testing.T) {
	t.Parallel()
	unknown := bedrock.SpecFor("somebody.something-v1:0", bedrock.Converse)
	assert.Equal(t, request.Spec{Seed: request.No, ParallelTools: request.No}, unknown, "what holds for the whole API")
	assert.Equal(t, request.Spec{Seed: request.No, Audio: request.No, WebSearch: request.WebSearchSupport{Tool: request.No}}, bedrock.SpecFor("x", bedrock.InvokeMessages))
	opus := bedrock.SpecFor("anthropic.claude-opus-4-6-v1", bedrock.Converse)
	assert.Equal(t, 1_000_000, opus.ContextWindow)
	assert.Equal(t, request.Yes, opus.ThinkingBudget)
	assert.Equal(t, request.No, bedrock.SpecFor("global.anthropic.claude-opus-4-7", bedrock.Converse).ThinkingBudget)
	assert.Equal(t, request.Yes, opus.StructuredAnswer)
	assert.Equal(t, request.Unknown, bedrock.SpecFor("anthropic.claude-opus-5-5", bedrock.Converse).StructuredAnswer)
	for _, id := range []string{
		"us.anthropic.claude-opus-4-6-v1", "global.anthropic.claude-opus-4-6-v1:0", "anthropic.claude-opus-4-6", "eu.anthropic.claude-opus-4-6-20260205-v1:0",
		"arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-6-v1", "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1",
	} {
		assert.Equal(t, opus, bedrock.SpecFor(id, bedrock.Converse), id)
	}
	for _, id := range []string{
		"anthropic.claude-opus-4-60-v1", "anthropic.claude-opus-4-6-fast", "claude-opus-4-6", "xx.anthropic.claude-opus-4-6-v1", "",
		"arn:aws:bedrock:us-east-1:1:application-inference-profile/abc",
	} {
		assert.Equal(t, unknown, bedrock.SpecFor(id, bedrock.Converse), id)
	}
	nova := bedrock.SpecFor("us.amazon.nova-2-lite-v1:0", bedrock.Converse)
	assert.Equal(t, []request.Effort{"off", "low", "medium", "high"}, nova.Efforts)
	assert.Equal(t, request.No, bedrock.SpecFor("amazon.nova-lite-v1:0", bedrock.Converse).Thinking)
	assert.Equal(t, []request.Effort{"low", "medium", "high"}, bedrock.SpecFor("openai.gpt-oss-120b-1:0", bedrock.Converse).Efforts)
	assert.Equal(t, request.Yes, bedrock.SpecFor("anthropic.claude-sonnet-4-5-20250929-v1:0", bedrock.InvokeMessages).ThinkingBudget)
}

// Every model that is told to think is told in a way that it takes.
func TestThinking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model  string
		api    bedrock.API
		effort request.Effort
		want   string
	}{
		{"anthropic.claude-sonnet-4-5-20250929-v1:0", bedrock.Converse, "low", `"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":2048}}`},
		{"anthropic.claude-sonnet-4-5-20250929-v1:0", bedrock.InvokeMessages, "low", `"thinking":{"type":"enabled","budget_tokens":2048}`},
		{"anthropic.claude-opus-4-6-v1", bedrock.Converse, "high", `"outputConfig":{"effort":"high"},"additionalModelRequestFields":{"thinking":{"type":"adaptive"}}`},
		{"anthropic.claude-opus-4-6-v1", bedrock.InvokeMessages, "high", `"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}`},
		{"anthropic.claude-opus-4-7", bedrock.Converse, "off", `"outputConfig":{"effort":"low"}`},
		{"amazon.nova-2-lite-v1:0", bedrock.Converse, "max", `"reasoningConfig":{"type":"enabled","maxReasoningEffort":"high"}`},
		{"openai.gpt-oss-20b-1:0", bedrock.Converse, "off", `"reasoning_effort":"low"`},
		{"us.openai.gpt-5.6-terra", bedrock.Converse, "off", `{"reasoning":{"effort":"none"}}`},
		{"global.openai.gpt-6-astra", bedrock.Converse, "xhigh", `{"reasoning":{"effort":"xhigh"}}`},
		{"deepseek.v3.2", bedrock.Converse, "medium", `"reasoning_effort":"high"`},
		{"deepseek.v3-v1:0", bedrock.Converse, "high", `"reasoning_effort":"high"`},
		{"global.anthropic.claude-opus-5-5", bedrock.Converse, "off", `"outputConfig":{"effort":"low"},"additionalModelRequestFields":{"thinking":{"type":"adaptive"}}`},
		{"us.anthropic.claude-sonnet-5", bedrock.InvokeMessages, "off", `"thinking":{"type":"disabled"}`},
		{"somebody.something", bedrock.Converse, "medium", `"outputConfig":{"effort":"medium"}`},
	} {
		answer := ok(hello())
		req := ask()
		req.Effort = c.effort
		drain(model(t, bedrock.Config{Model: c.model, API: c.api}, answer).Stream(t.Context(), req))
		if assert.Len(t, answer.Requests(), 1, c.model) {
			assert.Contains(t, string(answer.Requests()[0].Body), c.want, c.model)
		}
	}
}

// Every effort and budget over the table reaches the model in either language, or what
// comes of it is told and a strict request refused.
func TestEveryEffort(t *testing.T) {
	t.Parallel()
	claudes := []string{
		"anthropic.claude-opus-4-1-20250805-v1:0", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "global.anthropic.claude-haiku-4-5-20251001-v1:0",
		"anthropic.claude-opus-4-5-20251101-v1:0", "anthropic.claude-opus-4-6-v1", "jp.anthropic.claude-sonnet-4-6", "anthropic.claude-opus-4-7",
		"anthropic.claude-opus-5", "eu.anthropic.claude-opus-5-5", "global.anthropic.claude-sonnet-5-5", "global.anthropic.claude-fable-5-1",
	}
	others := []string{
		"us.amazon.nova-2-lite-v1:0", "amazon.nova-lite-v1:0", "openai.gpt-oss-120b-1:0", "openai.gpt-6-sol", "us.deepseek.r1-v1:0", "deepseek.v3-v1:0", "somebody.something-v1:0",
	}
	for _, api := range []bedrock.API{bedrock.Converse, bedrock.InvokeMessages} {
		for _, id := range append(slices.Clone(claudes), others...) {
			if api == bedrock.InvokeMessages && slices.Contains(others, id) {
				continue
			}
			spec := bedrock.SpecFor(id, api)
			for _, effort := range request.Efforts() {
				r := ask()
				r.Effort = effort
				takes := slices.Contains(spec.Efforts, effort)
				switch {
				case spec.Thinking == request.No:
					takes = effort == request.EffortOff
				case spec.Thinking == request.Unknown:
					takes = effort != request.EffortMinimal && effort != request.EffortOff // no words for these
				case spec.Efforts == nil: // a budget; 32,000 tokens are all that Opus 4.1 writes
					takes = api == bedrock.Converse || spec.MaxOutput > 32_000 || effort.Compare(request.EffortHigh) <= 0
				}
				_, told := sentTo(t, id, api, r)
				assert.Equal(t, !takes, told, "%s %s in language %d", id, effort, api)
			}
			r := ask()
			r.ThinkingBudget = new(2000)
			body, told := sentTo(t, id, api, r)
			assert.Equal(t, spec.ThinkingBudget != request.Yes, told, "%s in language %d", id, api)
			assert.Equal(t, !told, strings.Contains(body, `"thinking":{"type":"enabled","budget_tokens":2000}`), id)
		}
	}
}

// sentTo returns the body of a request, and whether anything was left out.
func sentTo(t *testing.T, id string, api bedrock.API, r request.Request) (body string, told bool) {
	t.Helper()
	answer := ok(hello())
	m := model(t, bedrock.Config{Model: id, API: api}, answer)
	for ev := range m.Stream(t.Context(), r) {
		told = told || ev.Kind == events.Notice
	}
	r.Strict = true
	refused := false
	for ev := range m.Stream(t.Context(), r) {
		f, failed := ev.Failure()
		refused = refused || failed && f.Kind == events.InvalidRequest
	}
	assert.Equal(t, told, refused, "%s: strict", id)
	return string(answer.Requests()[0].Body), told
}

// Of the two samplers Claude takes one since Opus 4.1.
func TestOneSampler(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic.claude-opus-4-6-v1"} {
		assert.Equal(t, request.No, bedrock.SpecFor(id, bedrock.Converse).BothSamplers, id)
	}
	assert.Equal(t, request.Unknown, bedrock.SpecFor("amazon.nova-2-lite-v1:0", bedrock.Converse).BothSamplers, "of others nothing is known")
}
