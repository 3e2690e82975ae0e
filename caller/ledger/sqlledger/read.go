package sqlledger

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/caller/ledger"
)

// Run returns a run as it is now.
func (l *Ledger) Run(ctx context.Context, id string) (ledger.Run, bool, error) {
	var state string
	var found bool
	if !isText(id) {
		return ledger.Run{}, false, ledger.Stopped(ctx)
	}
	err := l.retry(ctx, func(int) error {
		err := l.db.QueryRowContext(ctx, `SELECT state FROM weir_runs WHERE id = $1`, id).Scan(&state)
		if found = !errors.Is(err, sql.ErrNoRows); !found {
			return nil
		}
		return err
	})
	if err != nil || !found {
		return ledger.Run{}, false, err
	}
	run, err := decode[ledger.Run](state)
	return run, err == nil, err
}

// Runs are all runs. They are read row by row; the loop holds a connection.
func (l *Ledger) Runs(ctx context.Context) iter.Seq2[ledger.Run, error] {
	return stream[ledger.Run](ctx, l, `SELECT state FROM weir_runs ORDER BY seq`, nil)
}

// Records are the attempts that match. They are read row by row; the loop holds a
// connection.
func (l *Ledger) Records(ctx context.Context, match ledger.Filter) iter.Seq2[ledger.Record, error] {
	where, args := l.where(match)
	records := stream[ledger.Record](ctx, l, `SELECT record FROM weir_attempts`+where+` ORDER BY seq`, args)
	return func(yield func(ledger.Record, error) bool) {
		for r, err := range records {
			// The columns hold times of microseconds; the filter is exact.
			if err == nil && !match.Matches(r) {
				continue
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// where returns the condition of a filter.
func (l *Ledger) where(f ledger.Filter) (string, []any) {
	var conditions []string
	var args []any
	add := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, condition+" $"+strconv.Itoa(len(args)))
	}
	for _, p := range [...][2]string{
		{"run", f.Run}, {"call", f.Call}, {"actor", f.Actor}, {"model", f.Model}, {"provider", f.Provider}, {"purpose", f.Purpose}, {"status", string(f.Status)},
	} {
		if p[1] != "" {
			add(p[0]+" =", p[1])
		}
	}
	if !f.Since.IsZero() {
		add("dispatched_at >=", l.dialect.time(f.Since.Truncate(precision)))
	}
	if !f.Before.IsZero() {
		add("dispatched_at <", l.dialect.time(roundedUp(f.Before)))
	}
	if len(conditions) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(conditions, " AND "), args
}

// stream reads a query with one column of JSON. It is tried again until the first
// row came; what fails later ends it.
func stream[T any](ctx context.Context, l *Ledger, query string, args []any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		var rows *sql.Rows
		more := false
		err := l.retry(ctx, func(int) error {
			var err error
			if rows, err = l.db.QueryContext(ctx, query, args...); err != nil {
				return err
			}
			if more = rows.Next(); more {
				return nil
			}
			return errors.Join(rows.Err(), rows.Close())
		})
		if err != nil {
			yield(none, err)
			return
		}
		defer rows.Close() //nolint:errcheck // Err says what went wrong
		for ; more; more = rows.Next() {
			v, err := scan[T](rows)
			if err != nil {
				yield(none, l.failure(ctx, err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(none, l.failure(ctx, err))
		}
	}
}

func scan[T any](rows *sql.Rows) (T, error) {
	var none T
	var text string
	if err := rows.Scan(&text); err != nil {
		return none, err
	}
	return decode[T](text)
}

// failure returns what an error means that is not tried again.
func (l *Ledger) failure(ctx context.Context, err error) error {
	if isOurs(err) {
		return err
	}
	if stopped := ledger.Stopped(ctx); stopped != nil {
		return stopped
	}
	return ledger.Unavailable(l.dialect.name + ": " + l.dialect.judge(err).what)
}
