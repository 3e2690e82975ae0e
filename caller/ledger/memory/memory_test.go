package memory_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
)

func asking(run, id string) ledger.Reservation {
	return ledger.Reservation{
		Attempt: id, Run: run, Model: "p:m", Provider: "p",
		Estimate:      events.Usage{Input: events.Known(10), Output: events.Known(20)},
		EstimatedCost: 30, Priced: true,
	}
}

func saying(id string) ledger.Settlement {
	u := events.Usage{Input: events.Known(7), Output: events.Known(5)}
	return ledger.Settlement{
		Attempt: id, Status: charge.OK, Usage: u, Known: u, Certainty: charge.Exact,
		Cost: 12, KnownCost: 12, CostCertainty: charge.Exact, Latency: time.Second,
	}
}

func requireFailure(t *testing.T, err error, kind events.FailureKind, reason events.Reason) {
	t.Helper()
	f, ok := events.AsFailure(err)
	require.True(t, ok, "%v is no failure", err)
	require.Equal(t, kind, f.Kind)
	require.Equal(t, reason, f.Reason)
}

func open(t *testing.T, books *memory.Ledger, id string) {
	t.Helper()
	_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: id})
	require.NoError(t, err)
}

// fill has a run make attempts that end.
func fill(t *testing.T, books *memory.Ledger, run string, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		id := fmt.Sprint(run, i)
		_, err := books.Reserve(t.Context(), asking(run, id))
		require.NoError(t, err)
		require.NoError(t, books.Settle(t.Context(), saying(id)))
	}
}

func ids(t *testing.T, books ledger.Ledger) []string {
	t.Helper()
	var all []string
	for r, err := range books.Records(t.Context(), ledger.Filter{}) {
		require.NoError(t, err)
		all = append(all, r.Attempt)
	}
	return all
}

// TestKeep bounds what is kept: at least Keep, at most twice as many, the newest,
// and never an open attempt. The totals stay those of all.
func TestKeep(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{Keep: 3})
	open(t, books, "r")
	_, err := books.Reserve(t.Context(), asking("r", "open"))
	require.NoError(t, err)
	for i := range 40 {
		fill(t, books, "r", i, i+1)
		kept := ids(t, books)
		assert.Contains(t, kept, "open")
		assert.Contains(t, kept, fmt.Sprint("r", i))
		assert.GreaterOrEqual(t, len(kept), min(i+1, 3)+1)
		assert.LessOrEqual(t, len(kept), 2*3+1)
	}
	run, _, err := books.Run(t.Context(), "r")
	require.NoError(t, err)
	assert.Equal(t, int64(41), run.Totals.Calls)
	assert.Equal(t, int64(40*12), run.Totals.Cost.Charged)
	requireFailure(t, books.Settle(t.Context(), saying("r0")), events.InvalidRequest, events.ReasonBadParameter)

	data, err := books.Save()
	require.NoError(t, err)
	again, err := memory.Load(data, memory.Options{Keep: 3})
	require.NoError(t, err, "what was forgotten is in the totals")
	assert.Equal(t, ids(t, books), ids(t, again))
	fill(t, again, "r", 40, 60)
	assert.LessOrEqual(t, len(ids(t, again)), 2*3+1, "a loaded ledger forgets as well")
}

func TestKeepAll(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{Keep: -1})
	open(t, books, "r")
	fill(t, books, "r", 0, 100)
	assert.Len(t, ids(t, books), 100)
}

// TestRecoveredAttemptsAreForgottenToo: otherwise callers that always vanish would
// fill the memory.
func TestRecoveredAttemptsAreForgottenToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		books := memory.New(memory.Options{Keep: 2})
		for i := range 20 {
			_, err := books.Reserve(t.Context(), asking("", fmt.Sprint(i)))
			require.NoError(t, err)
		}
		time.Sleep(ledger.DefaultExpires)
		recovered, err := books.Recover(t.Context())
		require.NoError(t, err)
		assert.Len(t, recovered, 20)
		time.Sleep(memory.LateFor - time.Nanosecond)
		_, err = books.Recover(t.Context())
		require.NoError(t, err)
		assert.Len(t, ids(t, books), 20, "each may still be settled")
		time.Sleep(time.Nanosecond)
		_, err = books.Recover(t.Context())
		require.NoError(t, err)
		assert.LessOrEqual(t, len(ids(t, books)), 4)
	})
}

// TestLateSettlements settles an attempt that was recovered, when more have ended since
// than are kept, and those are kept beside it.
func TestLateSettlements(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{0, memory.LateFor - time.Nanosecond} {
		synctest.Test(t, func(t *testing.T) {
			books := memory.New(memory.Options{Keep: 1})
			open(t, books, "r")
			_, err := books.Reserve(t.Context(), asking("r", "late"))
			require.NoError(t, err)
			time.Sleep(ledger.DefaultExpires)
			_, err = books.Recover(t.Context())
			require.NoError(t, err)
			time.Sleep(late)
			for i := range 9 {
				fill(t, books, "r", i, i+1)
				assert.Subset(t, ids(t, books), []string{"late", fmt.Sprint("r", i)}, "the newest is kept beside it")
			}
			require.NoError(t, books.Settle(t.Context(), saying("r8")), "the newest can be said again")
			assert.False(t, books.Forget("r"), "it may be settled late")
			data, err := books.Save()
			require.NoError(t, err)
			books, err = memory.Load(data, memory.Options{Keep: 1})
			require.NoError(t, err)
			fill(t, books, "r", 9, 20)
			require.NoError(t, books.Settle(t.Context(), saying("late")))
			run, _, err := books.Run(t.Context(), "r")
			require.NoError(t, err)
			assert.Equal(t, ledger.Sum{Charged: 21 * 12, Known: 21 * 12}, run.Totals.Cost)
			assert.True(t, books.Forget("r"))
		})
	}
}

// TestForgetAfterALongTime: nobody waits for a settlement for ever.
func TestForgetAfterALongTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		books := memory.New(memory.Options{})
		open(t, books, "r")
		_, err := books.Reserve(t.Context(), asking("r", "lost"))
		require.NoError(t, err)
		time.Sleep(ledger.DefaultExpires)
		_, err = books.Recover(t.Context())
		require.NoError(t, err)
		time.Sleep(memory.LateFor - time.Nanosecond)
		assert.False(t, books.Forget("r"))
		time.Sleep(time.Nanosecond)
		assert.True(t, books.Forget("r"))
	})
}

func TestForget(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{Keep: 100})
	open(t, books, "r")
	open(t, books, "s")
	fill(t, books, "r", 0, 3)
	fill(t, books, "s", 0, 2)
	_, err := books.Reserve(t.Context(), asking("s", "open"))
	require.NoError(t, err)

	assert.False(t, books.Forget("s"), "an attempt is out")
	assert.False(t, books.Forget("nobody"))
	assert.True(t, books.Forget("r"))
	assert.False(t, books.Forget("r"))
	_, ok, err := books.Run(t.Context(), "r")
	require.NoError(t, err)
	assert.False(t, ok)
	assert.Equal(t, []string{"s0", "s1", "open"}, ids(t, books))
	_, err = books.Reserve(t.Context(), asking("r", "r9"))
	requireFailure(t, err, events.InvalidRequest, events.ReasonBadParameter)

	open(t, books, "r")
	fill(t, books, "r", 0, 1)
	run, _, err := books.Run(t.Context(), "r")
	require.NoError(t, err)
	assert.Equal(t, int64(1), run.Totals.Calls, "a run of the same name begins anew")
	data, err := books.Save()
	require.NoError(t, err)
	_, err = memory.Load(data, memory.Options{})
	require.NoError(t, err)
}

// TestNobodyChangesTheBooks writes into what the ledger handed out.
func TestNobodyChangesTheBooks(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCost: 10}})
	require.NoError(t, err)
	_, err = books.Reserve(t.Context(), asking("r", "a"))
	require.Error(t, err)
	run, _, err := books.Run(t.Context(), "r")
	require.NoError(t, err)
	run.Closed.Max = 1000
	for run := range books.Runs(t.Context()) {
		assert.Equal(t, int64(10), run.Closed.Max)
		run.Closed.Max = 2000
	}
	run, _, err = books.Run(t.Context(), "r")
	require.NoError(t, err)
	assert.Equal(t, int64(10), run.Closed.Max)
}

// TestConcurrent has many goroutines use everything at once; the race detector and
// the sums look on.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{Keep: 50})
	_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCost: 3000, AllowSmaller: true}})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() { work(t, books, worker) })
	}
	wg.Wait()
	run, _, err := books.Run(t.Context(), "r")
	require.NoError(t, err)
	assert.Zero(t, run.Totals.Open)
	assert.Zero(t, run.Totals.OpenCost)
	assert.LessOrEqual(t, run.Totals.Cost.Charged, int64(3000))
	assert.Greater(t, run.Totals.Cost.Charged, int64(3000-30), "the budget is used")
	data, err := books.Save()
	require.NoError(t, err)
	_, err = memory.Load(data, memory.Options{})
	require.NoError(t, err)
}

func work(t *testing.T, books *memory.Ledger, worker int) {
	for i := range 200 {
		id := fmt.Sprint(worker, "-", i)
		_, err := books.Reserve(t.Context(), asking("r", id))
		if err == nil {
			err = books.Settle(t.Context(), saying(id))
		}
		var e *ledger.Exceeded
		if err != nil && !errors.As(err, &e) {
			t.Errorf("attempt %s: %v", id, err)
		}
		run, _, err := books.Run(t.Context(), "r")
		if err != nil || run.Totals.SpentCost() > 3000 {
			t.Errorf("run: %v, spent %s", err, run.Totals.SpentCost())
		}
		switch i % 50 {
		case 0:
			_, err = books.Recover(t.Context())
		case 1:
			_, err = books.Save()
		case 2:
			_, err = ledger.GroupBy(books.Records(t.Context(), ledger.Filter{}), ledger.ByStatus)
		case 3:
			for range books.Runs(t.Context()) {
				break
			}
		default:
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// TestRangingDoesNotBlock settles inside the loop over the records.
func TestRangingDoesNotBlock(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	_, err := books.Reserve(t.Context(), asking("", "a"))
	require.NoError(t, err)
	for r := range books.Records(t.Context(), ledger.Filter{Status: ledger.Dispatched}) {
		require.NoError(t, books.Settle(t.Context(), saying(r.Attempt)))
	}
	for run := range books.Runs(t.Context()) {
		_, _, err := books.Run(t.Context(), run.ID)
		require.NoError(t, err)
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	books := memory.New(memory.Options{})
	_, err := books.Reserve(ctx, asking("", "a"))
	requireFailure(t, err, events.LimitReached, events.ReasonLedgerUnavailable)
	require.ErrorIs(t, err, context.Canceled)
	_, ok, err := books.Run(t.Context(), ledger.NoRun)
	require.NoError(t, err)
	assert.False(t, ok)
}
