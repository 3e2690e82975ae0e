package charge_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
)

// counts returns the counts of a usage, in one order.
func counts(u events.Usage) []events.Count {
	return []events.Count{
		u.Input, u.CacheRead, u.CacheWrite, u.CacheWriteLong, u.Output, u.Thinking, u.InputAudio, u.InputImage, u.OutputAudio, u.OutputImage,
	}
}

func anyUsage(t *rapid.T, name string) events.Usage {
	number := rapid.OneOf(rapid.Int64Range(0, 9), rapid.Int64Range(0, 9), rapid.Int64Range(-3, 3), rapid.Int64Range(events.MaxCount-2, events.MaxCount+2))
	count := func(field string) events.Count {
		if rapid.Bool().Draw(t, name+" "+field+" told") {
			return events.Known(number.Draw(t, name+" "+field))
		}
		return events.Count{}
	}
	u := events.Usage{Input: count("input"), Output: count("output")}
	if rapid.Bool().Draw(t, name+" has parts") {
		u.CacheRead, u.CacheWrite, u.CacheWriteLong = count("read"), count("write"), count("long")
		u.Thinking, u.InputAudio, u.InputImage = count("thinking"), count("audio"), count("image")
		u.OutputAudio, u.OutputImage = count("spoken"), count("drawn")
	}
	u.Final = rapid.Bool().Draw(t, name+" final")
	u.Inconsistent = rapid.IntRange(0, 9).Draw(t, name+" inconsistent") == 0
	return u
}

func anyAttempt(t *rapid.T) charge.Attempt {
	a := charge.Attempt{
		Estimate:       charge.Estimate{Input: rapid.Int64Range(0, 9).Draw(t, "estimate")},
		HiddenOutput:   rapid.Bool().Draw(t, "hidden"),
		OnInconsistent: rapid.SampledFrom([]charge.OnInconsistent{charge.TakeLarger, charge.Refuse}).Draw(t, "policy"),
		Exit:           rapid.SampledFrom([]charge.Exit{charge.Ended, charge.Abandoned, charge.Panicked, charge.Cancelled}).Draw(t, "exit"),
		Arrived:        rapid.SampledFrom([]int64{0, 0, 1, 29, 3 * events.MaxCount}).Draw(t, "arrived"),
		BillingStops:   rapid.Bool().Draw(t, "billing stops"),
		AllShown:       rapid.IntRange(0, 3).Draw(t, "shown") > 0,
		Unread:         rapid.SampledFrom([]time.Duration{0, -1, time.Second, math.MaxInt64}).Draw(t, "unread"),
	}
	if rapid.Bool().Draw(t, "capped") {
		a.Estimate.Output = events.Known(rapid.OneOf(rapid.Int64Range(0, 9), rapid.Int64Range(900, 9000)).Draw(t, "cap"))
	}
	if rapid.Bool().Draw(t, "seen") {
		a.Seen = anyUsage(t, "seen")
	}
	switch rapid.IntRange(0, 3).Draw(t, "terminal") {
	case 0:
	case 1:
		c := events.Completion{Usage: anyUsage(t, "told")}
		if rapid.IntRange(0, 3).Draw(t, "cost") == 0 {
			c.Cost = &events.Cost{Micros: events.Micros(rapid.Int64Range(-1, 9).Draw(t, "micros"))}
		}
		a.Terminal = events.NewCompleted(c)
	default:
		f := events.Failure{
			Kind:   rapid.SampledFrom([]events.FailureKind{events.Unreachable, events.TimedOut, events.Overloaded, events.Rejected, events.InvalidReply, events.Cancelled, events.Crashed}).Draw(t, "kind"),
			Reason: rapid.SampledFrom([]events.Reason{"", events.ReasonUnusableUsage}).Draw(t, "reason"),
			Status: rapid.SampledFrom([]int{0, 0, 200, 302, 429, 500}).Draw(t, "status"),
			Sent:   rapid.SampledFrom([]events.Sent{"", events.NotSent, events.MaybeSent, events.Answered, events.Served}).Draw(t, "sent"),
		}
		if rapid.Bool().Draw(t, "told usage") {
			f.Usage = anyUsage(t, "told")
		}
		a.Terminal = events.NewFailed(&f)
	}
	return a
}

// rowOf is the table read from the top once more, in words of its own.
func rowOf(a charge.Attempt) string {
	told, _ := a.Terminal.Usage()
	all := a.Seen.Merge(told)
	f, isFailed := a.Terminal.Failure()
	quiet := !all.Reported() && a.Arrived == 0
	whole := all.Input.IsKnown() && all.Output.IsKnown() && (told.Output.IsKnown() || a.Seen.Final)
	split := all.Inconsistent || contradicts(all.Input, all.CacheRead, all.CacheWrite, all.CacheWriteLong) ||
		contradicts(all.Input, all.InputAudio, all.InputImage) || contradicts(all.Output, all.Thinking, all.OutputAudio, all.OutputImage)
	if c, ok := a.Terminal.Completion(); ok {
		switch {
		case !all.Sane():
			return rowUnusable
		case c.Cost != nil && c.Cost.Micros >= 0:
			return rowCost
		case split && a.OnInconsistent == charge.Refuse:
			return rowUnusable
		case split:
			return rowInconsistent
		case whole:
			return rowSane
		default:
			return rowPartly
		}
	}
	left := rowLeft
	if a.BillingStops && a.AllShown && !a.HiddenOutput && a.Estimate.Output.IsKnown() {
		left = rowCutOff
	}
	if !isFailed {
		if a.Exit == charge.Ended {
			return rowBegan
		}
		return left
	}
	if f.Sent != events.Answered && f.Sent != events.Served {
		left = rowLeft
	}
	refused := f.Status > 0 && f.Kind != events.InvalidReply
	switch {
	case f.Sent != events.NotSent && f.Kind == events.InvalidReply && f.Reason == events.ReasonUnusableUsage:
		return rowUnusable
	case quiet && f.Sent == events.NotSent:
		return rowNotSent
	case quiet && refused && f.Status < 300:
		return rowError200
	case quiet && refused:
		return rowRefused
	case all.Final && whole && all.Sane() && !split:
		return rowFinal
	case f.Kind == events.Cancelled:
		return left
	case f.Sent == events.Answered || f.Sent == events.Served:
		return rowBegan
	default:
		return rowMaybe
	}
}

func contradicts(whole events.Count, parts ...events.Count) bool {
	var n int64
	for _, p := range parts {
		n += p.Or(0)
	}
	return whole.IsKnown() && min(n, events.MaxCount) > whole.Or(0) // sums saturate
}

func TestProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := anyAttempt(t)
		c := charge.Settle(a)
		told, _ := a.Terminal.Usage()
		reported := a.Seen.Merge(told)
		require.Equal(t, rowOf(a), c.Outcome, "the first row that holds decides")
		require.True(t, c.Usage.Sane(), "whatever was reported, what is charged can be")
		require.Equal(t, c.Certainty == charge.Provider, c.Cost != nil)
		require.Equal(t, c.Certainty == charge.None, slices.Contains([]string{rowNotSent, rowRefused, rowError200}, c.Outcome))
		if c.Certainty != charge.Provider {
			require.True(t, c.Usage.Input.IsKnown() && c.Usage.Output.IsKnown())
		}
		for i, known := range counts(c.Known) {
			require.LessOrEqual(t, known.Or(0), counts(c.Usage)[i].Or(0), "the lower bound is one")
			require.True(t, !known.IsKnown() || counts(c.Usage)[i].IsKnown())
		}
		if reported.Sane() && c.Outcome != rowUnusable && reported.Final {
			for i, r := range counts(reported) {
				require.GreaterOrEqual(t, counts(c.Usage)[i].Or(0), r.Or(0), "final counts are charged")
			}
		}
		if c.Status == charge.Ambiguous {
			checkAmbiguous(t, a, reported, c)
		}
		if c.Replace != nil {
			require.Equal(t, events.Completed, a.Terminal.Kind, "only a reply can be withheld")
		}
	})
}

func checkAmbiguous(t *rapid.T, a charge.Attempt, reported events.Usage, c charge.Charge) {
	estimate := a.Estimate.Usage()
	require.GreaterOrEqual(t, c.Usage.Input.Or(0), estimate.Input.Or(0))
	least := estimate.Output.Or(0)
	if c.Outcome == rowCutOff {
		least = min(least, a.Arrived/3+1000)
		a.BillingStops = false
		require.LessOrEqual(t, c.Usage.Output.Or(0), charge.Settle(a).Usage.Output.Or(0), "never more than where nobody knows")
	}
	require.GreaterOrEqual(t, c.Usage.Output.Or(0), least)
	if !estimate.Output.IsKnown() {
		require.GreaterOrEqual(t, c.Usage.Output.Or(0), a.Arrived/3)
	}
	for i, r := range counts(reported) {
		if r.Or(0) <= events.MaxCount {
			require.GreaterOrEqual(t, counts(c.Usage)[i].Or(0), r.Or(0))
		}
	}
	require.Equal(t, charge.Estimated, c.Certainty)
}
