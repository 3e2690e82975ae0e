package memory_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/ledgertest"
	"github.com/weirsdk/weir/caller/ledger/memory"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	ledgertest.Store{
		Open:    func(testing.TB) ledger.Ledger { return memory.New(memory.Options{}) },
		Advance: func(_ ledger.Ledger, d time.Duration) { time.Sleep(d) },
		Reopen:  func(_ testing.TB, was ledger.Ledger) ledger.Ledger { return was },
		Around:  synctest.Test,
	}.Run(t)
}

// TestConformanceInRealTime runs the suite as a store does that cannot move its
// clock.
func TestConformanceInRealTime(t *testing.T) {
	t.Parallel()
	ledgertest.Run(t, func(testing.TB) ledger.Ledger { return memory.New(memory.Options{Keep: -1}) })
}

// TestSavedLedgersGoOn: what was said before the save is known after it.
func TestSavedLedgersGoOn(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	_, err := books.Reserve(t.Context(), asking("", "a"))
	require.NoError(t, err)
	data, err := books.Save()
	require.NoError(t, err)
	books, err = memory.Load(data, memory.Options{})
	require.NoError(t, err)
	_, err = books.Reserve(t.Context(), asking("", "a"))
	require.NoError(t, err, "the same again")
	require.NoError(t, books.Settle(t.Context(), saying("a")))
}
