// Package memory is the ledger of one process, kept in memory: no set-up, nothing
// to close. It is what a caller uses that is given no other.
//
//	books := memory.New(memory.Options{})
//	c := caller.New(model, caller.Config{Ledger: books})
//	...
//	data, err := books.Save()      // to look at, or to go on with later
//	books, err = memory.Load(data, memory.Options{}) // refused when its sums do not add up
//
// It keeps the last [Options.Keep] attempts that have ended, and of older ones
// only what they add to the totals of their run. Attempts that Recover has booked are
// kept for [LateFor] besides, so that a late settlement still finds them. Runs are kept
// until [Ledger.Forget]: a run is a few hundred bytes.
//
// It is not shared between processes and does not outlive its own, unless saved.
package memory
