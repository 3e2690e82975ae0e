// Package ledgertest holds any ledger to the contract of package ledger. It is for
// tests, with nothing but package testing.
//
//	func TestLedger(t *testing.T) {
//		ledgertest.Run(t, func(tb testing.TB) ledger.Ledger { return mystore.New(tb.TempDir()) })
//	}
//
// [Run] takes a function that returns an empty ledger. A [Store] says more: how its
// clock is moved, so that nothing waits, and how it is opened once more, as another
// process would.
//
// What is held: limits of every kind, at their edges and while 16 goroutines spend
// one budget; leases; tools; that saying the same again changes nothing; recovery,
// once, and its correction; reading, its filters and its order; contexts that have
// ended; that every value comes back as it was, the unknown as unknown; and after
// every case that the totals of each run are those of its records.
//
// It does not break connections and kills no process: a store's own tests do.
package ledgertest
