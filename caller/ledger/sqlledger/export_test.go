package sqlledger

import (
	"database/sql"
	"time"
)

// Advance moves the clock by which a ledger goes.
func Advance(l *Ledger, d time.Duration) { l.ahead.Add(int64(d)) }

// SetMachineClock gives a ledger another clock of the machine.
func SetMachineClock(l *Ledger, now func() time.Time) { l.machine = now }

// Passes reports whether an error of a dialect's driver is tried again.
func Passes(d Dialect, err error) bool { return dialects()[d].judge(err).passes }

// PageRows is how many rows are read at once.
const PageRows = pageRows

// CheckPath refuses what is no path of an SQLite file.
func CheckPath(path string) error { return checkPath(path) }

// Migrations is how many there are.
func Migrations(d Dialect) int { return len(dialects()[d].migrations) }

// Guard is the SQL that keeps other processes from migrating.
func Guard(d Dialect) string { return dialects()[d].guard }

// DB is the pool of a ledger.
func DB(l *Ledger) *sql.DB { return l.db }
