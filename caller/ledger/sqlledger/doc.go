// Package sqlledger keeps a ledger in an SQL database: SQLite for what has to last on
// one machine, PostgreSQL for what many machines share. It has no rules of its own:
// those of package ledger are applied in transactions.
//
//	books, err := sqlledger.Open(ctx, "sqlite:ledger.db", sqlledger.Options{})
//	books, err := sqlledger.Open(ctx, "postgres://weir@db/ledger", sqlledger.Options{})
//	defer books.Close()
//
// Each change of a run is one transaction that locks the run's row, so that any
// number of processes never spend more than a run may. Times are those of the
// store: on PostgreSQL the server's clock, on SQLite the machine's.
//
// What fails and may pass (serialization failures, deadlocks, a busy file, a lost
// connection) is tried again for [Options.RetryFor]. A commit whose answer was lost
// is no harm: what is said twice is booked once. All other failures are
// limit/ledger_unavailable and hold neither the address of the database nor any
// value; the cause of a context that has ended stays reachable by errors.Is.
//
// An SQLite file must not be moved or removed while a ledger has it open: on Unix the
// ledger writes on into the file that has no name any more, and nothing tells.
//
// # What is in the database
//
// The tables are made and brought up to date by Open, forwards only; a database of a
// newer version is refused. Read them as you like, and do not write into them.
//
//   - weir_runs: a run, its limits, its state, the owner of its lease.
//   - weir_attempts: an attempt: whose, of which model, its status, tokens and cost
//     as charged, when, and the whole record as JSON.
//   - weir_log: what happened to a run, in order: opened, limits, leased, renewed,
//     released, reserved, settled, recovered, corrected, tool, closed.
//   - weir_schema: the version.
//
// The entries of a run's log are chained: each holds the SHA-256 of the one before
// and of its own content, and the run's row their number and the last hash.
// [Ledger.Verify] finds an entry, a record or a run that was changed, cut off or
// taken out, and attempts of a run in another order. Which of two runs came first is in
// no chain. It is no protection against who writes a whole run anew, or removes
// one with all that belongs to it.
package sqlledger
