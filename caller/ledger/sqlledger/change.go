package sqlledger

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// A change is what one call does to one run, in one transaction.
type change struct {
	l         *Ledger
	tx        *sql.Tx
	operation string
	// again reports that the call was tried before, and may have been committed.
	again bool

	run ledger.Run
	// fresh reports that the run has no row yet.
	fresh bool
	// closed reports that the run was closed before; head and count are of its log.
	closed  bool
	head    string
	count   int64
	now     time.Time
	entries []entry
	// record is that of the attempt the call is about, where there is one.
	record  ledger.Record
	present bool
}

// A subject is what a call is about: a run, which is opened where opens is set, an
// attempt, or both. Without a run the attempt says which.
type subject struct {
	run, attempt string
	opens        bool
}

// change locks a run, has do apply the rules to it, and writes what has changed,
// all or nothing. A refusal that do returns is returned, and what it did to the run
// is written too.
func (l *Ledger) change(ctx context.Context, s subject, do func(context.Context, *change) error) error {
	if l.readOnly {
		return badParameter("the ledger is opened to read only")
	}
	if !isText(s.run) {
		return ledger.NotFound("run", s.run)
	}
	if !isText(s.attempt) {
		return ledger.NotFound("attempt", s.attempt)
	}
	if s.run == "" && s.attempt == "" || s.run == ledger.NoRun {
		s.run, s.opens = ledger.NoRun, true
	}
	operation := rand.Text()
	var refusal error
	err := l.retry(ctx, func(try int) error {
		return l.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
			c := &change{l: l, tx: tx, operation: operation, again: try > 0}
			if err := c.load(ctx, s); err != nil {
				return err
			}
			refusal = do(ctx, c)
			if refusal != nil && !isRefusal(refusal) {
				return refusal
			}
			return c.write(ctx)
		})
	})
	if err != nil {
		return err
	}
	return refusal
}

// isText reports whether a database takes a name: what it does not take, it does not
// hold.
func isText(name string) bool { return utf8.ValidString(name) && !strings.ContainsRune(name, 0) }

// isRefusal reports whether an error is what the rules say, and no fault.
func isRefusal(err error) bool {
	f, ok := events.AsFailure(err)
	return ok && f.Reason != events.ReasonLedgerUnavailable
}

// load locks the row and reads it, the record, and then the clock.
func (c *change) load(ctx context.Context, s subject) error {
	lock, key := c.l.dialect.lock, s.run
	if s.run == "" {
		lock, key = c.l.dialect.lockByAttempt, s.attempt
	}
	var state string
	err := c.tx.QueryRowContext(ctx, lock, key).Scan(&state, &c.count, &c.head)
	switch {
	case errors.Is(err, sql.ErrNoRows) && s.run == "":
		return ledger.NotFound("attempt", s.attempt)
	case errors.Is(err, sql.ErrNoRows) && !s.opens:
		return ledger.NotFound("run", s.run)
	case errors.Is(err, sql.ErrNoRows):
		c.fresh = true
	case err != nil:
		return err
	default:
		if c.run, err = decode[ledger.Run](state); err != nil {
			return err
		}
		c.closed = c.run.Closed != nil
	}
	if err := c.look(ctx, s.attempt); err != nil {
		return err
	}
	if c.fresh {
		c.run = ledger.NewRun(s.run, c.now)
	}
	return nil
}

// look reads the clock of the store, and an attempt where one is named. It has to
// come after the lock: on PostgreSQL each statement sees what was committed before
// it.
func (c *change) look(ctx context.Context, attempt string) error {
	clock := c.l.dialect.clock
	if clock == "" {
		clock = "NULL"
	}
	var now sql.NullTime
	var record sql.NullString
	err := c.tx.QueryRowContext(ctx, `SELECT `+clock+`, (SELECT record FROM weir_attempts WHERE attempt = $1)`, attempt).Scan(&now, &record)
	if err != nil {
		return err
	}
	c.now = c.l.storeTime(now)
	if c.present = record.Valid; c.present {
		c.record, err = decode[ledger.Record](record.String)
	}
	return err
}

// storeTime returns the time of the store, which is the machine's where the
// database has none.
func (l *Ledger) storeTime(now sql.NullTime) time.Time {
	if !now.Valid {
		now.Time = l.machine()
	}
	return now.Time.UTC().Add(time.Duration(l.ahead.Load()))
}

// log adds an entry.
func (c *change) log(kind, attempt string, body any) error {
	text, err := encode(body)
	c.entries = append(c.entries, entry{run: c.run.ID, kind: kind, attempt: attempt, operation: c.operation, at: c.now, body: text})
	return err
}

// write writes what has changed; errNothing when nothing has.
func (c *change) write(ctx context.Context) error {
	state, err := encode(c.run)
	if err != nil {
		return err
	}
	if c.run.Closed != nil && !c.closed {
		if err := c.log(kindClosed, "", c.run.Closed); err != nil {
			return err
		}
	}
	if len(c.entries) == 0 {
		return errNothing
	}
	if c.fresh && c.entries[0].kind != kindOpened {
		opened := entry{run: c.run.ID, kind: kindOpened, operation: c.operation, at: c.now, body: "{}"}
		c.entries = append([]entry{opened}, c.entries...)
	}
	for _, e := range c.entries {
		if err := c.append(ctx, e, hashOf(state)); err != nil {
			return err
		}
	}
	return c.writeRun(ctx, state)
}

// append writes an entry behind the last one.
func (c *change) append(ctx context.Context, e entry, state string) error {
	c.count++
	e.seq, e.state, e.previous = c.count, state, c.head
	c.head = e.hash()
	_, err := c.tx.ExecContext(ctx, `INSERT INTO weir_log (run, seq, kind, attempt, operation, at, body, state, previous, hash)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		e.run, e.seq, e.kind, e.attempt, e.operation, c.l.dialect.time(e.at), e.body, e.state, e.previous, c.head)
	return err
}

func (c *change) writeRun(ctx context.Context, state string) error {
	row, err := c.l.runColumns(c.run)
	if err != nil {
		return err
	}
	query := `UPDATE weir_runs SET limits = $2, owner = $3, lease_until = $4, opened_at = $5, state = $6, log_count = $7, log_head = $8 WHERE id = $1`
	if c.fresh {
		query = `INSERT INTO weir_runs (id, limits, owner, lease_until, opened_at, state, log_count, log_head) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	}
	_, err = c.tx.ExecContext(ctx, query, append(row, state, c.count, c.head)...)
	return err
}

// put writes the record of an attempt, new or changed, and its entry.
func (c *change) put(ctx context.Context, kind string, r ledger.Record) error {
	if err := c.log(kind, r.Attempt, r); err != nil {
		return err
	}
	query := insertAttempt
	if kind != kindReserved {
		query = updateAttempt
	}
	_, err := c.tx.ExecContext(ctx, query, append(c.l.attemptColumns(r), c.entries[len(c.entries)-1].body)...)
	return err
}

// encode returns the JSON of what is kept.
func encode(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", ledger.Unavailable("what the ledger keeps cannot be written as JSON")
	}
	return string(text), nil
}

// decode reads what was kept. A member that is not known was written by a newer
// program and would be lost.
func decode[T any](text string) (T, error) {
	var v T
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return v, ledger.Unavailable("what the ledger keeps is damaged, or of a newer program")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return v, ledger.Unavailable("what the ledger keeps is damaged")
	}
	return v, nil
}
