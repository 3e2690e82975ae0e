package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// at is the time at which the runs of the tests are opened.
func at(after time.Duration) time.Time {
	return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC).Add(after)
}

func n(i int64) events.Count { return events.Known(i) }

func inOut(input, output int64) events.Usage { return events.Usage{Input: n(input), Output: n(output)} }

// asking reserves 10 tokens of prompt and 20 of output, priced at a microdollar each.
func asking(id string) ledger.Reservation { return askingFor(id, 10, 20) }

func askingFor(id string, input, output int64) ledger.Reservation {
	return ledger.Reservation{
		Attempt: id, Run: "r", Model: "p:m", Provider: "p", Estimate: inOut(input, output),
		EstimatedCost: events.Micros(input + output), Priced: true,
	}
}

// saying settles an attempt as the provider reported it, a microdollar a token.
func saying(id string, input, output int64) ledger.Settlement {
	u := inOut(input, output)
	cost := events.Micros(input + output)
	return ledger.Settlement{
		Attempt: id, Status: charge.OK, Usage: u, Known: u, Certainty: charge.Exact,
		Cost: cost, KnownCost: cost, CostCertainty: charge.Exact, Latency: time.Second,
	}
}

func opened(l ledger.Limits) ledger.Run {
	r := ledger.NewRun("r", at(0))
	r.Limits = l
	return r
}

// spent is a run that has charged so many tokens and microdollars.
func spent(l ledger.Limits, tokens int64) ledger.Run {
	r := opened(l)
	record := ledger.NewRecord(asking("spent"), at(0))
	r.Totals = r.Totals.Plus(ledger.TotalsOf(record))
	if _, err := r.Book(record, saying("spent", tokens, 0), at(0)); err != nil {
		panic(err)
	}
	return r
}

func requireFailure(t *testing.T, err error, kind events.FailureKind, reason events.Reason) {
	t.Helper()
	require.Error(t, err)
	f, ok := events.AsFailure(err)
	require.True(t, ok, "%T is no failure", err)
	require.Equal(t, kind, f.Kind)
	require.Equal(t, reason, f.Reason)
	require.Equal(t, events.NotSent, f.Sent)
}

func requireExceeded(t *testing.T, err error, want ledger.Exceeded) {
	t.Helper()
	var got *ledger.Exceeded
	require.ErrorAs(t, err, &got)
	require.Equal(t, want, *got)
}

func TestFilter(t *testing.T) {
	t.Parallel()
	r := ledger.NewRecord(ledger.Reservation{
		Attempt: "a", Run: "r", Call: "c", Actor: "ann", Model: "p:m", Provider: "p", Purpose: "chat",
	}, at(0))
	rows := []struct {
		why   string
		f     ledger.Filter
		match bool
	}{
		{"nothing asked", ledger.Filter{}, true},
		{"everything asked", ledger.Filter{Run: "r", Call: "c", Actor: "ann", Model: "p:m", Provider: "p", Purpose: "chat", Status: ledger.Dispatched, Since: at(0), Before: at(1)}, true},
		{"another run", ledger.Filter{Run: "q"}, false},
		{"another call", ledger.Filter{Call: "q"}, false},
		{"another actor", ledger.Filter{Actor: "q"}, false},
		{"another model", ledger.Filter{Model: "q"}, false},
		{"another provider", ledger.Filter{Provider: "q"}, false},
		{"another purpose", ledger.Filter{Purpose: "q"}, false},
		{"another status", ledger.Filter{Status: charge.OK}, false},
		{"since is included", ledger.Filter{Since: at(0)}, true},
		{"after since", ledger.Filter{Since: at(1)}, false},
		{"before is not included", ledger.Filter{Before: at(0)}, false},
		{"one wrong of many", ledger.Filter{Run: "r", Actor: "ann", Purpose: "q"}, false},
	}
	for _, row := range rows {
		assert.Equal(t, row.match, row.f.Matches(r), row.why)
	}
}

func TestRecordsHaveATime(t *testing.T) {
	t.Parallel()
	a := asking("a")
	assert.Equal(t, at(ledger.DefaultExpires), ledger.NewRecord(a, at(0)).ExpiresAt, "the default")
	a.Expires = time.Second
	assert.Equal(t, at(time.Second), ledger.NewRecord(a, at(0)).ExpiresAt)
	a.Expires = -time.Second
	assert.Equal(t, at(ledger.DefaultExpires), ledger.NewRecord(a, at(0)).ExpiresAt, "an attempt cannot be over before it begins")
}
