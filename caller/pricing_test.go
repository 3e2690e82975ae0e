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
	"github.com/weirsdk/weir/request"
)

// answered plays a reply of another model, in a service tier, with usage.
func answered(model, tier string, u events.Usage, cost *events.Cost) play {
	start := events.Start{Model: model}
	if tier != "" {
		start.Metadata = map[string]string{"service_tier": tier}
	}
	u.Final = u.Reported()
	return of(events.NewStarted(start), events.NewTextDelta(0, "abcdef"),
		events.NewCompleted(events.Completion{Stop: events.StopEnd, Usage: u, Cost: cost}))
}

// servedIn plays a reply that was asked in one service tier and served in another.
func servedIn(asked, served string, u events.Usage) play {
	u.Final = true
	return of(events.NewStarted(events.Start{Metadata: map[string]string{"service_tier": asked}}), events.NewTextDelta(0, "abcdef"),
		events.NewCompleted(events.Completion{Stop: events.StopEnd, ServiceTier: served, Usage: u}))
}

func TestWhatACallCosts(t *testing.T) {
	t.Parallel()
	one, two := price.PerMillion(1_000_000), price.PerMillion(2_000_000)
	table := price.Table{
		"test:m":    {Input: one, CacheRead: price.PerMillion(100_000), Output: two, Service: map[string]price.Multiplier{"default": {Num: 1, Den: 1}, "flex": {Num: 1, Den: 2}, "fast": {Num: 3, Den: 1}}},
		"test:mini": {Input: price.PerMillion(10_000_000), Output: price.PerMillion(10_000_000)},
		"test:half": {Input: one},
		"test:new":  {Input: two, Output: two, From: "2999-01-01", Before: []price.Price{{Input: one, Output: one}}},
		"test:day":  {Input: two, Output: two, From: "1990-01-01", Before: []price.Price{{Input: one, Output: one, From: "1980-01-01"}}},
	}
	full := events.Usage{Input: events.Known(100), CacheRead: events.Known(40), Output: events.Known(10)}
	uncached := events.Usage{Input: events.Known(100), Output: events.Known(10)}
	input := ask("hi").EstimateInputTokens()
	provider := &events.Cost{Micros: 7, Text: "0.0000065"}
	for _, tt := range []struct {
		why       string
		model     string
		play      play
		cost      events.Micros
		known     events.Micros
		certainty charge.Certainty
	}{
		{"as reported: 60 + 4 + 20", "test:m", answered("", "", full, nil), 84, 84, charge.Exact},
		{"the standard tier", "test:m", answered("", "default", full, nil), 84, 84, charge.Exact},
		{"half the price", "test:m", answered("", "flex", full, nil), 42, 42, charge.Exact},
		{"a tier that nobody knows: the dearest, and no claim", "test:m", answered("", "warp", full, nil), 252, 84, ledger.UnknownCost},
		{"what served in the end, of one that was asked as auto", "test:m", servedIn("auto", "default", full), 84, 84, charge.Exact},
		{"... and of a better one that was asked", "test:m", servedIn("fast", "flex", full), 42, 42, charge.Exact},
		{"auto, and no more", "test:m", servedIn("auto", "", full), 252, 84, ledger.UnknownCost},
		{"the cached part is not told: at most", "test:m", answered("", "", uncached, nil), 120, 0, charge.Estimated},
		{"the model that answered has a price of its own", "test:m", answered("mini", "", uncached, nil), 1100, 1100, charge.Exact},
		{"a dated id is its model", "test:m", answered("m-20250101", "", full, nil), 84, 84, charge.Exact},
		{"a similar id is not", "test:m", answered("m-micro", "", full, nil), 84, 84, charge.Exact},
		{"the price of the day", "test:day", answered("", "", uncached, nil), 220, 220, charge.Exact},
		{"not yet the price of another day", "test:new", answered("", "", uncached, nil), 110, 110, charge.Exact},
		{"broken: the estimate, and what the prompt certainly cost", "test:new", brokenAfter(uncached.Input), events.Micros(max(input, 100) + 100), 100, charge.Estimated},
		{"the provider's own figure wins", "test:m", answered("", "", full, provider), 7, 7, charge.Provider},
		{"and it needs no price", "test:none", answered("", "", full, provider), 7, 7, charge.Provider},
		{"free by its own word", "test:m", answered("", "", full, &events.Cost{}), 0, 0, charge.Provider},
		{"half a price of who answered, none of who was asked: unknown, not zero", "test:none", answered("half", "", full, nil), 0, 0, ledger.UnknownCost},
		{"no price: unknown, not zero", "test:none", answered("", "", full, nil), 0, 0, ledger.UnknownCost},
		{"nothing reported: the estimate of the prompt and what arrived", "test:m", answered("", "", events.Usage{}, nil), events.Micros(input + 2*2), 0, charge.Estimated},
		{"a definite error costs nothing, price or not", "test:none", fails(events.Overloaded, events.ReasonServer, status(503)), 0, 0, charge.None},
	} {
		books := memory.New(memory.Options{})
		model := newScript(tt.play)
		model.name = tt.model
		result, _ := caller.New(model, caller.Config{Prices: table, Ledger: books}).Generate(t.Context(), ask("hi"))
		s := records(t, books)[0].Settled
		assert.Equal(t, tt.cost, result.Cost, tt.why)
		assert.Equal(t, tt.certainty, result.CostCertainty, tt.why)
		assert.Equal(t, tt.known, s.KnownCost, "%s: what is certain", tt.why)
		if provider := s.CostCertainty == charge.Provider && s.Cost > 0; provider {
			assert.Equal(t, "0.0000065", s.CostText, "%s: exact text beside the rounded figure", tt.why)
		}
	}
}

// A model that thinks invisibly and reports nothing is charged its cap.
func TestHiddenThinking(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		thinking request.Support
		effort   request.Effort
		want     int64
	}{{request.Unknown, request.EffortHigh, 100}, {request.No, request.EffortHigh, 2}, {request.Yes, "", 100}, {request.Yes, request.EffortOff, 2}, {request.No, "", 2}, {request.Unknown, "", 2}} {
		model := newScript(answered("", "", events.Usage{}, nil))
		model.spec.Thinking = tt.thinking
		req := ask("hi")
		req.Effort = tt.effort
		result, err := caller.New(model, caller.Config{}).Generate(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, events.Known(tt.want), result.Usage.Output)
	}
}

// A provider that tells only its cost does not slip past a limit on tokens.
func TestTokensOfACostAlone(t *testing.T) {
	t.Parallel()
	c := caller.New(newScript(answered("", "", events.Usage{}, &events.Cost{Micros: 7})), caller.Config{})
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxTotalTokens: 1000}})
	require.NoError(t, err)
	result, err := c.Generate(caller.WithRun(t.Context(), run), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, charge.Estimated, result.Certainty)
	assert.Equal(t, charge.Provider, result.CostCertainty)
	state, err := run.State(t.Context())
	require.NoError(t, err)
	assert.Equal(t, ask("hi").EstimateInputTokens(), state.Totals.Input.Charged, "the prompt at the estimate")
	assert.Equal(t, int64(2), state.Totals.Output.Charged, "the output as it arrived")
	assert.False(t, state.Totals.Tokens.IsComplete())
	assert.True(t, state.Totals.Cost.IsComplete())
}

func TestInconsistentUsage(t *testing.T) {
	t.Parallel()
	play := answered("", "", events.Usage{Input: events.Known(10), CacheRead: events.Known(40), Output: events.Known(5), Inconsistent: true}, nil)
	result, err := caller.New(newScript(play), caller.Config{}).Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, events.Known(40), result.Usage.Input, "the larger reading")
	assert.Equal(t, charge.Estimated, result.Certainty)

	result, err = caller.New(newScript(play), caller.Config{OnInconsistent: charge.Refuse, MaxRetries: 2}).Generate(t.Context(), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonUnusableUsage})
	assert.Len(t, result.Attempts, 1)
	assert.Equal(t, charge.Error, result.Status)
	assert.False(t, result.Reply.Executable())
}

// brokenAfter plays a reply that tells its prompt and breaks.
func brokenAfter(input events.Count) play {
	f := events.NewFailure(events.InvalidReply, events.ReasonTruncated, "")
	f.Sent = events.Answered
	return of(events.NewStarted(events.Start{}), events.NewUsageUpdated(events.Usage{Input: input}), events.NewTextDelta(0, "a"), events.NewFailed(f))
}
