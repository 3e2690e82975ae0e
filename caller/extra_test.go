package caller_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// What a run reserves is the cap of the request; extras may not reach around it.
func TestExtrasUnderLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, extra string
		refused    bool
	}{
		{"the cap of Chat Completions", `{"max_completion_tokens":100000}`, true},
		{"its older name", `{"max_tokens":100000}`, true},
		{"in another case", `{"MAX_Completion_Tokens":100000}`, true},
		{"escaped", `{"max_\u0074okens":100000}`, true},
		{"deeper, Ollama's", `{"options":{"num_predict":100000}}`, true},
		{"Gemini's", `{"generationConfig":{"maxOutputTokens":100000}}`, true},
		{"several replies at once", `{"n":8}`, true},
		{"other models", `{"models":["dearer"]}`, true},
		{"in a list", `{"routes":[{"max_tokens":100000}]}`, true},
		{"anything else", `{"logit_bias":{"1":2},"user":"ann"}`, false},
	} {
		for _, limits := range []caller.Limits{{MaxCost: 1e6}, {MaxTotalTokens: 1e6}, {MaxOutputTokensPerCall: 100}, {MaxCalls: 9}} {
			model := newScript(says("a", 1, 1))
			c := caller.New(model, caller.Config{Prices: prices()})
			run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: limits})
			require.NoError(t, err)
			req := ask("hi")
			req.Extra = map[string]string{"chat": tt.extra}
			_, err = c.Generate(caller.WithRun(t.Context(), run), req)
			if tt.refused && limits.MaxCalls == 0 {
				assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, tt.why)
				assert.Empty(t, model.seen(), tt.why)
				continue
			}
			require.NoError(t, err, "%s: nothing is limited that it could reach around", tt.why)
		}
	}
}

// A service tier that a request names has to be in the price.
func TestServiceTierOfExtras(t *testing.T) {
	t.Parallel()
	table := price.Table{"test:m": {
		Input: price.PerMillion(1_000_000), Output: price.PerMillion(1_000_000),
		Service: map[string]price.Multiplier{"flex": {Num: 1, Den: 2}, "priority": {Num: 2, Den: 1}},
	}}
	for _, tt := range []struct {
		why, extra string
		half       int64 // how many halves of the price are reserved
		priced     bool
	}{
		{"none named", `{}`, 2, true},
		{"the ordinary one", `{"service_tier":"default"}`, 2, true},
		{"half", `{"service_tier":"flex"}`, 1, true},
		{"double", `{"service_tier":"priority"}`, 4, true},
		{"escaped", `{"service\u005ftier":"priority"}`, 4, true},
		{"the account decides: the dearest", `{"service_tier":"auto"}`, 4, true},
		{"one without a price", `{"service_tier":"warp"}`, 0, false},
	} {
		books := memory.New(memory.Options{})
		c := caller.New(newScript(says("a", 1, 1)), caller.Config{Ledger: books, Prices: table})
		req := ask("hi")
		req.Extra = map[string]string{"chat": tt.extra}
		_, err := c.Generate(t.Context(), req)
		require.NoError(t, err, tt.why)
		got := records(t, books)[0]
		tokens := got.Estimate.Input.Or(0) + got.Estimate.Output.Or(0) // at a microdollar each
		assert.Equal(t, (tokens*tt.half+1)/2, int64(got.EstimatedCost), tt.why)
		assert.Equal(t, tt.priced, got.Priced, tt.why)
	}
}

// In a tier without a price nobody knows the cost; what is charged is the dearest.
func TestReplyInAnUnknownTier(t *testing.T) {
	t.Parallel()
	usage := events.Usage{Input: events.Known(100), Output: events.Known(10)}
	c := caller.New(newScript(answered("", "warp", usage, nil)), caller.Config{Prices: prices()})
	result, err := c.Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, ledger.UnknownCost, result.CostCertainty)
	assert.Equal(t, charge.Exact, result.Certainty)
	assert.Equal(t, events.Micros(ask("hi").EstimateInputTokens()+200), result.Cost, "what was reserved, at least")
}
