package sqlledger

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// Verify reads the whole ledger, as it is at one moment, and reports the first thing
// that does not agree, as limit/ledger_unavailable: an entry of a log that was
// changed, taken out or cut off, a record that is not what the log says last of it,
// a run that is not, columns that do not show what is kept, totals that are not
// those of the records, attempts or entries without a run. It may run while others
// write.
func (l *Ledger) Verify(ctx context.Context) error {
	return l.snapshot(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := l.verifyTypes(ctx, tx); err != nil {
			return err
		}
		runs, err := l.storedRuns(ctx, tx)
		if err != nil {
			return err
		}
		for _, r := range runs {
			if err := l.verifyRun(ctx, tx, r); err != nil {
				return err
			}
		}
		return verifyOrphans(ctx, tx)
	})
}

// verifyTypes looks for values that are of another type than their columns, and read
// the same.
func (l *Ledger) verifyTypes(ctx context.Context, tx *sql.Tx) error {
	for _, query := range l.dialect.mistyped {
		runs, err := texts(ctx, tx, query)
		if err != nil {
			return err
		}
		if len(runs) > 0 {
			return damaged(runs[0], "a value is of another type than its column")
		}
	}
	return nil
}

// verifyTotals holds the totals of every run against its records.
func (l *Ledger) verifyTotals(ctx context.Context) error {
	return l.snapshot(ctx, func(ctx context.Context, tx *sql.Tx) error {
		runs, err := l.storedRuns(ctx, tx)
		if err != nil {
			return err
		}
		sums := map[string]ledger.Totals{}
		err = each(ctx, tx, query{text: `SELECT record FROM weir_attempts`}, func(row scanner) error {
			var text string
			if err := row.Scan(&text); err != nil {
				return err
			}
			r, err := decode[ledger.Record](text)
			sums[r.Run] = sums[r.Run].Plus(ledger.TotalsOf(r))
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range runs {
			if !r.run.Totals.Agrees(sums[r.run.ID]) {
				return damaged(r.run.ID, "its totals are not those of its records")
			}
			delete(sums, r.run.ID)
		}
		for id := range sums {
			return damaged(id, "it has records, and is not there itself")
		}
		return nil
	})
}

func damaged(run, what string) error {
	return ledger.Unavailable("the ledger is damaged: run " + strconv.Quote(events.CutText(run, ledger.MaxName)) + ": " + what)
}

// A storedRun is the row of a run.
type storedRun struct {
	run     ledger.Run
	state   string
	columns []any
	count   int64
	head    string
}

func (l *Ledger) storedRuns(ctx context.Context, tx *sql.Tx) ([]storedRun, error) {
	var runs []storedRun
	const rows = `SELECT id, limits, owner, lease_until, opened_at, state, log_count, log_head FROM weir_runs ORDER BY seq`
	err := each(ctx, tx, query{text: rows}, func(row scanner) error {
		r := storedRun{columns: make([]any, 5)}
		err := row.Scan(&r.columns[0], &r.columns[1], &r.columns[2], &r.columns[3], &r.columns[4], &r.state, &r.count, &r.head)
		if err != nil {
			return err
		}
		if r.run, err = decode[ledger.Run](r.state); err != nil {
			return err
		}
		runs = append(runs, r)
		return nil
	})
	return runs, err
}

// A query is SQL and its parameters.
type query struct {
	text string
	args []any
}

type scanner interface{ Scan(into ...any) error }

// each calls do with each row.
func each(ctx context.Context, db querier, q query, do func(scanner) error) error {
	rows, err := db.QueryContext(ctx, q.text, q.args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err says what went wrong
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (l *Ledger) verifyRun(ctx context.Context, tx *sql.Tx, r storedRun) error {
	columns, err := l.runColumns(r.run)
	if err != nil {
		return err
	}
	if !equal(columns, r.columns) {
		return damaged(r.run.ID, "its columns do not show its state")
	}
	if err := r.run.Check(); err != nil {
		return err
	}
	log, err := verifyLog(ctx, tx, r)
	if err != nil {
		return err
	}
	return l.verifyAttempts(ctx, tx, r.run, log)
}

// A story is what the log of a run says of its attempts.
type story struct {
	// last has the hash of what it says last of each.
	last map[string]string
	// reserved has them in the order of their reservation.
	reserved []string
}

// verifyLog walks the chain of a run's log and returns what it says of attempts.
func verifyLog(ctx context.Context, tx *sql.Tx, r storedRun) (story, error) {
	says := story{last: map[string]string{}}
	var count int64
	var head, state string
	const rows = `SELECT seq, kind, attempt, operation, at, body, state, previous, hash FROM weir_log WHERE run = $1 ORDER BY seq`
	err := each(ctx, tx, query{rows, []any{r.run.ID}}, func(row scanner) error {
		e := entry{run: r.run.ID}
		var at any
		var kept string
		if err := row.Scan(&e.seq, &e.kind, &e.attempt, &e.operation, &at, &e.body, &e.state, &e.previous, &kept); err != nil {
			return err
		}
		e.at = timeOf(at)
		count++
		if e.previous != head || e.hash() != kept {
			return damaged(r.run.ID, "entry "+strconv.FormatInt(count, 10)+" of its log was changed or taken out")
		}
		head, state = kept, e.state
		if e.attempt != "" {
			says.last[e.attempt] = hashOf(e.body)
		}
		if e.kind == kindReserved {
			says.reserved = append(says.reserved, e.attempt)
		}
		return nil
	})
	switch {
	case err != nil:
		return story{}, err
	case count != r.count || head != r.head:
		return story{}, damaged(r.run.ID, "its log has "+strconv.FormatInt(count, 10)+" entries and was cut, or added to")
	case state != hashOf(r.state):
		return story{}, damaged(r.run.ID, "its state is not what the log says last of it")
	default:
		return says, nil
	}
}

// verifyAttempts holds the records of a run, and their order, against its log.
func (l *Ledger) verifyAttempts(ctx context.Context, tx *sql.Tx, run ledger.Run, log story) error {
	var sum ledger.Totals
	var order []string
	const rows = `SELECT ` + attemptColumns + `, record FROM weir_attempts WHERE run = $1 ORDER BY seq`
	err := each(ctx, tx, query{rows, []any{run.ID}}, func(row scanner) error {
		columns, text, err := scanAttempt(row)
		if err != nil {
			return err
		}
		r, err := decode[ledger.Record](text)
		if err != nil {
			return err
		}
		if err := r.Check(); err != nil {
			return err
		}
		attempt := strconv.Quote(events.CutText(r.Attempt, ledger.MaxName))
		if log.last[r.Attempt] != hashOf(text) {
			return damaged(run.ID, "the record of attempt "+attempt+" is not what the log says last of it")
		}
		if !equal(columns, l.attemptColumns(r)) {
			return damaged(run.ID, "the columns of attempt "+attempt+" do not show its record")
		}
		sum, order = sum.Plus(ledger.TotalsOf(r)), append(order, r.Attempt)
		return nil
	})
	switch {
	case err != nil:
		return err
	case !slices.Equal(order, log.reserved):
		return damaged(run.ID, "its attempts are not those of its log, in its order")
	case !run.Totals.Agrees(sum):
		return damaged(run.ID, "its totals are not those of its records")
	default:
		return nil
	}
}

// scanAttempt reads the columns of an attempt, and its record.
func scanAttempt(row scanner) ([]any, string, error) {
	columns := make([]any, 20)
	var text string
	var into []any
	for i := range columns {
		into = append(into, &columns[i])
	}
	err := row.Scan(append(into, &text)...)
	return columns, text, err
}

// verifyOrphans looks for what belongs to no run.
func verifyOrphans(ctx context.Context, tx *sql.Tx) error {
	for _, table := range []string{"weir_attempts", "weir_log"} {
		runs, err := texts(ctx, tx, `SELECT DISTINCT run FROM `+table+` WHERE run NOT IN (SELECT id FROM weir_runs)`)
		if err != nil {
			return err
		}
		if len(runs) > 0 {
			return damaged(runs[0], "it is not there, and has rows in "+table)
		}
	}
	return nil
}

// equal reports whether columns hold the same values, whatever types a driver reads
// them as; nothing is no text.
func equal(a, b []any) bool {
	return slices.EqualFunc(a, b, func(a, b any) bool { return (a == nil) == (b == nil) && plain(a) == plain(b) })
}

// plain returns the value of a column as text.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case time.Time:
		return v.UTC().Format(isoMicros)
	case bool:
		if v {
			return "1"
		}
		return "0"
	case []byte:
		return string(v)
	default:
		return fmt.Sprint(v)
	}
}

// timeOf returns the time in a column, or the zero time.
func timeOf(v any) time.Time {
	t, err := time.Parse(isoMicros, plain(v))
	if err != nil {
		return time.Time{}
	}
	return t
}
