package sqlledger_test

import (
	"database/sql"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
	"github.com/weirsdk/weir/events"
)

// A database is a kind of database for tests that run with each.
type database struct {
	dialect sqlledger.Dialect
	fresh   func(testing.TB) string
}

func databases() []database {
	return []database{
		{sqlledger.SQLite, func(tb testing.TB) string { return "sqlite:" + filepath.Join(tb.TempDir(), "ledger.db") }},
		{sqlledger.PostgreSQL, postgreSQL},
	}
}

// withEach runs a test with each database.
func withEach(t *testing.T, test func(t *testing.T, d database)) {
	t.Helper()
	for _, d := range databases() {
		t.Run(string(d.dialect), func(t *testing.T) {
			t.Parallel()
			test(t, d)
		})
	}
}

// raw opens the database of a ledger as anybody could.
func raw(tb testing.TB, dsn string) *sql.DB {
	tb.Helper()
	driver, address := "pgx", dsn
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		driver, address = "sqlite", "file:"+path+"?_pragma=busy_timeout(5000)"
	}
	db, err := sql.Open(driver, address)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, db.Close()) })
	return db
}

func asking(run, id string) ledger.Reservation {
	return ledger.Reservation{
		Attempt: id, Run: run, Model: "p:m", Provider: "p", Actor: "ann",
		Estimate:      events.Usage{Input: events.Known(10), Output: events.Known(20)},
		EstimatedCost: 30, Priced: true,
	}
}

func saying(id string, amount int64) ledger.Settlement {
	u := events.Usage{Input: events.Known(amount / 2), Output: events.Known(amount - amount/2)}
	return ledger.Settlement{
		Attempt: id, Status: charge.OK, Usage: u, Known: u, Certainty: charge.Exact,
		Cost: events.Micros(amount), KnownCost: events.Micros(amount), CostCertainty: charge.Exact,
	}
}

func requireFailure(t *testing.T, err error, kind events.FailureKind, reason events.Reason) {
	t.Helper()
	require.Error(t, err)
	f, ok := events.AsFailure(err)
	require.True(t, ok, "%T is no failure", err)
	require.Equal(t, kind, f.Kind, f.Error())
	require.Equal(t, reason, f.Reason, f.Error())
	for _, secret := range []string{"secret", "127.0.0.1", "weir@", os.TempDir(), "SELECT", "INSERT", "UPDATE"} {
		require.NotContains(t, f.Error(), secret, "an address, a password or SQL is shown")
	}
}

func requireUnavailable(t *testing.T, err error) {
	t.Helper()
	requireFailure(t, err, events.LimitReached, events.ReasonLedgerUnavailable)
}

// filled fills a ledger: two runs, one with three attempts, ended, open and
// recovered, and closes it.
func filled(t *testing.T, dsn string) {
	t.Helper()
	books, err := sqlledger.Open(t.Context(), dsn, sqlledger.Options{NoSync: true})
	require.NoError(t, err)
	_, err = books.OpenRun(t.Context(), ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCost: 1000, MaxToolCalls: 5}})
	require.NoError(t, err)
	for _, id := range []string{"ended", "open", "lost"} {
		_, err = books.Reserve(t.Context(), asking("r", id))
		require.NoError(t, err)
	}
	require.NoError(t, books.Settle(t.Context(), saying("ended", 12)))
	require.NoError(t, books.BeginTool(t.Context(), "r", ""))
	_, err = books.Reserve(t.Context(), asking("", "none"))
	require.NoError(t, err)
	require.NoError(t, books.Verify(t.Context()))
	require.NoError(t, books.Close())
}

// statements returns SQL, which is written for PostgreSQL, one by one.
func statements(d database, text string) iter.Seq[string] {
	if d.dialect == sqlledger.SQLite {
		text = strings.ReplaceAll(text, "::json", "")
	}
	return strings.SplitSeq(text, ";")
}
