package sqlledger_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger/internal/pgtest"
)

// copied has a ledger hold n attempts, 1 to n, of which the first was reserved and the
// others are copies of its row.
func copied(t *testing.T, d database, dsn string, n int) {
	t.Helper()
	books := openAt(t, dsn, sqlledger.Options{NoSync: true})
	require.NoError(t, reserve0(t, books, "1"))
	const columns = `run, call, number, actor, purpose, provider, model, status, recovered, certainty, cost_micros, cost_certainty,
		failure_kind, failure_reason, dispatched_at, expires_at`
	for statement := range statements(d, `
		WITH RECURSIVE ids(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM ids WHERE n < `+fmt.Sprint(n)+`)
		INSERT INTO weir_attempts (attempt, record, `+columns+`)
		SELECT CAST(n AS TEXT), replace(CAST(record AS TEXT), '"attempt":"1"', '"attempt":"' || n || '"')::json, `+columns+`
		FROM ids, weir_attempts ORDER BY ids.n`) {
		_, err := raw(t, dsn).ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
}

// TestPages reads as many records as fit into pages, and some more and less: each
// comes once, in order.
func TestPages(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		for _, n := range []int{sqlledger.PageRows - 1, sqlledger.PageRows, sqlledger.PageRows + 1, 2*sqlledger.PageRows + 1} {
			dsn := d.fresh(t)
			copied(t, d, dsn, n)
			books := openAt(t, dsn, sqlledger.Options{SkipVerify: true})
			for _, match := range []ledger.Filter{{}, {Run: ledger.NoRun, Actor: "ann"}} {
				seen := 0
				for r, err := range books.Records(t.Context(), match) {
					require.NoError(t, err)
					seen++
					require.Equal(t, fmt.Sprint(seen), r.Attempt)
				}
				assert.Equal(t, n, seen)
			}
		}
	})
}

// TestReadersThatWrite has as many loops over records as there are connections, each of
// which writes: nobody waits for a connection that a loop holds.
func TestReadersThatWrite(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		pool := raw(t, dsn)
		pool.SetMaxOpenConns(1)
		shared, err := sqlledger.OpenDB(t.Context(), pool, d.dialect, sqlledger.Options{})
		require.NoError(t, err)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		for i, books := range []*sqlledger.Ledger{
			openAt(t, dsn, sqlledger.Options{NoSync: true}), openAt(t, dsn, sqlledger.Options{NoSync: true, MaxConns: 1}), shared,
		} {
			run := fmt.Sprint("run", i)
			_, err := books.OpenRun(ctx, ledger.RunSpec{ID: run})
			require.NoError(t, err)
			for n := range 3 {
				_, err := books.Reserve(ctx, asking(run, fmt.Sprint(run, n)))
				require.NoError(t, err)
			}
			var wg sync.WaitGroup
			for range sqlledger.DefaultMaxConns {
				wg.Go(func() {
					for r, err := range books.Records(ctx, ledger.Filter{Run: run}) {
						if assert.NoError(t, err) {
							assert.NoError(t, books.Settle(ctx, saying(r.Attempt, 1)))
						}
					}
					for run, err := range books.Runs(ctx) {
						if assert.NoError(t, err) {
							assert.NoError(t, books.Release(ctx, run.ID, "nobody"))
						}
					}
				})
			}
			wg.Wait()
			found, _, err := books.Run(ctx, run)
			require.NoError(t, err)
			assert.Equal(t, int64(3), found.Totals.OK)
			require.NoError(t, books.Verify(ctx))
		}
	})
}

// TestLostWhileReading cuts the connection in the middle of the records: a page is read
// again, and each record comes once. When there is no server any more the end is an
// error, and what came before it is right.
func TestLostWhileReading(t *testing.T) {
	t.Parallel()
	s, err := server()
	pgtest.Need(t, err)
	p := newProxy(t, s.Addr)
	dsn := postgreSQLThrough(t, p.addr())
	copied(t, databases()[1], dsn, 2*sqlledger.PageRows)
	for _, stop := range []bool{false, true} {
		books := openAt(t, dsn, sqlledger.Options{SkipVerify: true, MaxConns: 1, RetryFor: 2 * time.Second})
		p.cutAfter(toClient, sqlledger.PageRows/2)
		seen, failures := 0, 0
		for r, err := range books.Records(t.Context(), ledger.Filter{}) {
			if err != nil {
				requireUnavailable(t, err)
				failures++
				continue
			}
			require.Zero(t, failures, "nothing comes after an error")
			seen++
			require.Equal(t, fmt.Sprint(seen), r.Attempt)
			if seen == sqlledger.PageRows && stop {
				p.stop(t)
			}
		}
		if stop {
			assert.Equal(t, 1, failures)
			assert.Equal(t, sqlledger.PageRows, seen)
			p.listen(t, p.addr())
			return
		}
		assert.True(t, p.hasCut())
		assert.Zero(t, failures)
		assert.Equal(t, 2*sqlledger.PageRows, seen)
	}
}
