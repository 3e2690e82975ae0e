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

// admitted returns a run with one open attempt and its record.
func admitted(t *testing.T, a ledger.Reservation) (ledger.Run, ledger.Record) {
	t.Helper()
	run := opened(ledger.Limits{MaxCost: 1000, MaxActive: time.Minute})
	_, err := run.Admit(a, at(0))
	require.NoError(t, err)
	return run, ledger.NewRecord(a, at(0))
}

func TestBook(t *testing.T) {
	t.Parallel()
	run, record := admitted(t, asking("a"))
	booked, err := run.Book(record, saying("a", 12, 5), at(time.Second))
	require.NoError(t, err)
	assert.Equal(t, charge.OK, booked.Status())
	assert.Equal(t, at(time.Second), booked.CompletedAt)
	assert.Equal(t, record.Reservation, booked.Reservation)
	assert.Equal(t, ledger.TotalsOf(booked), run.Totals)
	assert.NoError(t, booked.Check())

	was := run
	again, err := run.Book(booked, saying("a", 12, 5), at(time.Hour))
	require.NoError(t, err)
	assert.Equal(t, booked, again, "the same again changes nothing")
	assert.Equal(t, was, run)

	again, err = run.Book(booked, saying("a", 12, 6), at(time.Hour))
	requireFailure(t, err, events.InvalidRequest, events.ReasonBadParameter)
	assert.Equal(t, booked, again, "nor does something else")
	assert.Equal(t, was, run)
}

func TestBookRefuses(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why    string
		change func(*ledger.Settlement)
	}{
		{"another attempt", func(s *ledger.Settlement) { s.Attempt = "b" }},
		{"one that does not end", func(s *ledger.Settlement) { s.Status = ledger.Dispatched }},
		{"no status", func(s *ledger.Settlement) { s.Status = "" }},
		{"a negative cost", func(s *ledger.Settlement) { s.Cost = -1 }},
		{"a negative known cost", func(s *ledger.Settlement) { s.KnownCost = -1 }},
		{"negative usage", func(s *ledger.Settlement) { s.Usage.CacheRead = n(-1) }},
		{"usage beyond belief", func(s *ledger.Settlement) { s.Known.Output = n(events.MaxCount + 1) }},
	}
	for _, row := range rows {
		run, record := admitted(t, asking("a"))
		was, s := run, saying("a", 1, 1)
		row.change(&s)
		got, err := run.Book(record, s, at(time.Second))
		requireFailure(t, err, events.InvalidRequest, events.ReasonBadParameter)
		assert.Equal(t, record, got, row.why)
		assert.Equal(t, was, run, row.why)
	}
}

// TestBookKeepsWhatStoresCanKeep settles with bytes that are no text: they are
// replaced, and the same settlement is the same.
func TestBookKeepsWhatStoresCanKeep(t *testing.T) {
	t.Parallel()
	run, record := admitted(t, asking("a"))
	s := saying("a", 1, 1)
	s.Usage.Raw, s.RequestID = "{\"\xff\xfe\":1}", "req\xff\x00"
	booked, err := run.Book(record, s, at(1))
	require.NoError(t, err)
	assert.Equal(t, "{\"\uFFFD\":1}", booked.Settled.Usage.Raw)
	assert.Equal(t, "req\uFFFD\uFFFD", booked.Settled.RequestID)
	_, err = run.Book(booked, s, at(2))
	require.NoError(t, err)
}

func TestRecover(t *testing.T) {
	t.Parallel()
	a := asking("a")
	a.Expires = time.Minute
	run, record := admitted(t, a)
	early, ok := run.Recover(record, at(time.Minute-1))
	assert.False(t, ok, "its time is not over")
	assert.Equal(t, record, early)

	recovered, ok := run.Recover(record, at(time.Minute))
	require.True(t, ok)
	assert.True(t, recovered.Recovered)
	assert.NoError(t, recovered.Check())
	assert.Equal(t, charge.Ambiguous, recovered.Status())
	assert.Equal(t, a.Estimate, recovered.Settled.Usage)
	assert.Equal(t, a.EstimatedCost, recovered.Settled.Cost)
	assert.Equal(t, events.Other, recovered.Settled.FailureKind)
	assert.Equal(t, ledger.TotalsOf(recovered), run.Totals)
	assert.Equal(t, ledger.Sum{Charged: 30, Unknown: 1}, run.Totals.Cost, "charged, and known to be unknown")
	assert.Equal(t, ledger.Sum{Charged: 30, Unknown: 1}, run.Totals.Tokens)

	twice, ok := run.Recover(recovered, at(time.Hour))
	assert.False(t, ok, "once only")
	assert.Equal(t, recovered, twice)

	late, err := run.Book(recovered, saying("a", 2, 3), at(time.Hour))
	require.NoError(t, err, "a late settlement corrects it")
	assert.False(t, late.Recovered)
	assert.Equal(t, ledger.TotalsOf(late), run.Totals)
	assert.Equal(t, ledger.Sum{Charged: 5, Known: 5}, run.Totals.Cost)
	_, ok = run.Recover(late, at(2*time.Hour))
	assert.False(t, ok)
}

func TestRecoverWithoutAPrice(t *testing.T) {
	t.Parallel()
	a := asking("a")
	a.Priced, a.EstimatedCost = false, 0
	run := opened(ledger.Limits{})
	_, err := run.Admit(a, at(0))
	require.NoError(t, err)
	r, ok := run.Recover(ledger.NewRecord(a, at(0)), at(ledger.DefaultExpires))
	require.True(t, ok)
	assert.Equal(t, ledger.UnknownCost, r.Settled.CostCertainty)
	assert.Equal(t, ledger.Sum{Unknown: 1}, run.Totals.Cost)
}

func TestAgain(t *testing.T) {
	t.Parallel()
	a := asking("a")
	run := opened(ledger.Limits{MaxElapsed: time.Minute, MaxActive: time.Second})
	hold, err := run.Admit(a, at(0))
	require.NoError(t, err)
	record := ledger.NewRecord(a, at(0))
	same, err := run.Again(record, a)
	require.NoError(t, err)
	assert.Equal(t, hold, same)

	other := a
	other.EstimatedCost++
	_, err = run.Again(record, other)
	requireFailure(t, err, events.InvalidRequest, events.ReasonBadParameter)

	record.DispatchedAt = at(2 * time.Minute)
	late, err := run.Again(record, a)
	require.NoError(t, err)
	assert.Equal(t, time.Duration(1), late.Left, "nothing left is not the same as no limit")
}

func TestRecordCheck(t *testing.T) {
	t.Parallel()
	open := ledger.NewRecord(asking("a"), at(0))
	require.NoError(t, open.Check())
	run, _ := admitted(t, asking("a"))
	ended, err := run.Book(open, saying("a", 1, 1), at(1))
	require.NoError(t, err)
	rows := []struct {
		why    string
		of     ledger.Record
		change func(*ledger.Record)
	}{
		{"no id", open, func(r *ledger.Record) { r.Attempt = "" }},
		{"an open one that was charged", open, func(r *ledger.Record) { r.Settled.Cost = 1 }},
		{"an open one that was recovered", open, func(r *ledger.Record) { r.Recovered = true }},
		{"an open one that has ended", open, func(r *ledger.Record) { r.CompletedAt = at(1) }},
		{"no status", ended, func(r *ledger.Record) { r.Settled.Status = "" }},
		{"the settlement of another", ended, func(r *ledger.Record) { r.Settled.Attempt = "b" }},
		{"a negative charge", ended, func(r *ledger.Record) { r.Settled.Cost = -1 }},
	}
	for _, row := range rows {
		r := row.of
		row.change(&r)
		requireFailure(t, r.Check(), events.LimitReached, events.ReasonLedgerUnavailable)
	}
}
