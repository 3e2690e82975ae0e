package sqlledger_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger/sqlledger"
)

// TestOtherTypes keeps the values of every column as bytes, which SQLite lets in and
// which read the same but match no filter and sort elsewhere. Verify finds each.
func TestOtherTypes(t *testing.T) {
	t.Parallel()
	whole := t.TempDir() + "/whole.db"
	filled(t, whole)
	db := raw(t, "sqlite:"+whole)
	found := 0
	for _, table := range []string{"weir_runs", "weir_attempts", "weir_log"} {
		columns, err := db.QueryContext(t.Context(), `SELECT name FROM pragma_table_info('`+table+`') WHERE NOT (name = 'seq' AND pk = 1 AND '`+table+`' <> 'weir_log')`)
		require.NoError(t, err)
		var names []string
		for columns.Next() {
			names = append(names, "")
			require.NoError(t, columns.Scan(&names[len(names)-1]))
		}
		require.NoError(t, columns.Err())
		for _, name := range names {
			found++
			path := t.TempDir() + "/ledger.db"
			_, err := db.ExecContext(t.Context(), `VACUUM INTO '`+path+`'`)
			require.NoError(t, err)
			changing := raw(t, "sqlite:"+path)
			_, err = changing.ExecContext(t.Context(), `UPDATE `+table+` SET `+name+` = CAST('1' AS BLOB) WHERE `+name+` IS NULL`)
			require.NoError(t, err)
			_, err = changing.ExecContext(t.Context(), `UPDATE `+table+` SET `+name+` = CAST(`+name+` AS BLOB)`)
			require.NoError(t, err)
			books := openAt(t, path, sqlledger.Options{SkipVerify: true})
			err = books.Verify(t.Context())
			requireUnavailable(t, err)
			assert.Contains(t, err.Error(), "another type", "%s.%s", table, name)
		}
	}
	assert.Equal(t, 8+21+10, found, "all columns but the two numbers that SQLite holds to be such")
}

// TestTamperingWithOrderAndNothing changes what only a look at order, or at the
// difference of nothing and a word for it, finds.
func TestTamperingWithOrderAndNothing(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why, sql string
		only     sqlledger.Dialect
	}{
		{"two attempts in the other order", `
			UPDATE weir_attempts SET seq = -seq WHERE run = 'r'`, sqlledger.SQLite},
		{"one attempt behind all others", `UPDATE weir_attempts SET seq = 1000 WHERE attempt = 'ended'`, sqlledger.SQLite},
		{"one attempt behind all others", `UPDATE weir_attempts SET seq = DEFAULT WHERE attempt = 'ended'`, sqlledger.PostgreSQL},
		{"a word for nothing", `UPDATE weir_attempts SET completed_at = 'NULL' WHERE completed_at IS NULL`, sqlledger.SQLite},
		{"a word for no tokens", `UPDATE weir_attempts SET input_tokens = 'NULL' WHERE input_tokens IS NULL`, sqlledger.SQLite},
		{"bytes for a status and an actor", `UPDATE weir_attempts SET status = CAST(status AS BLOB), actor = CAST(actor AS BLOB)`, sqlledger.SQLite},
	}
	withEach(t, func(t *testing.T, d database) {
		for _, row := range rows {
			if row.only != d.dialect {
				continue
			}
			dsn := d.fresh(t)
			filled(t, dsn)
			_, err := raw(t, dsn).ExecContext(t.Context(), strings.TrimSpace(row.sql))
			require.NoError(t, err, row.why)
			requireUnavailable(t, openAt(t, dsn, sqlledger.Options{SkipVerify: true}).Verify(t.Context()))
		}
	})
}
