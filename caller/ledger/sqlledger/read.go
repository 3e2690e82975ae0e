package sqlledger

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

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

// pageRows is how many rows are read at once.
const pageRows = 500

// Runs are all runs. They are read 500 at a time, and the loop holds no connection in
// between: it sees each as it was when it was read.
func (l *Ledger) Runs(ctx context.Context) iter.Seq2[ledger.Run, error] {
	return pages[ledger.Run](ctx, l, query{text: `SELECT seq, state FROM weir_runs WHERE seq > `})
}

// Records are the attempts that match. They are read 500 at a time, and the loop holds
// no connection in between: it sees each as it was when it was read, and may see those
// that came meanwhile.
func (l *Ledger) Records(ctx context.Context, match ledger.Filter) iter.Seq2[ledger.Record, error] {
	where, args, some := l.where(match)
	if !some {
		return none(ctx)
	}
	records := pages[ledger.Record](ctx, l, query{`SELECT seq, record FROM weir_attempts WHERE ` + where + `seq > `, args})
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

// none is of no records, but tells that ctx has ended.
func none(ctx context.Context) iter.Seq2[ledger.Record, error] {
	return func(yield func(ledger.Record, error) bool) {
		if err := ledger.Stopped(ctx); err != nil {
			yield(ledger.Record{}, err)
		}
	}
}

// where returns the conditions of a filter, each with AND behind it; false when it has
// a name that no database takes, and therefore none holds.
func (l *Ledger) where(f ledger.Filter) (text string, args []any, some bool) {
	var conditions []string
	add := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, condition+" $"+strconv.Itoa(len(args))+" AND ")
	}
	for _, p := range [...][2]string{
		{"run", f.Run}, {"call", f.Call}, {"actor", f.Actor}, {"model", f.Model}, {"provider", f.Provider}, {"purpose", f.Purpose}, {"status", string(f.Status)},
	} {
		if !isText(p[1]) {
			return "", nil, false
		}
		if p[1] != "" {
			add(p[0]+" =", p[1])
		}
	}
	if !f.Since.IsZero() {
		add("dispatched_at >=", l.dialect.time(within(f.Since).Truncate(precision)))
	}
	if !f.Before.IsZero() {
		add("dispatched_at <", l.dialect.time(roundedUp(within(f.Before))))
	}
	return strings.Join(conditions, ""), args, true
}

// within returns a time, or the first or last one that every database can hold: those
// of the years 1 to 9999, in which all records are.
func within(t time.Time) time.Time {
	first, last := time.Time{}, time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
	switch {
	case t.Before(first):
		return first
	case t.After(last):
		return last
	default:
		return t
	}
}

// pages reads, page by page, a query of numbers and JSON that ends before the number
// behind which a page begins.
func pages[T any](ctx context.Context, l *Ledger, q query) iter.Seq2[T, error] {
	q.text += "$" + strconv.Itoa(len(q.args)+1) + " ORDER BY seq LIMIT " + strconv.Itoa(pageRows)
	return func(yield func(T, error) bool) {
		var none T
		after := int64(math.MinInt64)
		for more := true; more; {
			rows, err := l.page(ctx, query{q.text, append(slices.Clip(q.args), after)})
			if err != nil {
				yield(none, err)
				return
			}
			for _, r := range rows {
				v, err := decode[T](r.text)
				if err != nil {
					yield(none, err)
					return
				}
				if !yield(v, nil) {
					return
				}
				after = r.seq
			}
			more = len(rows) == pageRows
		}
	}
}

// A numbered row is JSON and its place.
type numbered struct {
	seq  int64
	text string
}

// page reads a page, and tries again until it has all of it.
func (l *Ledger) page(ctx context.Context, q query) ([]numbered, error) {
	var rows []numbered
	err := l.retry(ctx, func(int) error {
		rows = nil
		return each(ctx, l.db, q, func(row scanner) error {
			var r numbered
			err := row.Scan(&r.seq, &r.text)
			rows = append(rows, r)
			return err
		})
	})
	return rows, err
}
