package sqlledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
)

// TestTampering changes a ledger behind its back. Verify finds all of it, Open what
// makes totals and records disagree.
func TestTampering(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why    string
		sql    string
		opened bool // found by Open too
	}{
		{"a record that costs less", `UPDATE weir_attempts SET record = replace(CAST(record AS TEXT), '"cost_micros":12', '"cost_micros":2')::json WHERE attempt = 'ended'`, true},
		{"a record of another actor", `UPDATE weir_attempts SET record = replace(CAST(record AS TEXT), '"ann"', '"ben"')::json WHERE attempt = 'ended'`, false},
		{"a record that is no JSON of ours", `UPDATE weir_attempts SET record = '{"x":1}' WHERE attempt = 'ended'`, true},
		{"a record with a member that nobody knows", `UPDATE weir_attempts SET record = replace(CAST(record AS TEXT), '{"attempt":', '{"x":1,"attempt":')::json WHERE attempt = 'ended'`, true},
		{"a record and its column of another actor", `
			UPDATE weir_attempts SET record = replace(CAST(record AS TEXT), '"ann"', '"ben"')::json WHERE attempt = 'ended';
			UPDATE weir_attempts SET actor = 'ben' WHERE attempt = 'ended'`, false},
		{"a record of another attempt", `UPDATE weir_attempts SET record = (SELECT record FROM weir_attempts WHERE attempt = 'lost') WHERE attempt = 'open'`, false},
		{"a column that says another cost", `UPDATE weir_attempts SET cost_micros = 2 WHERE attempt = 'ended'`, false},
		{"a column that says another status", `UPDATE weir_attempts SET status = 'ok' WHERE attempt = 'open'`, false},
		{"a column that says another end", `UPDATE weir_attempts SET expires_at = completed_at WHERE attempt = 'ended' AND completed_at IS NOT NULL`, false},
		{"an attempt moved to another run", `UPDATE weir_attempts SET run = '-' WHERE attempt = 'ended'`, false},
		{"a deleted record", `DELETE FROM weir_attempts WHERE attempt = 'ended'`, true},
		{"a deleted open record", `DELETE FROM weir_attempts WHERE attempt = 'open'`, true},
		{"all records deleted", `DELETE FROM weir_attempts`, true},
		{"lower totals", `UPDATE weir_runs SET state = replace(CAST(state AS TEXT), '"calls":3', '"calls":2')::json WHERE id = 'r'`, true},
		{"higher limits", `UPDATE weir_runs SET state = replace(CAST(state AS TEXT), '"max_cost_micros":1000', '"max_cost_micros":9000')::json WHERE id = 'r'`, false},
		{"fewer tools", `UPDATE weir_runs SET state = replace(CAST(state AS TEXT), '"tool_calls":1', '"tool_calls":0')::json WHERE id = 'r'`, false},
		{"a column that says other limits", `UPDATE weir_runs SET limits = '{}' WHERE id = 'r'`, false},
		{"a column that says another owner", `UPDATE weir_runs SET owner = 'eve' WHERE id = 'r'`, false},
		{"a run that is gone", `DELETE FROM weir_runs WHERE id = 'r'`, true},
		{"another number of entries", `UPDATE weir_runs SET log_count = log_count + 1 WHERE id = 'r'`, false},
		{"another last hash", `UPDATE weir_runs SET log_head = '' WHERE id = 'r'`, false},
		{"an entry that says something else", `UPDATE weir_log SET body = '{}' WHERE run = 'r' AND kind = 'settled'`, false},
		{"an entry of another kind", `UPDATE weir_log SET kind = 'corrected' WHERE run = 'r' AND kind = 'settled'`, false},
		{"an entry of another time", `UPDATE weir_log SET at = (SELECT min(at) FROM weir_log) WHERE run = 'r' AND kind = 'settled'`, false},
		{"an entry of another attempt", `UPDATE weir_log SET attempt = 'x' WHERE run = 'r' AND kind = 'settled'`, false},
		{"an entry about an attempt that was about none", `UPDATE weir_log SET attempt = 'x' WHERE run = 'r' AND kind = 'tool'`, false},
		{"an entry of another call", `UPDATE weir_log SET operation = 'x' WHERE run = 'r' AND kind = 'settled'`, false},
		{"an entry with another state", `UPDATE weir_log SET state = 'x' WHERE run = 'r' AND kind = 'settled'`, false},
		{"the last entry cut off", `DELETE FROM weir_log WHERE run = 'r' AND seq = (SELECT max(seq) FROM weir_log WHERE run = 'r')`, false},
		{"an entry in the middle taken out", `DELETE FROM weir_log WHERE run = 'r' AND seq = 2`, false},
		{"the first entry taken out", `DELETE FROM weir_log WHERE run = 'r' AND seq = 1`, false},
		{"the first entry taken out, and the count lowered", `
			DELETE FROM weir_log WHERE run = 'r' AND seq = 1;
			UPDATE weir_runs SET log_count = log_count - 1 WHERE id = 'r'`, false},
		{"the whole log taken out", `DELETE FROM weir_log WHERE run = 'r'`, false},
		{"an entry added", `INSERT INTO weir_log SELECT run, seq + 1, kind, attempt, operation, at, body, state, hash, hash FROM weir_log WHERE run = 'r' AND seq = (SELECT max(seq) FROM weir_log WHERE run = 'r')`, false},
		{"a log without a run", `INSERT INTO weir_log SELECT 'x', seq, kind, attempt, operation, at, body, state, previous, hash FROM weir_log WHERE run = 'r'`, false},
		{"the tail cut off, and the count with it", `
			DELETE FROM weir_log WHERE run = 'r' AND kind = 'tool';
			UPDATE weir_runs SET log_count = log_count - 1, log_head = (SELECT hash FROM weir_log WHERE run = 'r' ORDER BY seq DESC LIMIT 1) WHERE id = 'r'`, false},
		{"a settlement undone with its log", `
			DELETE FROM weir_log WHERE run = '-' AND kind = 'reserved';
			DELETE FROM weir_attempts WHERE run = '-';
			UPDATE weir_runs SET log_count = 1, log_head = (SELECT hash FROM weir_log WHERE run = '-') WHERE id = '-'`, true},
	}
	withEach(t, func(t *testing.T, d database) {
		for _, row := range rows {
			t.Run(row.why, func(t *testing.T) {
				t.Parallel()
				dsn := d.fresh(t)
				filled(t, dsn)
				db := raw(t, dsn)
				for statement := range statements(d, row.sql) {
					result, err := db.ExecContext(t.Context(), statement)
					require.NoError(t, err)
					n, err := result.RowsAffected()
					require.NoError(t, err)
					require.Positive(t, n, "nothing was changed")
				}
				books, err := sqlledger.Open(t.Context(), dsn, sqlledger.Options{})
				if row.opened {
					requireUnavailable(t, err)
				} else {
					require.NoError(t, err)
					require.NoError(t, books.Close())
				}
				requireUnavailable(t, openAt(t, dsn, sqlledger.Options{SkipVerify: true}).Verify(t.Context()))
			})
		}
	})
}

// TestAFaultWritesNothing recovers two attempts, and cannot read the second: the
// first is left too.
func TestAFaultWritesNothing(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		filled(t, dsn)
		books := openAt(t, dsn, sqlledger.Options{})
		_, err := raw(t, dsn).ExecContext(t.Context(), `UPDATE weir_attempts SET record = '{"x":1}' WHERE attempt = 'lost'`)
		require.NoError(t, err)
		sqlledger.Advance(books, time.Hour)
		_, err = books.Recover(t.Context())
		requireUnavailable(t, err)
		run, _, err := books.Run(t.Context(), "r")
		require.NoError(t, err)
		require.Equal(t, int64(2), run.Totals.Open)
	})
}

// TestVerifyIsOfOneMoment verifies while others write.
func TestVerifyIsOfOneMoment(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		filled(t, dsn)
		books, reader := openAt(t, dsn, sqlledger.Options{NoSync: true}), openAt(t, dsn, sqlledger.Options{ReadOnly: true})
		over := make(chan error)
		go func() {
			for i := range 40 {
				id := string(rune('a' + i))
				_, err := books.Reserve(t.Context(), ledger.Reservation{Attempt: id, Run: "r", Estimate: asking("", "").Estimate, Priced: true})
				if err == nil {
					err = books.Settle(t.Context(), saying(id, 1))
				}
				if err != nil {
					over <- err
					return
				}
			}
			over <- nil
		}()
		for {
			require.NoError(t, reader.Verify(t.Context()))
			select {
			case err := <-over:
				require.NoError(t, err)
				return
			default:
			}
		}
	})
}
