package charge_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
)

func n(i int64) events.Count { return events.Known(i) }

// inOut is a usage of a prompt and an output.
func inOut(input, output int64) events.Usage { return events.Usage{Input: n(input), Output: n(output)} }

func final(u events.Usage) events.Usage {
	u.Final = true
	return u
}

func completed(u events.Usage) events.Event {
	return events.NewCompleted(events.Completion{Stop: events.StopEnd, Usage: u})
}

func costing(u events.Usage, micros events.Micros) events.Event {
	return events.NewCompleted(events.Completion{Stop: events.StopEnd, Usage: u, Cost: &events.Cost{Micros: micros, Text: "0.07"}})
}

func failed(f events.Failure) events.Event { return events.NewFailed(&f) }

func nothing() events.Usage {
	return events.Usage{
		Input: n(0), CacheRead: n(0), CacheWrite: n(0), CacheWriteLong: n(0), Output: n(0), Thinking: n(0),
		InputAudio: n(0), InputImage: n(0), OutputAudio: n(0), OutputImage: n(0),
	}
}

// capped is an estimate of 100 in and 50 out.
func capped() charge.Estimate { return charge.Estimate{Input: 100, Output: n(50)} }

// The words of the table, in its order.
const (
	rowCost         = "Completed, the provider reports its own cost"
	rowSane         = "Completed, usage sane"
	rowInconsistent = "Completed, usage inconsistent"
	rowPartly       = "Completed, usage partly or wholly unknown"
	rowUnusable     = "Completed, usage unusable"
	rowNotSent      = "Failed, not_sent"
	rowRefused      = "Failed, a definite HTTP error before any stream"
	rowError200     = "Failed, a 200 that is no stream and whose body is the provider's error"
	rowFinal        = "Failed after a 2xx began, with final usage reported"
	rowBegan        = "Failed after a 2xx began"
	rowMaybe        = "Failed, maybe_sent, no answer"
	rowCutOff       = "cancelled or abandoned, where billing stops when the client hangs up"
	rowLeft         = "cancelled or abandoned after dispatch, or a panic in the consumer's loop"
)

type settled struct {
	why     string
	attempt charge.Attempt
	row     string
	status  charge.Status
	usage   events.Usage
	known   events.Usage
	how     charge.Certainty
}

func check(t *testing.T, tt settled) charge.Charge {
	t.Helper()
	got := charge.Settle(tt.attempt)
	assert.Equal(t, tt.row, got.Outcome, tt.why)
	assert.Equal(t, tt.status, got.Status, tt.why)
	assert.Equal(t, tt.usage, got.Usage, tt.why)
	assert.Equal(t, tt.known, got.Known, tt.why)
	assert.Equal(t, tt.how, got.Certainty, tt.why)
	return got
}

func TestCompleted(t *testing.T) {
	t.Parallel()
	cachedTooMuch := events.Usage{Input: n(10), CacheRead: n(12), CacheWrite: n(1), Output: n(5)}
	thoughtTooMuch := events.Usage{Input: n(10), Output: n(5), Thinking: n(8)}
	flagged := events.Usage{Input: n(12), CacheRead: n(12), Output: n(5), Inconsistent: true, Raw: "{}"}
	running := events.Usage{Input: n(9), Output: n(2), Raw: `{"o":2}`}
	for _, tt := range []settled{
		{
			"Completed, the provider reports its own cost: tokens as reported",
			charge.Attempt{Estimate: capped(), Terminal: costing(inOut(10, 5), 70_000)},
			rowCost, charge.OK, inOut(10, 5), inOut(10, 5), charge.Provider,
		},
		{
			"... zero included, and tokens that it does not tell stay unknown",
			charge.Attempt{Estimate: capped(), Terminal: costing(events.Usage{}, 0)},
			rowCost, charge.OK,
			events.Usage{},
			events.Usage{},
			charge.Provider,
		},
		{
			"... nor does it matter how it counts",
			charge.Attempt{Estimate: capped(), Terminal: costing(flagged, 1), OnInconsistent: charge.Refuse},
			rowCost, charge.OK, flagged, flagged, charge.Provider,
		},
		{
			"a negative cost is none",
			charge.Attempt{Estimate: capped(), Terminal: costing(inOut(10, 5), -1)},
			rowSane, charge.OK, inOut(10, 5), inOut(10, 5), charge.Exact,
		},
		{
			"Completed, usage sane: as reported",
			charge.Attempt{Estimate: capped(), Terminal: completed(inOut(10, 5))},
			rowSane, charge.OK, inOut(10, 5), inOut(10, 5), charge.Exact,
		},
		{
			"... also beyond the estimate, and zeros",
			charge.Attempt{Estimate: capped(), Terminal: completed(inOut(1000, 0))},
			rowSane, charge.OK, inOut(1000, 0), inOut(1000, 0), charge.Exact,
		},
		{
			"... also when what arrived is more than was counted",
			charge.Attempt{Estimate: capped(), Arrived: 3000, Terminal: completed(inOut(10, 5))},
			rowSane, charge.OK, inOut(10, 5), inOut(10, 5), charge.Exact,
		},
		{
			"... parts that are just their whole are no contradiction",
			charge.Attempt{Terminal: completed(events.Usage{Input: n(10), CacheRead: n(6), CacheWriteLong: n(4), InputAudio: n(10), Output: n(5), Thinking: n(5)})},
			rowSane, charge.OK,
			events.Usage{Input: n(10), CacheRead: n(6), CacheWriteLong: n(4), InputAudio: n(10), Output: n(5), Thinking: n(5)},
			events.Usage{Input: n(10), CacheRead: n(6), CacheWriteLong: n(4), InputAudio: n(10), Output: n(5), Thinking: n(5)},
			charge.Exact,
		},
		{
			"... earlier counts are replaced, those that it does not repeat are kept",
			charge.Attempt{Seen: events.Usage{Input: n(9), CacheRead: n(3), Output: n(1)}, Terminal: completed(inOut(10, 5))},
			rowSane, charge.OK,
			events.Usage{Input: n(10), CacheRead: n(3), Output: n(5)},
			events.Usage{Input: n(10), CacheRead: n(3), Output: n(5)},
			charge.Exact,
		},
		{
			"... final counts that came before the terminal",
			charge.Attempt{Seen: final(inOut(10, 5)), Terminal: completed(events.Usage{})},
			rowSane, charge.OK, final(inOut(10, 5)), final(inOut(10, 5)), charge.Exact,
		},
		{
			"Completed, usage inconsistent (a part larger than its whole): the larger reading",
			charge.Attempt{Estimate: capped(), Terminal: completed(cachedTooMuch)},
			rowInconsistent, charge.OK,
			events.Usage{Input: n(13), CacheRead: n(12), CacheWrite: n(1), Output: n(5)},
			cachedTooMuch, charge.Estimated,
		},
		{
			"... of the output too",
			charge.Attempt{Estimate: capped(), Terminal: completed(thoughtTooMuch)},
			rowInconsistent, charge.OK,
			events.Usage{Input: n(10), Output: n(8), Thinking: n(8)},
			thoughtTooMuch, charge.Estimated,
		},
		{
			"... whose parts are too large together: cached ones",
			charge.Attempt{Estimate: capped(), Terminal: completed(events.Usage{Input: n(10), CacheRead: n(4), CacheWrite: n(3), CacheWriteLong: n(4), Output: n(5)})},
			rowInconsistent, charge.OK,
			events.Usage{Input: n(11), CacheRead: n(4), CacheWrite: n(3), CacheWriteLong: n(4), Output: n(5)},
			events.Usage{Input: n(10), CacheRead: n(4), CacheWrite: n(3), CacheWriteLong: n(4), Output: n(5)},
			charge.Estimated,
		},
		{
			"... media",
			charge.Attempt{Estimate: capped(), Terminal: completed(events.Usage{Input: n(10), CacheRead: n(10), InputAudio: n(6), InputImage: n(6), Output: n(5)})},
			rowInconsistent, charge.OK,
			events.Usage{Input: n(12), CacheRead: n(10), InputAudio: n(6), InputImage: n(6), Output: n(5)},
			events.Usage{Input: n(10), CacheRead: n(10), InputAudio: n(6), InputImage: n(6), Output: n(5)},
			charge.Estimated,
		},
		{
			"... what was generated",
			charge.Attempt{Estimate: capped(), Terminal: completed(events.Usage{Input: n(10), Output: n(5), Thinking: n(2), OutputAudio: n(2), OutputImage: n(2)})},
			rowInconsistent, charge.OK,
			events.Usage{Input: n(10), Output: n(6), Thinking: n(2), OutputAudio: n(2), OutputImage: n(2)},
			events.Usage{Input: n(10), Output: n(5), Thinking: n(2), OutputAudio: n(2), OutputImage: n(2)},
			charge.Estimated,
		},
		{
			"... that the adapter has taken already",
			charge.Attempt{Estimate: capped(), Terminal: completed(flagged)},
			rowInconsistent, charge.OK,
			events.Usage{Input: n(12), CacheRead: n(12), Output: n(5)},
			flagged, charge.Estimated,
		},
		{
			"... and what is unknown besides is estimated",
			charge.Attempt{Estimate: capped(), Terminal: completed(events.Usage{Output: n(5), Thinking: n(8)})},
			rowInconsistent, charge.OK,
			events.Usage{Input: n(100), Output: n(8), Thinking: n(8)},
			events.Usage{Output: n(5), Thinking: n(8)},
			charge.Estimated,
		},
		{
			"OnInconsistent: Refuse gives the next but one row instead",
			charge.Attempt{Estimate: capped(), Terminal: completed(cachedTooMuch), OnInconsistent: charge.Refuse},
			rowUnusable, charge.Error,
			inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"Completed, usage partly or wholly unknown: unknown input at the estimate, unknown output at what arrived, one token per three bytes",
			charge.Attempt{Estimate: capped(), Arrived: 10, Terminal: completed(events.Usage{})},
			rowPartly, charge.OK, inOut(100, 4),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... known input as reported",
			charge.Attempt{Estimate: capped(), Arrived: 9, Terminal: completed(events.Usage{Input: n(10)})},
			rowPartly, charge.OK, inOut(10, 3),
			events.Usage{Input: n(10)},
			charge.Estimated,
		},
		{
			"... known output as reported",
			charge.Attempt{Estimate: capped(), Arrived: 900, Terminal: completed(events.Usage{Output: n(5)})},
			rowPartly, charge.OK, inOut(100, 5),
			events.Usage{Output: n(5)},
			charge.Estimated,
		},
		{
			"... not below the parts that are known",
			charge.Attempt{Estimate: capped(), Arrived: 9, Terminal: completed(events.Usage{CacheRead: n(300), Thinking: n(7)})},
			rowPartly, charge.OK,
			events.Usage{Input: n(300), CacheRead: n(300), Output: n(7), Thinking: n(7)},
			events.Usage{CacheRead: n(300), Thinking: n(7)},
			charge.Estimated,
		},
		{
			"... or at the cap when the model thinks invisibly",
			charge.Attempt{Estimate: capped(), HiddenOutput: true, Arrived: 9, Terminal: completed(events.Usage{Input: n(10)})},
			rowPartly, charge.OK,
			inOut(10, 50),
			events.Usage{Input: n(10)},
			charge.Estimated,
		},
		{
			"... or at what arrived, when that is more or there is no cap",
			charge.Attempt{Estimate: charge.Estimate{Input: 100}, HiddenOutput: true, Arrived: 9, Terminal: completed(events.Usage{})},
			rowPartly, charge.OK,
			inOut(100, 3),
			events.Usage{},
			charge.Estimated,
		},
		{
			"a running count is no last word: not below it, nor below what arrived",
			charge.Attempt{Estimate: capped(), Seen: running, Arrived: 30, Terminal: completed(events.Usage{})},
			rowPartly, charge.OK, inOut(9, 10), running, charge.Estimated,
		},
		{
			"... it may be larger than what arrived",
			charge.Attempt{Estimate: capped(), Seen: running, Arrived: 3, Terminal: completed(events.Usage{})},
			rowPartly, charge.OK, inOut(9, 2), running, charge.Estimated,
		},
		{
			"Completed, usage unusable (negative): the estimate",
			charge.Attempt{Estimate: capped(), Terminal: completed(inOut(10, -5))},
			rowUnusable, charge.Error, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... (too large), also when a cost was told",
			charge.Attempt{Estimate: capped(), Terminal: costing(inOut(events.MaxCount+1, 5), 7)},
			rowUnusable, charge.Error, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... in a part that contradicts nothing, without a cap: what arrived",
			charge.Attempt{Estimate: charge.Estimate{Input: 100}, Arrived: 10, Terminal: completed(events.Usage{Input: n(1), Output: n(1), Thinking: n(-1)})},
			rowUnusable, charge.Error,
			inOut(100, 4),
			events.Usage{},
			charge.Estimated,
		},
		{
			"a terminal that was read decides, however the loop was left",
			charge.Attempt{Estimate: capped(), Exit: charge.Panicked, Terminal: completed(inOut(10, 5))},
			rowSane, charge.OK, inOut(10, 5), inOut(10, 5), charge.Exact,
		},
	} {
		check(t, tt)
	}
}

func TestCostOfTheProvider(t *testing.T) {
	t.Parallel()
	c := charge.Settle(charge.Attempt{Terminal: costing(inOut(10, 5), 70_000)})
	require.NotNil(t, c.Cost)
	assert.Equal(t, events.Cost{Micros: 70_000, Text: "0.07"}, *c.Cost)
	assert.Nil(t, c.Replace)
	c = charge.Settle(charge.Attempt{Terminal: costing(events.Usage{}, 0)})
	require.NotNil(t, c.Cost, "free is a cost")
	assert.Zero(t, c.Cost.Micros)
	for _, terminal := range []events.Event{completed(inOut(10, 5)), costing(inOut(10, 5), -1), costing(inOut(-1, 5), 7)} {
		assert.Nil(t, charge.Settle(charge.Attempt{Terminal: terminal}).Cost)
	}
}

func TestUnusableReplyIsNotHandedOver(t *testing.T) {
	t.Parallel()
	u := inOut(-1, 5)
	u.Raw = `{"in":-1}`
	for _, a := range []charge.Attempt{
		{Terminal: completed(u)},
		{Terminal: completed(events.Usage{Input: n(1), CacheRead: n(2), Output: n(1), Raw: u.Raw}), OnInconsistent: charge.Refuse},
	} {
		c := charge.Settle(a)
		require.ErrorIs(t, c.Replace, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonUnusableUsage})
		assert.Equal(t, events.Served, c.Replace.Sent)
		assert.Equal(t, events.Usage{Raw: u.Raw}, c.Replace.Usage, "what the provider said, and no count of it")
		assert.False(t, c.Replace.Retryable())
		// The failure that is handed on is charged as the reply was.
		again := charge.Settle(charge.Attempt{Estimate: a.Estimate, Terminal: events.NewFailed(c.Replace)})
		assert.Equal(t, c.Usage, again.Usage)
		assert.Equal(t, c.Status, again.Status)
		assert.Nil(t, again.Replace)
	}
	assert.Nil(t, charge.Settle(charge.Attempt{Terminal: completed(inOut(1, 5))}).Replace)
}
