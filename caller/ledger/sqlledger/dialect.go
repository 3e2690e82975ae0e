package sqlledger

import (
	"database/sql"
	"time"
)

// A dialect is what differs between databases.
type dialect struct {
	// kind names it in options, name is for people.
	kind Dialect
	name string
	// shared reports that the pool is the caller's.
	shared bool
	// oneWriter reports that the database lets in one writer at a time.
	oneWriter bool
	// lock locks a run's row and returns it: by its id, or by an attempt of it.
	lock, lockByAttempt string
	// change and reading are the transactions of who writes and of who reads one
	// state; nil for those that the database has.
	change, reading *sql.TxOptions
	// clock is the time of the store in SQL; empty for the clock of the machine.
	clock string
	// guard keeps other processes from migrating, for the rest of the transaction;
	// empty where the first change of a table does.
	guard string
	// encoding asks how the database keeps text, which has to be UTF-8.
	encoding   string
	migrations []string
	// mistyped are queries for the runs with values that are of another type than
	// their columns; none where a column holds no others.
	mistyped []string
	// time returns a time as a column holds it.
	time func(time.Time) any
	// judge says what an error of the driver means.
	judge func(error) verdict
}

func dialects() map[Dialect]dialect {
	return map[Dialect]dialect{SQLite: sqliteDialect(), PostgreSQL: postgreSQLDialect()}
}

// A verdict is what an error of a driver means: whether it may pass, and what to
// tell people, without anything of the error's own text.
type verdict struct {
	passes bool
	what   string
}

// precision is that of the columns that hold times.
const precision = time.Microsecond

// roundedUp returns the first time of the columns' precision that is not before t.
func roundedUp(t time.Time) time.Time {
	if down := t.Truncate(precision); down.Before(t) {
		return down.Add(precision)
	}
	return t
}
