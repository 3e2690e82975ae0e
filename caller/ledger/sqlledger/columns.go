package sqlledger

import (
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

const insertAttempt = `INSERT INTO weir_attempts (` + attemptColumns + `, record) VALUES
	($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`

const updateAttempt = `UPDATE weir_attempts SET run = $2, call = $3, number = $4, actor = $5, purpose = $6, provider = $7, model = $8,
	status = $9, recovered = $10, input_tokens = $11, output_tokens = $12, certainty = $13, cost_micros = $14, cost_certainty = $15,
	failure_kind = $16, failure_reason = $17, dispatched_at = $18, expires_at = $19, completed_at = $20, record = $21 WHERE attempt = $1`

// attemptColumns are the columns of an attempt that show what its record says.
const attemptColumns = `attempt, run, call, number, actor, purpose, provider, model, status, recovered, input_tokens, output_tokens,
	certainty, cost_micros, cost_certainty, failure_kind, failure_reason, dispatched_at, expires_at, completed_at`

// attemptColumns returns their values.
func (l *Ledger) attemptColumns(r ledger.Record) []any {
	s := r.Settled
	return []any{
		r.Attempt, r.Run, r.Call, int64(r.Number), r.Actor, r.Purpose, r.Provider, r.Model, string(r.Status()), r.Recovered,
		nullable(s.Usage.Input), nullable(s.Usage.Output), string(s.Certainty), int64(s.Cost), string(s.CostCertainty),
		string(s.FailureKind), string(s.FailureReason), l.dialect.time(r.DispatchedAt), l.dialect.time(r.ExpiresAt), l.optional(r.CompletedAt),
	}
}

// runColumns returns the id of a run, its limits, its lease and its opening, as its
// row shows them.
func (l *Ledger) runColumns(r ledger.Run) ([]any, error) {
	limits, err := encode(r.Limits)
	return []any{r.ID, limits, r.Owner, l.optional(r.LeaseUntil), l.dialect.time(r.OpenedAt)}, err
}

// nullable returns a count, or NULL when it is unknown.
func nullable(c events.Count) any {
	if n, known := c.Get(); known {
		return n
	}
	return nil
}

// optional returns a time, or NULL when there is none.
func (l *Ledger) optional(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return l.dialect.time(t)
}
