package sqlledger

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// connectTimeout bounds an attempt to connect, unless the dsn says something.
const connectTimeout = 10 * time.Second

func postgreSQLDialect() dialect {
	const row = `SELECT state, log_count, log_head FROM weir_runs WHERE id = `
	return dialect{
		kind: PostgreSQL, name: "PostgreSQL",
		// A statement has to see what was committed before it, whatever the default of
		// the database.
		change:        &sql.TxOptions{Isolation: sql.LevelReadCommitted},
		reading:       &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
		lock:          row + `$1 FOR UPDATE`,
		lockByAttempt: row + `(SELECT run FROM weir_attempts WHERE attempt = $1) FOR UPDATE`,
		clock:         `clock_timestamp()`,
		// The number is that of this package among advisory locks, chosen once.
		guard:      `SELECT pg_advisory_xact_lock(7763147720226)`,
		encoding:   `SHOW server_encoding`,
		migrations: postgreSQLMigrations(),
		time:       func(t time.Time) any { return t.UTC() },
		judge:      judgePostgreSQL,
	}
}

// openPostgreSQL opens the connections of a URL, as pgx reads it.
func openPostgreSQL(dsn string, o Options) (*sql.DB, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		// The error may show the password of a URL that cannot be read.
		return nil, badConfig("the address of the PostgreSQL ledger cannot be read")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "weir"
	}
	if o.ReadOnly {
		config.RuntimeParams["default_transaction_read_only"] = "on"
	}
	if o.NoSync {
		config.RuntimeParams["synchronous_commit"] = "off"
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxIdleConns(o.MaxConns)
	return db, nil
}

func judgePostgreSQL(err error) verdict {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		// Whatever is not the server's answer is about the way to it.
		return verdict{passes: true, what: "the database cannot be reached, or the connection was lost"}
	}
	return verdict{passes: passesPostgreSQL(e.Code), what: "SQLSTATE " + e.Code}
}

// passesPostgreSQL reports whether another try may succeed, by SQLSTATE:
// https://www.postgresql.org/docs/15/errcodes-appendix.html (read 2026-11-30).
func passesPostgreSQL(code string) bool {
	switch {
	case strings.HasPrefix(code, "08"), strings.HasPrefix(code, "40"): // connections; serialization, deadlocks
		return true
	default:
		// unique_violation: another process made the row first. Then: cannot lock
		// now, too many connections, the server stops or starts.
		return slices.Contains([]string{"23505", "55P03", "53300", "57P01", "57P02", "57P03"}, code)
	}
}
