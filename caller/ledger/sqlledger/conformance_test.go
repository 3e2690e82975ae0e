package sqlledger_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/ledgertest"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
)

// openAt opens a ledger that is closed when tb ends.
func openAt(tb testing.TB, dsn string, o sqlledger.Options) *sqlledger.Ledger {
	tb.Helper()
	books, err := sqlledger.Open(tb.Context(), dsn, o)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, books.Close()) })
	return books
}

// conform runs the suite on databases at addresses that fresh returns.
func conform(t *testing.T, fresh func(testing.TB) string) {
	var mu sync.Mutex
	dsns := map[ledger.Ledger]string{}
	open := func(tb testing.TB, dsn string) ledger.Ledger {
		books := openAt(tb, dsn, sqlledger.Options{NoSync: true, MaxConns: 4})
		tb.Cleanup(func() { require.NoError(tb, books.Verify(context.WithoutCancel(tb.Context()))) })
		mu.Lock()
		defer mu.Unlock()
		dsns[books] = dsn
		return books
	}
	ledgertest.Store{
		Open: func(tb testing.TB) ledger.Ledger { return open(tb, fresh(tb)) },
		Reopen: func(tb testing.TB, was ledger.Ledger) ledger.Ledger {
			mu.Lock()
			dsn := dsns[was]
			mu.Unlock()
			return open(tb, dsn)
		},
		Advance: func(l ledger.Ledger, d time.Duration) { sqlledger.Advance(l.(*sqlledger.Ledger), d) },
	}.Run(t)
}

func TestConformanceSQLite(t *testing.T) {
	t.Parallel()
	conform(t, func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "ledger.db") })
}

func TestConformancePostgreSQL(t *testing.T) {
	t.Parallel()
	conform(t, postgreSQL)
}
