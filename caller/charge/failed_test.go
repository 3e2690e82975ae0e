package charge_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
)

func TestFailed(t *testing.T) {
	t.Parallel()
	unusable := events.Failure{Kind: events.InvalidReply, Reason: events.ReasonUnusableUsage, Sent: events.Served, Usage: events.Usage{Input: n(900)}}
	unusableUnsent := unusable
	unusableUnsent.Sent, unusableUnsent.Usage = events.NotSent, events.Usage{}
	broken := events.Failure{Kind: events.InvalidReply, Reason: events.ReasonLostConnection, Sent: events.Answered}
	brokenWith := func(u events.Usage) events.Failure {
		f := broken
		f.Usage = u
		return f
	}
	maybe := events.Failure{Kind: events.Unreachable, Reason: events.ReasonConnect, Sent: events.MaybeSent}
	insane := final(events.Usage{Input: n(200), Output: n(-1), Thinking: n(events.MaxCount + 1)})
	contradictory := final(events.Usage{Input: n(10), CacheRead: n(300), Output: n(5)})
	for _, tt := range []settled{
		{
			"an adapter found the usage unusable: the same row",
			charge.Attempt{Estimate: capped(), Terminal: failed(unusable)},
			rowUnusable, charge.Error, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... but not when nothing was sent",
			charge.Attempt{Estimate: capped(), Terminal: failed(unusableUnsent)},
			rowNotSent, charge.Error, nothing(), nothing(), charge.None,
		},
		{
			"Failed, not_sent: nothing",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.Unreachable, Sent: events.NotSent})},
			rowNotSent, charge.Error, nothing(), nothing(), charge.None,
		},
		{
			"... cancelled before it was sent",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.Cancelled, Sent: events.NotSent})},
			rowNotSent, charge.Error, nothing(), nothing(), charge.None,
		},
		{
			"... a model that says so after output came is not believed",
			charge.Attempt{Estimate: capped(), Arrived: 1, Terminal: failed(events.Failure{Kind: events.Crashed, Sent: events.NotSent})},
			rowMaybe, charge.Ambiguous,
			inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... nor after counts came",
			charge.Attempt{Estimate: capped(), Seen: inOut(200, 1), Terminal: failed(events.Failure{Kind: events.Crashed, Sent: events.NotSent})},
			rowMaybe, charge.Ambiguous,
			inOut(200, 50), inOut(200, 1), charge.Estimated,
		},
		{
			"Failed, a definite HTTP error before any stream (4xx): nothing",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.RateLimited, Status: 429, Sent: events.Answered})},
			rowRefused, charge.Error, nothing(), nothing(), charge.None,
		},
		{
			"... (5xx)",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.Overloaded, Status: 503, Sent: events.Answered})},
			rowRefused, charge.Error, nothing(), nothing(), charge.None,
		},
		{
			"... a gateway that timed out is one too",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.TimedOut, Reason: events.ReasonHTTP, Status: 504, Sent: events.Answered})},
			rowRefused, charge.Error,
			nothing(), nothing(), charge.None,
		},
		{
			"... a redirect that was not followed",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.Rejected, Status: 302, Sent: events.Answered})},
			rowRefused, charge.Error, nothing(), nothing(), charge.None,
		},
		{
			"... an answer that could not be read refuses nothing",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.InvalidReply, Reason: events.ReasonProtocolViolation, Status: 500, Sent: events.Answered})},
			rowBegan, charge.Ambiguous,
			inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... nor one that comes after output",
			charge.Attempt{Estimate: capped(), Arrived: 1, Terminal: failed(events.Failure{Kind: events.Overloaded, Status: 500, Sent: events.Answered})},
			rowBegan, charge.Ambiguous,
			inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"Failed: a 200 that is no stream and whose body is the provider's error object: nothing",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.Overloaded, Status: 200, Sent: events.Answered})},
			rowError200, charge.Error, nothing(), nothing(), charge.None,
		},
		{
			"... HTML on a 200 is not known to be one",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.InvalidReply, Reason: events.ReasonBadContent, Sent: events.Answered})},
			rowBegan, charge.Ambiguous,
			inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"Failed after a 2xx began, with final usage reported: as reported",
			charge.Attempt{Estimate: capped(), Terminal: failed(brokenWith(final(inOut(10, 5))))},
			rowFinal, charge.Error, final(inOut(10, 5)), final(inOut(10, 5)), charge.Exact,
		},
		{
			"... before the terminal",
			charge.Attempt{Estimate: capped(), Seen: final(inOut(10, 5)), Terminal: failed(broken)},
			rowFinal, charge.Error, final(inOut(10, 5)), final(inOut(10, 5)), charge.Exact,
		},
		{
			"... also when it was cancelled",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.Cancelled, Sent: events.Served, Usage: final(inOut(10, 5))})},
			rowFinal, charge.Error,
			final(inOut(10, 5)), final(inOut(10, 5)), charge.Exact,
		},
		{
			"... half of it is not final usage",
			charge.Attempt{Estimate: capped(), Terminal: failed(brokenWith(final(events.Usage{Output: n(60)})))},
			rowBegan, charge.Ambiguous,
			inOut(100, 60), final(events.Usage{Output: n(60)}), charge.Estimated,
		},
		{
			"... nor is what cannot be: such counts are not believed",
			charge.Attempt{Estimate: capped(), Terminal: failed(brokenWith(insane))},
			rowBegan, charge.Ambiguous,
			inOut(200, 50), final(events.Usage{Input: n(200)}), charge.Estimated,
		},
		{
			"... nor what contradicts itself: the larger reading",
			charge.Attempt{Estimate: capped(), Terminal: failed(brokenWith(contradictory))},
			rowBegan, charge.Ambiguous,
			events.Usage{Input: n(300), CacheRead: n(300), Output: n(50)},
			contradictory, charge.Estimated,
		},
		{
			"Failed after a 2xx began (broken): the larger, field by field, of the estimate and what was reported so far",
			charge.Attempt{Estimate: capped(), Terminal: failed(brokenWith(inOut(200, 5)))},
			rowBegan, charge.Ambiguous, inOut(200, 50), inOut(200, 5), charge.Estimated,
		},
		{
			"... the other way round, parts kept",
			charge.Attempt{Estimate: capped(), Seen: events.Usage{Input: n(10), CacheRead: n(7), Output: n(80)}, Terminal: failed(broken)},
			rowBegan, charge.Ambiguous,
			events.Usage{Input: n(100), CacheRead: n(7), Output: n(80)},
			events.Usage{Input: n(10), CacheRead: n(7), Output: n(80)},
			charge.Estimated,
		},
		{
			"... truncated before anything was reported",
			charge.Attempt{Estimate: capped(), Terminal: failed(broken)},
			rowBegan, charge.Ambiguous, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... whole timeout of the user's own",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.TimedOut, Reason: events.ReasonDeadline, Sent: events.Answered})},
			rowBegan, charge.Ambiguous,
			inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... in-band error",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.Overloaded, Sent: events.Answered})},
			rowBegan, charge.Ambiguous, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... violation after the terminal evidence",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.InvalidReply, Reason: events.ReasonProtocolViolation, Sent: events.Served})},
			rowBegan, charge.Ambiguous,
			inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... a stream that just ends",
			charge.Attempt{Estimate: capped(), Seen: inOut(200, 5)},
			rowBegan, charge.Ambiguous, inOut(200, 50), inOut(200, 5), charge.Estimated,
		},
		{
			"with no cap, output is what arrived, at one token per three bytes",
			charge.Attempt{Estimate: charge.Estimate{Input: 100}, Arrived: 31, Terminal: failed(broken)},
			rowBegan, charge.Ambiguous, inOut(100, 11),
			events.Usage{},
			charge.Estimated,
		},
		{
			"Failed, maybe_sent, no answer: the estimate",
			charge.Attempt{Estimate: capped(), Terminal: failed(maybe)},
			rowMaybe, charge.Ambiguous, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... a failure that does not say",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.Other})},
			rowMaybe, charge.Ambiguous, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... a Failed without a failure",
			charge.Attempt{Estimate: capped(), Terminal: events.Event{Kind: events.Failed}},
			rowMaybe, charge.Ambiguous, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"cancelled after dispatch: the larger of the estimate and what was reported so far",
			charge.Attempt{Estimate: capped(), Seen: inOut(200, 5), Terminal: failed(events.Failure{Kind: events.Cancelled, Sent: events.Answered})},
			rowLeft, charge.Ambiguous,
			inOut(200, 50), inOut(200, 5), charge.Estimated,
		},
		{
			"... before the answer",
			charge.Attempt{Estimate: capped(), Terminal: failed(events.Failure{Kind: events.Cancelled, Sent: events.MaybeSent})},
			rowLeft, charge.Ambiguous, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"... its terminal not read",
			charge.Attempt{Estimate: capped(), Exit: charge.Cancelled},
			rowLeft, charge.Ambiguous, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"abandoned after dispatch",
			charge.Attempt{Estimate: capped(), Exit: charge.Abandoned, Seen: inOut(10, 60)},
			rowLeft, charge.Ambiguous, inOut(100, 60), inOut(10, 60), charge.Estimated,
		},
		{
			"... with counts that are final: still not below the estimate",
			charge.Attempt{Estimate: capped(), Exit: charge.Abandoned, Seen: final(inOut(10, 60))},
			rowLeft, charge.Ambiguous, inOut(100, 60), final(inOut(10, 60)), charge.Estimated,
		},
		{
			"panic or Goexit in the consumer's loop",
			charge.Attempt{Estimate: capped(), Exit: charge.Panicked, Arrived: 3000},
			rowLeft, charge.Ambiguous, inOut(100, 50),
			events.Usage{},
			charge.Estimated,
		},
		{
			"all arithmetic saturates",
			charge.Attempt{
				Estimate: charge.Estimate{Input: math.MaxInt64}, Arrived: math.MaxInt64,
				Seen: events.Usage{CacheRead: n(events.MaxCount), CacheWrite: n(events.MaxCount), CacheWriteLong: n(events.MaxCount)},
			},
			rowBegan, charge.Ambiguous,
			events.Usage{
				Input: n(events.MaxCount), CacheRead: n(events.MaxCount), CacheWrite: n(events.MaxCount), CacheWriteLong: n(events.MaxCount), Output: n(events.MaxCount),
			},
			events.Usage{CacheRead: n(events.MaxCount), CacheWrite: n(events.MaxCount), CacheWriteLong: n(events.MaxCount)},
			charge.Estimated,
		},
	} {
		c := check(t, tt)
		assert.Nil(t, c.Replace, tt.why)
		assert.Nil(t, c.Cost, tt.why)
	}
}
