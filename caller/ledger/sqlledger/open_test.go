package sqlledger_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
	"github.com/weirsdk/weir/events"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	text := filepath.Join(folder, "text")
	require.NoError(t, os.WriteFile(text, []byte(strings.Repeat("this is no database\n", 100)), 0o600))
	config, gone := events.ReasonBadConfig, events.ReasonLedgerUnavailable
	rows := []struct {
		why    string
		dsn    string
		reason events.Reason
		passes bool // it may pass, as far as the ledger can know
	}{
		{"nothing", "", config, false},
		{"a scheme and nothing", "sqlite:", config, false},
		{"a memory that each connection would have for itself", ":memory:", config, false},
		{"a blank", " ", config, false},
		{"a scheme and a blank", "sqlite: ", config, false},
		{"words that libpq reads", "host=127.0.0.1 user=weir password=secret dbname=ledger", config, false},
		{"words that libpq reads, spaced", " password = secret", config, false},
		{"words that libpq reads, with a folder", "user=weir password=secret host=/var/run/postgresql", config, false},
		{"words behind a name", "ledger password=secret", config, false},
		{"words behind the scheme", "sqlite:host=db password=secret", config, false},
		{"a scheme without slashes", "postgres:weir:secret@db", config, false},
		{"no scheme at all", "weir:secret@db:5432/ledger", config, false},
		{"a blank before the scheme", " postgres:weir:secret@db", config, false},
		{"a scheme in capitals", "SQLITE:secret.db", config, false},
		{"an address of SQLite", "file:secret.db", config, false},
		{"an address of SQLite behind the scheme", "sqlite:file:secret.db?mode=ro", config, false},
		{"a zero byte", "sqlite:" + filepath.Join(folder, "secret\x00.db"), config, false},
		{"a zero byte in a URL", "postgres://weir:secret@db/led\x00ger", config, false},
		{"another database", "mysql://weir:secret@db/ledger", config, false},
		{"an address that cannot be read", "postgres://weir:secret@db:port/ledger", config, false},
		{"a password with a slash", "postgres://weir:sec/ret@db/ledger", config, false},
		{"a folder", folder, gone, false},
		{"a folder that is not there", filepath.Join(folder, "no", "ledger.db"), gone, false},
		{"a file that is no database", text, gone, false},
		{"a server that is not there", "postgres://weir:secret@127.0.0.1:1/ledger", gone, true},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			o := sqlledger.Options{RetryFor: time.Minute}
			if row.passes {
				o.RetryFor = time.Millisecond
			}
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			defer stop()
			books, err := sqlledger.Open(ctx, row.dsn, o)
			require.NotErrorIs(t, err, context.DeadlineExceeded, "what does not pass is not tried again")
			kind := events.LimitReached
			if row.reason == config {
				kind = events.InvalidRequest
			}
			requireFailure(t, err, kind, row.reason)
			assert.Nil(t, books)
		})
	}
}

func TestPathsThatAreTaken(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"ledger.db", "-", "a b.db", "./host=db password=x", "./file:x.db", "/srv/a=b/c:d.db", `C:\ledger.db`, "c:/ledger.db", "../a:b", "~/x=y",
	} {
		assert.NoError(t, sqlledger.CheckPath(path), path)
	}
}

// TestPaths opens files whose names mean something in a URL.
func TestPaths(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain.db", "a b.db", "a?b.db", "a#b.db", "a%20b.db", "é:ü.db", "-"} {
		path := filepath.Join(t.TempDir(), name)
		for _, dsn := range []string{path, "sqlite:" + path} {
			books, err := sqlledger.Open(t.Context(), dsn, sqlledger.Options{NoSync: true})
			require.NoError(t, err, name)
			_, err = books.OpenRun(t.Context(), ledger.RunSpec{ID: dsn})
			require.NoError(t, err)
			require.NoError(t, books.Close())
		}
		_, err := os.Stat(path)
		require.NoError(t, err, "the file is where it was asked for")
		_, ok, err := openAt(t, path, sqlledger.Options{}).Run(t.Context(), path)
		require.NoError(t, err)
		assert.True(t, ok, "and the same by both addresses")
	}
}

func TestOpenWithAnEndedContext(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		ctx, stop := context.WithCancel(t.Context())
		stop()
		_, err := sqlledger.Open(ctx, dsn, sqlledger.Options{})
		requireUnavailable(t, err)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestNewerVersionsAreRefused(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		filled(t, dsn)
		_, err := raw(t, dsn).ExecContext(t.Context(), `UPDATE weir_schema SET version = version + 1`)
		require.NoError(t, err)
		for _, o := range []sqlledger.Options{{}, {ReadOnly: true}, {SkipVerify: true}} {
			_, err = sqlledger.Open(t.Context(), dsn, o)
			requireUnavailable(t, err)
		}
	})
}

// TestMigratingAtOnce has many processes open a new database at the same time.
func TestMigratingAtOnce(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				books, err := sqlledger.Open(t.Context(), dsn, sqlledger.Options{})
				if assert.NoError(t, err) {
					assert.NoError(t, books.Close())
				}
			})
		}
		wg.Wait()
		var rows, version int
		require.NoError(t, raw(t, dsn).QueryRowContext(t.Context(), `SELECT count(*), max(version) FROM weir_schema`).Scan(&rows, &version))
		assert.Equal(t, 1, rows)
		assert.Equal(t, sqlledger.Migrations(d.dialect), version)
	})
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		_, err := sqlledger.Open(t.Context(), dsn, sqlledger.Options{ReadOnly: true})
		requireUnavailable(t, err)
		filled(t, dsn)
		books := openAt(t, dsn, sqlledger.Options{ReadOnly: true})
		run, ok, err := books.Run(t.Context(), "r")
		require.NoError(t, err)
		require.True(t, ok)
		assert.Equal(t, int64(3), run.Totals.Calls)
		require.NoError(t, books.Verify(t.Context()))
		bad := func(err error) { requireFailure(t, err, events.InvalidRequest, events.ReasonBadParameter) }
		_, err = books.OpenRun(t.Context(), ledger.RunSpec{ID: "s"})
		bad(err)
		_, err = books.Reserve(t.Context(), asking("r", "x"))
		bad(err)
		bad(books.Settle(t.Context(), saying("open", 1)))
		bad(books.BeginTool(t.Context(), "r", ""))
		bad(books.Renew(t.Context(), "r", "w", time.Second))
		bad(books.Release(t.Context(), "r", "w"))
		sqlledger.Advance(books, time.Hour)
		_, err = books.Recover(t.Context())
		bad(err)
		if d.dialect == sqlledger.SQLite {
			path := strings.TrimPrefix(dsn, "sqlite:")
			_, err = sqlledger.Open(t.Context(), path+".no", sqlledger.Options{ReadOnly: true, RetryFor: time.Millisecond})
			requireUnavailable(t, err)
			require.ErrorContains(t, err, "no such file")
			_, err = os.Stat(path + ".no")
			assert.ErrorIs(t, err, os.ErrNotExist, "looking makes no file")
		}
	})
}

// TestReadOnlyIsHeldByTheDatabase writes through the connections of a ledger.
func TestReadOnlyIsHeldByTheDatabase(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		filled(t, dsn)
		_, err := sqlledger.DB(openAt(t, dsn, sqlledger.Options{ReadOnly: true})).ExecContext(t.Context(), `DELETE FROM weir_log`)
		require.Error(t, err)
		require.NoError(t, openAt(t, dsn, sqlledger.Options{}).Verify(t.Context()))
	})
}

// TestReadOnlyBesideAWriter looks at a ledger that another process has open.
func TestReadOnlyBesideAWriter(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		writer := openAt(t, dsn, sqlledger.Options{NoSync: true})
		reader := openAt(t, dsn, sqlledger.Options{ReadOnly: true})
		_, err := writer.Reserve(t.Context(), asking("", "a"))
		require.NoError(t, err)
		run, ok, err := reader.Run(t.Context(), ledger.NoRun)
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, int64(1), run.Totals.Open)
	})
}

// TestReadOnlyLeavesNoFiles looks at a file that nobody has open, by its name and by a
// link, and then at the same one while somebody writes.
func TestReadOnlyLeavesNoFiles(t *testing.T) {
	t.Parallel()
	folder, elsewhere := t.TempDir(), t.TempDir()
	path, link := filepath.Join(folder, "ledger.db"), filepath.Join(elsewhere, "link.db")
	filled(t, path)
	require.NoError(t, os.Symlink(path, link))
	var readers []*sqlledger.Ledger
	for _, at := range []string{path, link} {
		reader := openAt(t, at, sqlledger.Options{ReadOnly: true})
		require.NoError(t, reader.Verify(t.Context()))
		readers = append(readers, reader)
	}
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Len(t, files, 1, "reading made files")
	writer := openAt(t, path, sqlledger.Options{NoSync: true})
	for i := range 3 {
		_, err := writer.Reserve(t.Context(), asking("r", string(rune('a'+i))))
		require.NoError(t, err)
		for _, reader := range readers {
			run, _, err := reader.Run(t.Context(), "r")
			require.NoError(t, err)
			assert.Equal(t, int64(4+i), run.Totals.Calls, "what was written meanwhile is seen")
		}
	}
}

// TestItsNameIsNoAddress prints a ledger in every way.
func TestItsNameIsNoAddress(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		books := openAt(t, d.fresh(t), sqlledger.Options{})
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			assert.Equal(t, "sqlledger("+string(d.dialect)+")", fmt.Sprintf(verb, books))
		}
	})
}

func TestOpenDB(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		db := raw(t, d.fresh(t))
		books, err := sqlledger.OpenDB(t.Context(), db, d.dialect, sqlledger.Options{})
		require.NoError(t, err)
		_, err = books.Reserve(t.Context(), asking("", "a"))
		require.NoError(t, err)
		require.NoError(t, books.Settle(t.Context(), saying("a", 1)))
		require.NoError(t, books.Verify(t.Context()))
		require.NoError(t, books.Close())
		require.NoError(t, db.PingContext(t.Context()), "the pool is the caller's")
	})
	_, err := sqlledger.OpenDB(t.Context(), new(sql.DB), "oracle", sqlledger.Options{})
	requireFailure(t, err, events.InvalidRequest, events.ReasonBadConfig)
}

// TestAfterClose uses a ledger that is closed, and one whose pool is: both fail at once,
// since that does not pass.
func TestAfterClose(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		dsn := d.fresh(t)
		o := sqlledger.Options{RetryFor: time.Hour}
		own, err := sqlledger.Open(ctx, dsn, o)
		require.NoError(t, err)
		require.NoError(t, own.Close())
		require.NoError(t, own.Close())
		pool := raw(t, dsn)
		shared, err := sqlledger.OpenDB(ctx, pool, d.dialect, o)
		require.NoError(t, err)
		require.NoError(t, pool.Close())
		for _, books := range []*sqlledger.Ledger{own, shared} {
			_, err = books.Reserve(ctx, asking("", "a"))
			requireUnavailable(t, err)
			require.NotErrorIs(t, err, context.DeadlineExceeded)
			for _, err := range books.Records(ctx, ledger.Filter{}) {
				requireUnavailable(t, err)
				require.NotErrorIs(t, err, context.DeadlineExceeded)
			}
			require.NotErrorIs(t, books.Verify(ctx), context.DeadlineExceeded)
		}
	})
}

// TestOtherEncodings refuses a database that would change names.
func TestOtherEncodings(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "utf16.db")
	_, err := raw(t, "sqlite:"+path).ExecContext(t.Context(), `PRAGMA encoding = 'UTF-16'; CREATE TABLE other (x TEXT)`)
	require.NoError(t, err)
	_, err = sqlledger.Open(t.Context(), path, sqlledger.Options{})
	requireUnavailable(t, err)
}

// TestNamesThatNoDatabaseTakes: they are not there.
func TestNamesThatNoDatabaseTakes(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		books := openAt(t, d.fresh(t), sqlledger.Options{})
		for _, name := range []string{"\xff", "a\x00b"} {
			requireFailure(t, books.Settle(t.Context(), saying(name, 1)), events.InvalidRequest, events.ReasonBadParameter)
			requireFailure(t, books.BeginTool(t.Context(), name, ""), events.InvalidRequest, events.ReasonBadParameter)
			_, ok, err := books.Run(t.Context(), name)
			require.NoError(t, err)
			assert.False(t, ok)
		}
	})
}
