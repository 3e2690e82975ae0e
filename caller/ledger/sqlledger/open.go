package sqlledger

import (
	"context"
	"database/sql"
	"strings"
	"sync/atomic"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// Defaults of Options.
const (
	DefaultMaxConns = 8
	DefaultRetryFor = 10 * time.Second
)

// Options say how a ledger is opened. The zero Options are the defaults.
type Options struct {
	// SkipVerify leaves out the comparison of all totals with their records, which
	// reads the whole ledger.
	SkipVerify bool
	// ReadOnly opens a ledger that exists and writes nothing, not even the tables;
	// what would write is refused as invalid_request/bad_parameter. An SQLite file that
	// nobody has open needs no more than leave to read it. While somebody writes,
	// or when a process died, SQLite makes the two files of its log beside it unless they
	// are there, and needs leave for that; a writer that begins and ends in the
	// middle of a reading can make it fail, and the next one sees what is new.
	ReadOnly bool
	// NoSync lets a commit be answered before it is on the disk: it outlasts the
	// process, but not a failure of the machine. For tests, and for books that may
	// lose their last second.
	NoSync bool
	// MaxConns bounds the connections of a pool that Open makes. Zero means
	// [DefaultMaxConns].
	MaxConns int
	// RetryFor is how long failures that may pass are tried again. Zero means
	// [DefaultRetryFor].
	RetryFor time.Duration
}

// A Dialect names a database.
type Dialect string

// The dialects.
const (
	SQLite     Dialect = "sqlite"
	PostgreSQL Dialect = "postgres"
)

// A Ledger is a ledger in a database. Make one with [Open] or [OpenDB]; the zero
// Ledger is invalid. It is safe for concurrent use.
type Ledger struct {
	db       *sql.DB
	dialect  dialect
	readOnly bool
	retryFor time.Duration
	// writing is held by the one writer of a process where the database lets in one
	// at a time; nil where it does not.
	writing chan struct{}
	// machine is the clock of the machine, which counts where the database has none;
	// ahead is how far the clock of the store is moved, in tests.
	machine func() time.Time
	ahead   atomic.Int64
}

var _ ledger.Ledger = (*Ledger)(nil)

// Open opens the ledger in a database and makes its tables when they are missing.
// The dsn is "sqlite:" and a path, or a path; or a URL postgres://... as pgx reads
// it. A path that begins like another address, "word:" or "word=", is refused and
// can be written "./word:...", so that no password becomes the name of a file. Close
// the ledger when done.
//
// It fails with invalid_request/bad_config for a dsn that it cannot read, and with
// limit/ledger_unavailable when the database cannot be used, is of a newer version,
// or holds totals that are not those of its records.
func Open(ctx context.Context, dsn string, o Options) (*Ledger, error) {
	o = o.filled()
	d, db, err := pool(dsn, o)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(o.MaxConns)
	l := newLedger(db, d, o)
	if err := l.start(ctx, o); err != nil {
		_ = db.Close() // the failure that matters is err
		return nil, err
	}
	return l, nil
}

// OpenDB opens the ledger in a database of which the caller has a pool, and closes
// by itself: [Ledger.Close] does not. MaxConns and NoSync are the caller's business.
// One connection is enough. An SQLite pool should set journal_mode to WAL, synchronous
// to FULL and a busy_timeout on every connection.
func OpenDB(ctx context.Context, db *sql.DB, d Dialect, o Options) (*Ledger, error) {
	known, ok := dialects()[d]
	if !ok {
		return nil, badConfig("there is no dialect of this name; there are sqlite and postgres")
	}
	known.shared = true
	l := newLedger(db, known, o.filled())
	if err := l.start(ctx, o); err != nil {
		return nil, err
	}
	return l, nil
}

// Close closes the connections. What runs fails; attempts that are open stay so.
func (l *Ledger) Close() error {
	if l.dialect.shared {
		return nil
	}
	if err := l.db.Close(); err != nil {
		return ledger.Unavailable(l.dialect.name + ": the connections cannot be closed")
	}
	return nil
}

// String returns which ledger it is, without its address.
func (l *Ledger) String() string { return "sqlledger(" + string(l.dialect.kind) + ")" }

// GoString is String.
func (l *Ledger) GoString() string { return l.String() }

func (o Options) filled() Options {
	if o.MaxConns == 0 {
		o.MaxConns = DefaultMaxConns
	}
	o.MaxConns = max(o.MaxConns, 1)
	if o.RetryFor == 0 {
		o.RetryFor = DefaultRetryFor
	}
	return o
}

func newLedger(db *sql.DB, d dialect, o Options) *Ledger {
	l := &Ledger{db: db, dialect: d, readOnly: o.ReadOnly, retryFor: o.RetryFor, machine: time.Now}
	if d.oneWriter {
		l.writing = make(chan struct{}, 1)
	}
	return l
}

// start brings the tables up to date and looks at what is in them.
func (l *Ledger) start(ctx context.Context, o Options) error {
	if err := ledger.Stopped(ctx); err != nil {
		return err
	}
	if err := l.migrate(ctx); err != nil {
		return err
	}
	if o.SkipVerify {
		return nil
	}
	return l.verifyTotals(ctx)
}

// addresses says which there are.
const addresses = "the address of a ledger is a path, sqlite:PATH or postgres://..."

// pool opens the connections of a dsn; none is used yet.
func pool(dsn string, o Options) (dialect, *sql.DB, error) {
	scheme, _, isURL := strings.Cut(dsn, "://")
	switch {
	case strings.ContainsRune(dsn, 0):
		return dialect{}, nil, badConfig("the address of a ledger holds a zero byte")
	case isURL && (scheme == "postgres" || scheme == "postgresql"):
		db, err := openPostgreSQL(dsn, o)
		return dialects()[PostgreSQL], db, err
	case isURL:
		return dialect{}, nil, badConfig(addresses)
	default:
		db, err := openSQLite(strings.TrimPrefix(dsn, "sqlite:"), o)
		return dialects()[SQLite], db, err
	}
}

func badConfig(detail string) error {
	f := events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, detail)
	f.Sent = events.NotSent
	return f
}
