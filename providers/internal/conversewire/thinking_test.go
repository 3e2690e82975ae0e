package conversewire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/request"
)

// What a request asks of the thinking is sent, or what is sent instead is told, and a
// strict request is refused before anything is.
func TestPrepareThinking(t *testing.T) {
	t.Parallel()
	const (
		alone, adaptive, budget = conversewire.ThinkingEffort, conversewire.ThinkingAdaptive, conversewire.ThinkingBudget
		nova, flat, nested      = conversewire.ReasoningConfig, conversewire.ReasoningEffort, conversewire.Reasoning
		clamped, dropped        = events.NoticeEffortClamped, events.NoticeParameterDropped
		nothing                 = `"content":[{"text":"hi"}]}]}`
	)
	required := request.ToolChoice{Mode: request.ToolRequired}
	for _, c := range []struct {
		why      string
		thinking conversewire.Thinking
		spec     request.Spec
		request  request.Request
		has      string
		told     []events.NoticeCode
	}{
		{why: "the wire's own word", thinking: alone, request: request.Request{Effort: "max"}, has: `"outputConfig":{"effort":"max"}}`},
		{why: "a word that the wire does not have", thinking: alone, request: request.Request{Effort: "minimal"}, has: `"outputConfig":{"effort":"low"}}`, told: []events.NoticeCode{clamped}},
		{why: "off, where there is no word for it", thinking: alone, request: request.Request{Effort: "off"}, has: nothing, told: []events.NoticeCode{dropped}},
		{why: "a number where words are wanted", thinking: alone, request: request.Request{ThinkingBudget: new(2000)}, has: nothing, told: []events.NoticeCode{dropped}},
		{why: "a word beside sampling, of a model of which nothing is known", thinking: alone, request: request.Request{Effort: "low", Temperature: new(0.5)}, has: `"temperature":0.5},"outputConfig":{"effort":"low"}}`},
		{why: "adaptive", thinking: adaptive, request: request.Request{Effort: "xhigh"}, has: `"outputConfig":{"effort":"xhigh"},"additionalModelRequestFields":{"thinking":{"type":"adaptive"}}}`},
		{why: "adaptive, minimal", thinking: adaptive, request: request.Request{Effort: "minimal"}, has: `"effort":"low"}`, told: []events.NoticeCode{clamped}},
		{why: "adaptive, off", thinking: adaptive, request: request.Request{Effort: "off"}, has: `"additionalModelRequestFields":{"thinking":{"type":"disabled"}}}`},
		{why: "adaptive, a number", thinking: adaptive, request: request.Request{ThinkingBudget: new(2000)}, has: `{"thinking":{"type":"enabled","budget_tokens":2000}}}`},
		{why: "adaptive, a number of a model that takes none", thinking: adaptive, spec: request.Spec{ThinkingBudget: request.No}, request: request.Request{ThinkingBudget: new(2000)}, has: nothing, told: []events.NoticeCode{dropped}},
		{why: "adaptive, sampling", thinking: adaptive, request: request.Request{Effort: "low", Temperature: new(0.5), TopP: new(0.5)}, has: `"outputConfig":{"effort":"low"}`, told: []events.NoticeCode{dropped, dropped}},
		{why: "adaptive, a forced call", thinking: adaptive, request: request.Request{Effort: "low", ToolChoice: required}, has: `"toolChoice":{"any":{}}},"outputConfig":{"effort":"low"}}`, told: []events.NoticeCode{clamped}},
		{why: "a number where a number is wanted", thinking: budget, request: request.Request{ThinkingBudget: new(2000)}, has: `"budget_tokens":2000}`},
		{why: "a number below the least", thinking: budget, request: request.Request{ThinkingBudget: new(1023)}, has: `"budget_tokens":1024}`, told: []events.NoticeCode{clamped}},
		{why: "a number of all the output", thinking: budget, request: request.Request{ThinkingBudget: new(2000), MaxOutputTokens: 2000}, has: `"budget_tokens":1999}`, told: []events.NoticeCode{clamped}},
		{why: "an effort as a number", thinking: budget, request: request.Request{Effort: "medium"}, has: `"budget_tokens":8192}`},
		{why: "an effort that the cap cuts", thinking: budget, request: request.Request{Effort: "medium", MaxOutputTokens: 5000}, has: `"budget_tokens":4999}`, told: []events.NoticeCode{clamped}},
		{why: "an effort that the cap leaves no room for", thinking: budget, request: request.Request{Effort: "medium", MaxOutputTokens: 1000}, has: `"inferenceConfig":{"maxTokens":1000}}`, told: []events.NoticeCode{clamped}},
		{why: "Nova, high", thinking: nova, request: request.Request{Effort: "high"}, has: `{"reasoningConfig":{"type":"enabled","maxReasoningEffort":"high"}}}`},
		{why: "Nova, high under a cap", thinking: nova, request: request.Request{Effort: "high", MaxOutputTokens: 900, Temperature: new(0.5)}, has: `"inferenceConfig":{"maxTokens":900,"temperature":0.5},"additionalModelRequestFields":{"reasoningConfig":{"type":"enabled","maxReasoningEffort":"medium"}}}`, told: []events.NoticeCode{clamped}},
		{why: "Nova, high beside sampling", thinking: nova, request: request.Request{Effort: "high", Temperature: new(0.5), TopP: new(0.5)}, has: `]}],"additionalModelRequestFields":{"reasoningConfig":{"type":"enabled","maxReasoningEffort":"high"}}}`, told: []events.NoticeCode{dropped, dropped}},
		{why: "Nova, medium beside both", thinking: nova, request: request.Request{Effort: "medium", MaxOutputTokens: 900, TopP: new(0.5)}, has: `"inferenceConfig":{"maxTokens":900,"topP":0.5}`},
		{why: "Nova, off", thinking: nova, request: request.Request{Effort: "off", Temperature: new(0.5)}, has: `"inferenceConfig":{"temperature":0.5},"additionalModelRequestFields":{"reasoningConfig":{"type":"disabled"}}}`},
		{why: "Nova, a number", thinking: nova, request: request.Request{ThinkingBudget: new(2000)}, has: nothing, told: []events.NoticeCode{dropped}},
		{why: "the flat word", thinking: flat, request: request.Request{Effort: "high"}, has: `"additionalModelRequestFields":{"reasoning_effort":"high"}}`},
		{why: "the flat word, off: nothing said is off", thinking: flat, request: request.Request{Effort: "off"}, has: nothing},
		{why: "the nested word", thinking: nested, request: request.Request{Effort: "max"}, has: `"additionalModelRequestFields":{"reasoning":{"effort":"max"}}}`},
		{why: "the nested word, off", thinking: nested, request: request.Request{Effort: "off"}, has: `{"reasoning":{"effort":"none"}}}`},
		{why: "a nested number", thinking: nested, request: request.Request{ThinkingBudget: new(2000)}, has: nothing, told: []events.NoticeCode{dropped}},
	} {
		r := c.request
		r.Messages = []request.Message{request.UserText("hi")}
		if r.ToolChoice != (request.ToolChoice{}) {
			r.Tools = []request.Tool{tool(t, "f", "")}
		}
		profile := conversewire.Profile{Thinking: c.thinking}
		call, _, err := conversewire.Prepare(r, c.spec, profile)
		require.NoError(t, err, c.why)
		assert.Contains(t, string(call.Body), c.has, c.why)
		var codes []events.NoticeCode
		for _, n := range call.Notices {
			codes = append(codes, n.Code)
		}
		assert.Equal(t, c.told, codes, c.why)
		r.Strict = true
		_, _, err = conversewire.Prepare(r, c.spec, profile)
		if len(c.told) == 0 {
			require.NoError(t, err, c.why)
		} else {
			require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, c.why)
			f, _ := events.AsFailure(err)
			assert.NotContains(t, f.Detail, ";", "%s: nothing is done", c.why)
		}
	}
}
