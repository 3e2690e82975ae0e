package sqlledger

import (
	"database/sql"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// busyTimeout is how long SQLite itself waits for a lock, in milliseconds. It is
// short: what is still busy then is tried again, under the caller's context.
const busyTimeout = "1000"

// isoMicros is how times are kept in SQLite: text that sorts, and that its date
// functions read.
const isoMicros = "2006-01-02T15:04:05.000000Z"

func sqliteDialect() dialect {
	const lock = `UPDATE weir_runs SET log_count = log_count WHERE id = `
	const row = ` RETURNING state, log_count, log_head`
	return dialect{
		name: "SQLite", oneWriter: true,
		// A first statement that writes takes the write lock at once, as BEGIN
		// IMMEDIATE does, in a pool of anybody's.
		lock:          lock + `$1` + row,
		lockByAttempt: lock + `(SELECT run FROM weir_attempts WHERE attempt = $1)` + row,
		encoding:      `PRAGMA encoding`,
		migrations:    sqliteMigrations(),
		time:          func(t time.Time) any { return t.UTC().Format(isoMicros) },
		judge:         judgeSQLite,
	}
}

// openSQLite opens a file. In WAL mode readers do not wait for the writer. With
// synchronous FULL a commit is on the disk when it is answered; NORMAL leaves that
// to the next checkpoint, and a failure of the machine may lose the last commits.
func openSQLite(path string, o Options) (*sql.DB, error) {
	if path == "" || strings.Contains(path, ":memory:") {
		return nil, badConfig("an SQLite ledger needs a file; package ledger/memory needs none")
	}
	query := url.Values{"_pragma": {"busy_timeout(" + busyTimeout + ")"}}
	switch {
	case o.ReadOnly:
		query.Set("mode", "ro")
	case o.NoSync:
		query["_pragma"] = append(query["_pragma"], "journal_mode(WAL)", "synchronous(NORMAL)")
	default:
		query["_pragma"] = append(query["_pragma"], "journal_mode(WAL)", "synchronous(FULL)")
	}
	file := url.URL{Path: path}
	db, err := sql.Open("sqlite", "file:"+file.EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, badConfig("the path of the SQLite ledger cannot be used")
	}
	return db, nil
}

func judgeSQLite(err error) verdict {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return verdict{what: "the database cannot be used"}
	}
	code := e.Code() & 0xff // the rest says more precisely
	v := verdict{what: "code " + strconv.Itoa(e.Code())}
	if text, ok := sqlite.ErrorCodeString[code]; ok {
		v.what = text
	}
	switch code {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_SCHEMA:
		v.passes = true
	default:
	}
	return v
}
