package sqlledger

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/weirsdk/weir/caller/ledger"
)

// busyTimeout is how long SQLite itself waits for a lock, in milliseconds. It is
// short: what is still busy then is tried again, under the caller's context.
const busyTimeout = "busy_timeout(1000)"

// isoMicros is how times are kept in SQLite: text that sorts, and that its date
// functions read.
const isoMicros = "2006-01-02T15:04:05.000000Z"

func sqliteDialect() dialect {
	const lock = `UPDATE weir_runs SET log_count = log_count WHERE id = `
	const row = ` RETURNING state, log_count, log_head`
	return dialect{
		kind: SQLite, name: "SQLite", oneWriter: true,
		// A first statement that writes takes the write lock at once, as BEGIN
		// IMMEDIATE does, in a pool of anybody's.
		lock:          lock + `$1` + row,
		lockByAttempt: lock + `(SELECT run FROM weir_attempts WHERE attempt = $1)` + row,
		encoding:      `PRAGMA encoding`,
		migrations:    sqliteMigrations(),
		mistyped:      mistyped(),
		time:          func(t time.Time) any { return t.UTC().Format(isoMicros) },
		judge:         judgeSQLite,
	}
}

// openSQLite opens a file. In WAL mode readers do not wait for the writer. With
// synchronous FULL a commit is on the disk when it is answered; NORMAL leaves that
// to the next checkpoint, and a failure of the machine may lose the last commits.
func openSQLite(path string, o Options) (*sql.DB, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	if o.ReadOnly {
		return openToRead(path)
	}
	synchronous := "synchronous(FULL)"
	if o.NoSync {
		synchronous = "synchronous(NORMAL)"
	}
	db, err := sql.Open("sqlite", uri(path, url.Values{"_pragma": {busyTimeout, "journal_mode(WAL)", synchronous}}))
	if err != nil {
		return nil, badConfig("the path of the SQLite ledger cannot be used")
	}
	db.SetMaxIdleConns(o.MaxConns)
	return db, nil
}

// uri returns the address of a file as SQLite reads it.
func uri(path string, query url.Values) string {
	file := url.URL{Path: path}
	return "file:" + file.EscapedPath() + "?" + query.Encode()
}

// openToRead opens a file that exists, to read it.
func openToRead(path string) (*sql.DB, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, ledger.Unavailable("SQLite: there is no such file")
	}
	db := sql.OpenDB(reading{path})
	// What a connection knows of the file holds for one use, see Connect.
	db.SetMaxIdleConns(-1)
	return db, nil
}

// reading makes the connections that read a file.
type reading struct{ path string }

// Connect opens the file. Without a log beside it nobody has it open: then it is read
// as it lies there, which needs no leave to write. With one SQLite has to share memory
// with who writes.
func (r reading) Connect(context.Context) (driver.Conn, error) {
	query := url.Values{"_pragma": {busyTimeout}, "mode": {"ro"}}
	file, err := filepath.EvalSymlinks(r.path) // the log lies beside the file itself
	if err != nil {
		file = r.path
	}
	if _, err := os.Stat(file + "-wal"); errors.Is(err, fs.ErrNotExist) {
		query.Set("immutable", "1")
	}
	return r.Driver().Open(uri(file, query))
}

// Driver returns the driver.
func (r reading) Driver() driver.Driver { return &sqlite.Driver{} }

// checkPath refuses what SQLite would make a file of though it was meant otherwise:
// another address, perhaps with a password. The failure shows nothing of it.
func checkPath(path string) error {
	switch {
	case strings.TrimSpace(path) == "" || strings.Contains(path, ":memory:"):
		return badConfig("an SQLite ledger needs a file; package ledger/memory needs none")
	case isAddress(path):
		return badConfig(addresses + `; a path with ":" or "=" in its first part begins with "./"`)
	default:
		return nil
	}
}

// isAddress reports whether a path begins like an address: its first part, which is
// no drive of Windows, holds a colon, as in "postgres:" and "file:", or gives words a
// value, as in "host=db user=weir".
func isAddress(path string) bool {
	first, _, isLonger := strings.Cut(strings.ReplaceAll(path, `\`, "/"), "/")
	isDrive := isLonger && len(first) == 2 && first[1] == ':'
	return !isDrive && strings.ContainsAny(first, ":=")
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
