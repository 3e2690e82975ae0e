package sqlledger

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// A querier is a pool or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// The waits between tries: from first, doubled, up to most, each anything from half
// of it to all, so that many that collided do not do so again.
const (
	firstWait = 2 * time.Millisecond
	mostWait  = 250 * time.Millisecond
)

// retry calls do, with the number of the try, until it succeeds, fails for good, or
// has been tried for long enough. What comes back is nil or a failure of ours.
func (l *Ledger) retry(ctx context.Context, do func(try int) error) error {
	began := time.Now()
	for try := 0; ; try++ {
		if err := ledger.Stopped(ctx); err != nil {
			return err
		}
		err := do(try)
		if err == nil || isOurs(err) {
			return err
		}
		if stopped := ledger.Stopped(ctx); stopped != nil {
			return stopped
		}
		v := l.verdict(err)
		if !v.passes || time.Since(began) > l.retryFor {
			return ledger.Unavailable(l.dialect.name + ": " + v.what)
		}
		wait(ctx, try)
	}
}

// verdict says what an error means, of the driver or of its pool.
func (l *Ledger) verdict(err error) verdict {
	if errors.Is(err, sql.ErrConnDone) || err.Error() == poolClosed {
		return verdict{what: "the ledger is closed"}
	}
	return l.dialect.judge(err)
}

// poolClosed is the error of a pool that was closed, which package database/sql does
// not export (Go 1.26, errDBClosed in sql.go).
const poolClosed = "sql: database is closed"

// isOurs reports whether an error is a failure of this library already.
func isOurs(err error) bool {
	_, ok := events.AsFailure(err)
	return ok
}

// wait waits before the next try, or until ctx ends.
func wait(ctx context.Context, try int) {
	d := min(firstWait<<min(try, 10), mostWait)
	timer := time.NewTimer(d/2 + rand.N(d/2+1))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// transact runs do in a transaction and commits it, unless do fails.
func (l *Ledger) transact(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	if l.writing != nil {
		select {
		case l.writing <- struct{}{}:
			defer func() { <-l.writing }()
		case <-ctx.Done():
			return ledger.Stopped(ctx)
		}
	}
	tx, err := l.db.BeginTx(ctx, l.dialect.change)
	if err != nil {
		return err
	}
	if err := do(ctx, tx); err != nil {
		_ = tx.Rollback() // what failed is err
		if errors.Is(err, errNothing) {
			return nil
		}
		return err
	}
	return tx.Commit()
}

// errNothing ends a transaction that has nothing to write.
var errNothing = errors.New("nothing to write")

// snapshot runs do in a transaction that reads one state of the database.
func (l *Ledger) snapshot(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return l.retry(ctx, func(int) error {
		tx, err := l.db.BeginTx(ctx, l.dialect.reading)
		if err != nil {
			return err
		}
		err = do(ctx, tx)
		_ = tx.Rollback() // it only read
		return err
	})
}
