package bedrock_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/request"
)

// An id is known under each of its spellings, and another one under none.
func TestSpecFor(t *testing.T) {
	t.Parallel()
	unknown := bedrock.SpecFor("somebody.something-v1:0", bedrock.Converse)
	assert.Equal(t, request.Spec{Seed: request.No, ParallelTools: request.No}, unknown, "what holds for the whole API")
	assert.Equal(t, request.Spec{Seed: request.No, Audio: request.No}, bedrock.SpecFor("x", bedrock.InvokeMessages))
	opus := bedrock.SpecFor("anthropic.claude-opus-4-6-v1", bedrock.Converse)
	assert.Equal(t, 1_000_000, opus.ContextWindow)
	assert.Equal(t, request.No, opus.ThinkingBudget)
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
