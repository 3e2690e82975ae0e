package caller

import (
	"strconv"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// Unavailable is the error of a call whose models have failed, retries and fallbacks
// included. It wraps the last failure, whose kind and reason a call's own failure has.
type Unavailable struct {
	// Attempts is how many were made.
	Attempts int
	// Last is the failure of the last one; its RetryAfter says when to come back.
	Last *events.Failure
}

// Error returns one line.
func (u *Unavailable) Error() string {
	if u.Attempts == 1 {
		return "unavailable: " + u.Last.Error()
	}
	return "unavailable after " + strconv.Itoa(u.Attempts) + " attempts: " + u.Last.Error()
}

// Unwrap returns the last failure.
func (u *Unavailable) Unwrap() error { return u.Last }

// Exceeded is the error of a call, or a tool call, that a limit of its run refused. Its
// fields and methods are documented at ledger.Exceeded.
type Exceeded = ledger.Exceeded

// Limits bound a run. Its fields are documented at ledger.Limits.
type Limits = ledger.Limits

// Modes of Limits.
const (
	Reserved = ledger.Reserved
	Measured = ledger.Measured
)

// isUnavailable reports whether a failure is about the models, so that it counts as
// their failing and not as the caller's doing.
func isUnavailable(f *events.Failure) bool {
	switch f.Kind {
	case events.Cancelled, events.LimitReached, events.InvalidRequest:
		return false
	default:
		return f.Reason != events.ReasonAnswerInvalid
	}
}
