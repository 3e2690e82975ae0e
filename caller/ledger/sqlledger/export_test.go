package sqlledger

import "time"

// Advance moves the clock by which a ledger goes.
func Advance(l *Ledger, d time.Duration) { l.ahead.Add(int64(d)) }
