package sqlledger_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
)

// aWhile is long enough to see that something waits.
const aWhile = 200 * time.Millisecond

// waits starts a call, wants it to wait, has it go on, and returns its error.
func waits(t *testing.T, call func() error, goOn func()) error {
	t.Helper()
	over := make(chan error, 1)
	go func() { over <- call() }()
	select {
	case err := <-over:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(aWhile):
	}
	goOn()
	return <-over
}

func connection(t *testing.T, dsn string) *sql.Conn {
	t.Helper()
	conn, err := raw(t, dsn).Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	return conn
}

func do(t *testing.T, conn *sql.Conn, statement string) {
	t.Helper()
	_, err := conn.ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

// TestTheClockIsReadUnderTheLock has a call wait for a run: it happens when it has
// the run, not when it asked for it, so that no run is used after its end.
func TestTheClockIsReadUnderTheLock(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		books := openAt(t, dsn, sqlledger.Options{})
		_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxElapsed: time.Hour}})
		require.NoError(t, err)
		conn := connection(t, dsn)
		if d.dialect == sqlledger.SQLite {
			do(t, conn, `BEGIN IMMEDIATE`)
		} else {
			do(t, conn, `BEGIN`)
			do(t, conn, `SELECT 1 FROM weir_runs WHERE id = 'r' FOR UPDATE`)
		}
		var hold ledger.Hold
		var freed time.Time
		err = waits(t, func() error {
			var err error
			hold, err = books.Reserve(t.Context(), asking("r", "a"))
			return err
		}, func() {
			freed = time.Now().Truncate(time.Microsecond) // the server is on this machine
			do(t, conn, `COMMIT`)
		})
		require.NoError(t, err)
		assert.False(t, hold.DispatchedAt.Before(freed), "dispatched at %s, and the run was free at %s", hold.DispatchedAt, freed)
	})
}

// TestSettlingLocksToo has a settlement wait for its run.
func TestSettlingLocksToo(t *testing.T) {
	t.Parallel()
	dsn := postgreSQL(t)
	books := openAt(t, dsn, sqlledger.Options{})
	_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: "r"})
	require.NoError(t, err)
	require.NoError(t, reserve(t, books, "a"))
	conn := connection(t, dsn)
	do(t, conn, `BEGIN`)
	do(t, conn, `SELECT 1 FROM weir_runs WHERE id = 'r' FOR UPDATE`)
	require.NoError(t, waits(t, func() error { return books.Settle(t.Context(), saying("a", 1)) }, func() { do(t, conn, `COMMIT`) }))
}

// TestMigratingWaits has another process migrate.
func TestMigratingWaits(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		conn := connection(t, dsn)
		do(t, conn, map[sqlledger.Dialect]string{sqlledger.SQLite: `BEGIN IMMEDIATE`, sqlledger.PostgreSQL: `BEGIN`}[d.dialect])
		if d.dialect == sqlledger.PostgreSQL {
			do(t, conn, sqlledger.Guard(d.dialect))
		}
		err := waits(t, func() error {
			books, err := sqlledger.Open(t.Context(), dsn, sqlledger.Options{})
			if err == nil {
				err = books.Close()
			}
			return err
		}, func() { do(t, conn, `ROLLBACK`) })
		require.NoError(t, err)
	})
}

// TestGoroutinesWaitForEachOther: those of one process never find the file busy, also
// in a pool that does not wait for locks and with nothing tried again.
func TestGoroutinesWaitForEachOther(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "ledger.db")+"?_pragma=journal_mode(WAL)")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	books, err := sqlledger.OpenDB(t.Context(), db, sqlledger.SQLite, sqlledger.Options{RetryFor: time.Nanosecond})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 10 {
				id := fmt.Sprint(worker, "-", i)
				assert.NoError(t, reserve0(t, books, id))
				assert.NoError(t, books.Settle(t.Context(), saying(id, 2)))
			}
		})
	}
	wg.Wait()
}
