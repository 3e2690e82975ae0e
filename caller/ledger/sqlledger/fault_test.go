package sqlledger_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger/internal/pgtest"
)

// A step is a call whose connection is lost.
type step struct {
	name string
	// before prepares an attempt, do is the call, after says what has to be true.
	before, do func(t *testing.T, books *sqlledger.Ledger, id string) error
	after      func(t *testing.T, books *sqlledger.Ledger, id string)
}

func reserve(t *testing.T, books *sqlledger.Ledger, id string) error {
	r := asking("r", id)
	r.Expires = time.Hour
	_, err := books.Reserve(t.Context(), r)
	return err
}

func nothing(*testing.T, *sqlledger.Ledger, string) error { return nil }

func steps() []step {
	run := func(t *testing.T, books *sqlledger.Ledger) ledger.Run {
		run, ok, err := books.Run(t.Context(), "r")
		require.NoError(t, err)
		require.True(t, ok)
		return run
	}
	status := func(t *testing.T, books *sqlledger.Ledger, id string) ledger.Status {
		found := ledger.Status("none")
		for r, err := range books.Records(t.Context(), ledger.Filter{Run: "r"}) {
			require.NoError(t, err)
			if r.Attempt == id {
				require.Equal(t, ledger.Status("none"), found, "there are two records")
				found = r.Status()
			}
		}
		return found
	}
	tools := int64(0)
	var recovered []ledger.Record
	return []step{
		{
			"reserve", nothing, reserve,
			func(t *testing.T, books *sqlledger.Ledger, id string) {
				require.Equal(t, ledger.Dispatched, status(t, books, id))
				require.Equal(t, int64(1), run(t, books).Totals.Open)
				require.NoError(t, books.Settle(t.Context(), saying(id, 3)))
			},
		},
		{
			"settle", reserve,
			func(t *testing.T, books *sqlledger.Ledger, id string) error {
				return books.Settle(t.Context(), saying(id, 3))
			},
			func(t *testing.T, books *sqlledger.Ledger, id string) {
				require.Equal(t, charge.OK, status(t, books, id))
				require.Equal(t, 3*run(t, books).Totals.Calls, run(t, books).Totals.Cost.Charged)
			},
		},
		{
			"begin a tool", nothing,
			func(t *testing.T, books *sqlledger.Ledger, _ string) error {
				return books.BeginTool(t.Context(), "r", "")
			},
			func(t *testing.T, books *sqlledger.Ledger, _ string) {
				tools++
				require.Equal(t, tools, run(t, books).ToolCalls, "the tool was counted twice, or not at all")
			},
		},
		{
			"recover",
			func(t *testing.T, books *sqlledger.Ledger, id string) error {
				err := reserve(t, books, id)
				sqlledger.Advance(books, 2*time.Hour)
				return err
			},
			func(t *testing.T, books *sqlledger.Ledger, _ string) error {
				var err error
				recovered, err = books.Recover(t.Context())
				return err
			},
			func(t *testing.T, books *sqlledger.Ledger, id string) {
				require.Len(t, recovered, 1, "what was booked is told")
				require.Equal(t, id, recovered[0].Attempt)
				require.Equal(t, charge.Ambiguous, status(t, books, id))
			},
		},
		{
			"open a run", nothing,
			func(t *testing.T, books *sqlledger.Ledger, id string) error {
				_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: "new-" + id, Limits: ledger.Limits{MaxCalls: 1}})
				return err
			},
			func(t *testing.T, books *sqlledger.Ledger, id string) {
				_, ok, err := books.Run(t.Context(), "new-"+id)
				require.NoError(t, err)
				require.True(t, ok)
			},
		},
	}
}

// TestLostConnections cuts the connection after each message of each call, in both
// directions. The call succeeds all the same, and happened once.
func TestLostConnections(t *testing.T) {
	t.Parallel()
	s, err := server()
	pgtest.Need(t, err)
	for _, step := range steps() {
		t.Run(step.name, func(t *testing.T) {
			t.Parallel()
			p := newProxy(t, s.Addr)
			books := openAt(t, postgreSQLThrough(t, p.addr()), sqlledger.Options{NoSync: true})
			_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: "r"})
			require.NoError(t, err)
			for _, way := range []direction{toServer, toClient} {
				cuts := 0
				for n := 1; ; n++ {
					id := fmt.Sprint(way, n)
					require.NoError(t, step.before(t, books, id))
					p.cutAfter(way, n)
					require.NoError(t, step.do(t, books, id), "cut after message %d %s", n, way)
					cut := p.hasCut()
					step.after(t, books, id)
					if !cut {
						break
					}
					cuts++
				}
				assert.Greater(t, cuts, 5, "%s: a transaction has more messages", way)
			}
			require.NoError(t, books.Verify(t.Context()))
		})
	}
}

// TestServerThatStops stops the server under a ledger: a typed failure after the time
// for retries, and no address in it.
func TestServerThatStops(t *testing.T) {
	t.Parallel()
	s, err := server()
	pgtest.Need(t, err)
	p := newProxy(t, s.Addr)
	books := openAt(t, postgreSQLThrough(t, p.addr()), sqlledger.Options{NoSync: true, RetryFor: 50 * time.Millisecond})
	require.NoError(t, reserve0(t, books, "a"))
	p.stop(t)
	requireUnavailable(t, reserve0(t, books, "b"))
	requireUnavailable(t, books.Settle(t.Context(), saying("a", 1)))
	_, _, err = books.Run(t.Context(), ledger.NoRun)
	requireUnavailable(t, err)
	p.listen(t, p.addr())
	require.NoError(t, books.Settle(t.Context(), saying("a", 1)), "it goes on when the server is there again")
}

func reserve0(t *testing.T, books *sqlledger.Ledger, id string) error {
	_, err := books.Reserve(t.Context(), asking("", id))
	return err
}

// TestTwoClocks gives two processes machines whose clocks are years apart. On
// PostgreSQL the server's clock counts and nothing else.
func TestTwoClocks(t *testing.T) {
	t.Parallel()
	dsn := postgreSQL(t)
	slow, fast := openAt(t, dsn, sqlledger.Options{}), openAt(t, dsn, sqlledger.Options{})
	sqlledger.SetMachineClock(slow, func() time.Time { return time.Now().AddDate(-10, 0, 0) })
	sqlledger.SetMachineClock(fast, func() time.Time { return time.Now().AddDate(10, 0, 0) })
	spec := ledger.RunSpec{ID: "r", Owner: "ann", Lease: time.Hour, Limits: ledger.Limits{MaxElapsed: time.Hour}}
	_, err := slow.OpenRun(t.Context(), spec)
	require.NoError(t, err)
	spec.Owner = "ben"
	_, err = fast.OpenRun(t.Context(), spec)
	require.Error(t, err, "the lease is not over")
	var holds []ledger.Hold
	for i, books := range []ledger.Ledger{slow, fast, slow} {
		r := asking("r", fmt.Sprint(i))
		r.Owner, r.Expires = "ann", time.Hour
		hold, err := books.Reserve(t.Context(), r)
		require.NoError(t, err)
		holds = append(holds, hold)
	}
	assert.False(t, holds[1].DispatchedAt.Before(holds[0].DispatchedAt))
	assert.Less(t, holds[2].DispatchedAt.Sub(holds[0].DispatchedAt), time.Minute)
	assert.WithinDuration(t, time.Now(), holds[0].DispatchedAt, time.Minute, "the server is on this machine")
	recovered, err := fast.Recover(t.Context())
	require.NoError(t, err)
	assert.Empty(t, recovered, "nobody's time is over")
}

// TestDeadBetweenReserveAndSettle: the process that reserved is gone, another one
// books at the estimate, and the first comes back after all.
func TestDeadBetweenReserveAndSettle(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		first, err := sqlledger.Open(t.Context(), dsn, sqlledger.Options{})
		require.NoError(t, err)
		_, err = first.OpenRun(t.Context(), ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCost: 40}})
		require.NoError(t, err)
		require.NoError(t, reserve(t, first, "a"))
		require.NoError(t, first.Close())

		second := openAt(t, dsn, sqlledger.Options{})
		require.Error(t, reserve(t, second, "b"), "what was reserved stays so")
		sqlledger.Advance(second, time.Hour)
		recovered, err := second.Recover(t.Context())
		require.NoError(t, err)
		require.Len(t, recovered, 1)
		third := openAt(t, dsn, sqlledger.Options{})
		require.NoError(t, third.Settle(t.Context(), saying("a", 7)))
		run, _, err := third.Run(t.Context(), "r")
		require.NoError(t, err)
		assert.Equal(t, ledger.Sum{Charged: 7, Known: 7}, run.Totals.Cost)
		require.NoError(t, third.Verify(t.Context()))
	})
}

// TestBusySQLite holds the lock that every writer needs.
func TestBusySQLite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	patient := openAt(t, path, sqlledger.Options{})
	hasty := openAt(t, path, sqlledger.Options{RetryFor: time.Nanosecond})
	conn, err := raw(t, "sqlite:"+path).Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	_, err = conn.ExecContext(t.Context(), `BEGIN IMMEDIATE`)
	require.NoError(t, err)

	requireUnavailable(t, reserve0(t, hasty, "a"))
	_, _, err = hasty.Run(t.Context(), "r")
	require.NoError(t, err, "readers do not wait")
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	began := time.Now()
	_, err = patient.Reserve(ctx, asking("", "b"))
	requireUnavailable(t, err)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Less(t, time.Since(began), 5*time.Second, "the context ends the wait")

	over := make(chan error)
	go func() { over <- reserve0(t, patient, "c") }()
	select {
	case err := <-over:
		t.Fatalf("the lock was not held: %v", err)
	case <-time.After(1500 * time.Millisecond): // longer than SQLite waits by itself
	}
	_, err = conn.ExecContext(t.Context(), `ROLLBACK`)
	require.NoError(t, err)
	require.NoError(t, <-over)
}

// TestSerializableByDefault has a pool whose transactions would collide by the rules of
// serializable isolation: the ledger asks for its own, and nothing is tried again.
func TestSerializableByDefault(t *testing.T) {
	t.Parallel()
	dsn := postgreSQL(t)
	db := raw(t, dsn+"&default_transaction_isolation="+url.QueryEscape("serializable"))
	books, err := sqlledger.OpenDB(t.Context(), db, sqlledger.PostgreSQL, sqlledger.Options{RetryFor: time.Nanosecond})
	require.NoError(t, err)
	_, err = books.OpenRun(t.Context(), ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCost: 1_000_000}})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 10 {
				id := fmt.Sprint(worker, "-", i)
				assert.NoError(t, reserve(t, books, id))
				assert.NoError(t, books.Settle(t.Context(), saying(id, 2)))
			}
		})
	}
	wg.Wait()
	run, _, err := books.Run(t.Context(), "r")
	require.NoError(t, err)
	assert.Equal(t, int64(80), run.Totals.OK)
	require.NoError(t, books.Verify(t.Context()))
}

// TestTheSameIDInTwoRuns reserves an id in two runs at once: one has it.
func TestTheSameIDInTwoRuns(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		books := openAt(t, d.fresh(t), sqlledger.Options{NoSync: true})
		for _, run := range []string{"r", "s"} {
			_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: run})
			require.NoError(t, err)
		}
		for i := range 10 {
			won := make(chan bool, 2)
			for _, run := range []string{"r", "s"} {
				go func() {
					_, err := books.Reserve(t.Context(), asking(run, fmt.Sprint(i)))
					won <- err == nil
				}()
			}
			first, second := <-won, <-won
			require.NotEqual(t, first, second)
		}
		require.NoError(t, books.Verify(t.Context()))
	})
}

func TestWhatPasses(t *testing.T) {
	t.Parallel()
	for code, passes := range map[string]bool{
		"40001": true, "40P01": true, "08006": true, "23505": true, "55P03": true, "53300": true, "57P01": true, "57P02": true, "57P03": true,
		"28P01": false, "42P01": false, "42501": false, "22021": false, "53100": false, "XX001": false, "25006": false,
	} {
		err := fmt.Errorf("wrapped: %w", &pgconn.PgError{Code: code})
		assert.Equal(t, passes, sqlledger.Passes(sqlledger.PostgreSQL, err), code)
	}
	assert.True(t, sqlledger.Passes(sqlledger.PostgreSQL, errors.New("connection reset by peer")), "what is not the server's answer")
	assert.False(t, sqlledger.Passes(sqlledger.SQLite, sql.ErrConnDone))
}
