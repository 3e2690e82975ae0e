package messageswire_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

// What a request asks of the thinking is sent, or what is sent instead is told, and a
// strict request is refused before anything is.
func TestPrepareThinking(t *testing.T) {
	t.Parallel()
	forced := func(r *request.Request) {
		r.Tools = []request.Tool{tool(t, "f", "")}
		r.ToolChoice, r.Effort = request.ToolChoice{Mode: request.ToolRequired}, request.EffortHigh
	}
	budget := func(tokens, most int) func(*request.Request) {
		return func(r *request.Request) { r.ThinkingBudget, r.MaxOutputTokens = new(tokens), most }
	}
	effort := func(e request.Effort, most int) func(*request.Request) {
		return func(r *request.Request) { r.Effort, r.MaxOutputTokens = e, most }
	}
	budgeted := messageswire.Profile{Thinking: messageswire.ThinkingBudget}
	for _, c := range []struct {
		why     string
		profile messageswire.Profile
		spec    request.Spec
		ask     func(*request.Request)
		has     string
		told    []events.NoticeCode
	}{
		{why: "an effort", ask: effort("max", 0), has: `"max_tokens":4096,"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}}`},
		{why: "an effort that the wire has no word for", ask: effort("minimal", 0), has: `"output_config":{"effort":"low"}}`, told: clamps(1)},
		{why: "off", ask: effort("off", 0), has: `"max_tokens":4096,"thinking":{"type":"disabled"}}`},
		{why: "minimal, of a model that takes a budget", profile: budgeted, ask: effort("minimal", 0), has: `"max_tokens":5120,"thinking":{"type":"enabled","budget_tokens":1024}}`},
		{why: "an effort that the cap cuts", profile: budgeted, ask: effort("high", 4000), has: `"max_tokens":4000,"thinking":{"type":"enabled","budget_tokens":3999}}`, told: clamps(1)},
		{why: "an effort that the cap leaves no room for", profile: budgeted, ask: effort("high", 1000), has: `"max_tokens":1000}`, told: clamps(1)},
		{why: "a budget below the least", ask: budget(1023, 0), has: `"max_tokens":5119,"thinking":{"type":"enabled","budget_tokens":1024}}`, told: clamps(1)},
		{why: "a budget of all the output", ask: budget(2000, 2000), has: `"budget_tokens":1999}}`, told: clamps(1)},
		{why: "a budget that no number holds with the answer", ask: budget(math.MaxInt, 0), has: `"max_tokens":1073745920,"thinking":{"type":"enabled","budget_tokens":1073745919}}`, told: clamps(1)},
		{
			why: "a budget of more than the model writes", spec: request.Spec{MaxOutput: 3000}, ask: budget(4000, 5000),
			has: `"max_tokens":3000,"thinking":{"type":"enabled","budget_tokens":2999}}`, told: []events.NoticeCode{events.NoticeParameterDropped, events.NoticeEffortClamped},
		},
		{why: "a budget of a model that takes none", spec: request.Spec{ThinkingBudget: request.No}, ask: budget(2000, 5000), has: `"max_tokens":5000}`, told: drops(1)},
		{why: "a forced call", ask: forced, has: `"tool_choice":{"type":"any"},"output_config":{"effort":"high"}}`, told: clamps(1)},
		{why: "a forced call, with a budget", profile: budgeted, ask: forced, has: `"tool_choice":{"type":"any"}}`, told: clamps(1)},
		{why: "sampling", ask: func(r *request.Request) { r.Effort, r.Temperature, r.TopP = "low", new(0.5), new(0.5) }, has: `"output_config":{"effort":"low"}}`, told: drops(2)},
		{why: "sampling of a model that does not think", ask: func(r *request.Request) { r.Temperature, r.TopP = new(0.5), new(0.5) }, has: `"temperature":0.5,"top_p":0.5}`},
	} {
		r := ask(request.UserText("hi"))
		c.ask(&r)
		call, _, err := messageswire.Prepare(r, "m", c.spec, c.profile)
		require.NoError(t, err, c.why)
		assert.Contains(t, string(call.Body), c.has, c.why)
		var codes []events.NoticeCode
		for _, n := range call.Notices {
			codes = append(codes, n.Code)
		}
		assert.Equal(t, c.told, codes, c.why)
		r.Strict = true
		_, _, err = messageswire.Prepare(r, "m", c.spec, c.profile)
		if len(c.told) == 0 {
			require.NoError(t, err, c.why)
		} else {
			require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, c.why)
			f, _ := events.AsFailure(err)
			assert.NotContains(t, f.Detail, ";", "%s: nothing is done", c.why)
		}
	}
}

func clamps(n int) []events.NoticeCode {
	return slices.Repeat([]events.NoticeCode{events.NoticeEffortClamped}, n)
}

func drops(n int) []events.NoticeCode {
	return slices.Repeat([]events.NoticeCode{events.NoticeParameterDropped}, n)
}
