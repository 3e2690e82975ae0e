// Package ledger says what a ledger of model calls is: what it keeps of each
// attempt, and the rules by which a run admits the next one. It talks to no
// provider and prices nothing: package caller does.
//
//	run, err := books.OpenRun(ctx, ledger.RunSpec{ID: "nightly", Limits: ledger.Limits{MaxCost: 5_000_000}})
//	...
//	hold, err := books.Reserve(ctx, ledger.Reservation{Attempt: id, Run: "nightly", ...}) // an *Exceeded when a limit says no
//	...                                                                                   // one attempt, whatever becomes of it
//	err = books.Settle(ctx, ledger.Settlement{Attempt: id, ...})
//
// A [Ledger] is the store: memory (package ledger/memory) for one process, SQLite
// or PostgreSQL (module ledger/sqlledger) for what has to last or is shared. All
// of them apply the rules of this package, [Run.Admit], [Run.Book] and
// [Run.Recover], under their own atomicity, so that they cannot disagree; package
// ledger/ledgertest holds any store to them.
//
// The life of an attempt:
//
//	Reserve -> dispatched -> Settle  -> ok, error or ambiguous
//	                      -> Recover -> ambiguous, at its estimate -> Settle (a late one corrects it)
//
// Guarantees of every store:
//
//   - What is spent and what is reserved never exceed a hard limit together,
//     however many callers and processes reserve at once. A reply may cost more
//     than was reserved for it, where the provider counts higher than the
//     conservative estimate; that is booked as it is, and nothing is admitted then.
//   - Nothing is left uncharged: an attempt whose process died stays reserved until
//     [Ledger.Recover] books it at its estimate.
//   - An attempt is booked once. Saying the same again changes nothing.
//   - Unknown is not zero: a sum is complete only when every part of it is known,
//     and its known part stands beside it.
//   - Sums saturate and never wrap around.
package ledger
