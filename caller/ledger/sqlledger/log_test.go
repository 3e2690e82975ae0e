package sqlledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
)

// TestTheLog is a script of calls and the entries that each writes: what changes
// something writes one, what changes nothing none.
func TestTheLog(t *testing.T) {
	t.Parallel()
	open := func(limits ledger.Limits, owner string) func(*testing.T, *sqlledger.Ledger) error {
		return func(t *testing.T, books *sqlledger.Ledger) error {
			spec := ledger.RunSpec{ID: "r", Limits: limits, Owner: owner}
			if owner != "" {
				spec.Lease = time.Hour
			}
			_, err := books.OpenRun(t.Context(), spec)
			return err
		}
	}
	reserve := func(id, owner string) func(*testing.T, *sqlledger.Ledger) error {
		return func(t *testing.T, books *sqlledger.Ledger) error {
			r := asking("r", id)
			r.Owner, r.Expires = owner, time.Minute
			_, err := books.Reserve(t.Context(), r)
			return err
		}
	}
	settle := func(id string, amount int64) func(*testing.T, *sqlledger.Ledger) error {
		return func(t *testing.T, books *sqlledger.Ledger) error {
			return books.Settle(t.Context(), saying(id, amount))
		}
	}
	recoverAll := func(t *testing.T, books *sqlledger.Ledger) error {
		sqlledger.Advance(books, 2*time.Minute)
		_, err := books.Recover(t.Context())
		return err
	}
	tool := func(owner string) func(*testing.T, *sqlledger.Ledger) error {
		return func(t *testing.T, books *sqlledger.Ledger) error {
			return books.BeginTool(t.Context(), "r", owner)
		}
	}
	limits := ledger.Limits{MaxCalls: 3, MaxToolCalls: 1}
	script := []struct {
		why    string
		do     func(*testing.T, *sqlledger.Ledger) error
		ok     bool
		writes []string
	}{
		{"opening", open(ledger.Limits{}, ""), true, []string{"opened"}},
		{"opening the same again", open(ledger.Limits{}, ""), true, nil},
		{"other limits", open(limits, ""), true, []string{"limits"}},
		{"a lease", open(limits, "ann"), true, []string{"leased"}},
		{"a lease that another holds", open(limits, "ben"), false, nil},
		{"renewing", func(t *testing.T, books *sqlledger.Ledger) error {
			return books.Renew(t.Context(), "r", "ann", 3*time.Hour)
		}, true, []string{"renewed"}},
		{"a reservation without the lease", reserve("a", ""), false, nil},
		{"a reservation", reserve("a", "ann"), true, []string{"reserved"}},
		{"the same again", reserve("a", "ann"), true, nil},
		{"a settlement", settle("a", 3), true, []string{"settled"}},
		{"the same again", settle("a", 3), true, nil},
		{"another one", settle("a", 4), false, nil},
		{"releasing what is not held", func(t *testing.T, books *sqlledger.Ledger) error {
			return books.Release(t.Context(), "r", "ben")
		}, true, nil},
		{"releasing", func(t *testing.T, books *sqlledger.Ledger) error {
			return books.Release(t.Context(), "r", "ann")
		}, true, []string{"released"}},
		{"two more reservations", reserve("b", ""), true, []string{"reserved"}},
		{"two more reservations", reserve("c", ""), true, []string{"reserved"}},
		{"a tool", tool(""), true, []string{"tool"}},
		{"recovering", recoverAll, true, []string{"recovered", "recovered"}},
		{"recovering nothing", recoverAll, true, nil},
		{"a late settlement", settle("b", 5), true, []string{"corrected"}},
		{"one too many", reserve("d", ""), false, []string{"closed"}},
		{"in a closed run", reserve("e", ""), false, nil},
		{"a tool in a closed run", tool(""), false, nil},
		{"no limits leave it closed", open(ledger.Limits{}, ""), true, nil},
		{"other limits open it", open(ledger.Limits{MaxCalls: 9}, "ann"), true, []string{"limits"}},
	}
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		books, db := openAt(t, dsn, sqlledger.Options{}), raw(t, dsn)
		seen := int64(0)
		for _, step := range script {
			err := step.do(t, books)
			require.Equal(t, step.ok, err == nil, "%s: %v", step.why, err)
			rows, err := db.QueryContext(t.Context(), `SELECT seq, kind FROM weir_log WHERE run = 'r' AND seq > $1 ORDER BY seq`, seen)
			require.NoError(t, err)
			var wrote []string
			for rows.Next() {
				var kind string
				require.NoError(t, rows.Scan(&seen, &kind))
				wrote = append(wrote, kind)
			}
			require.NoError(t, rows.Err())
			assert.Equal(t, step.writes, wrote, step.why)
			require.NoError(t, books.Verify(t.Context()), step.why)
		}
	})
}
