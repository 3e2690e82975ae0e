package cancel

import "context"

// A Reason says why a call was cancelled. It is an error, fit to be the cause of
// a context: errors.Is(context.Cause(ctx), cancel.User).
//
// errors.Is also finds [context.DeadlineExceeded] in the reasons of clocks and
// [context.Canceled] in all others.
type Reason string

// The reasons.
const (
	// User: somebody pressed stop.
	User Reason = "user"
	// Superseded: a newer call makes this one pointless.
	Superseded Reason = "superseded"
	// Shutdown: the process is ending.
	Shutdown Reason = "shutdown"
	// Deadline: the whole call took too long.
	Deadline Reason = "deadline"
	// FirstToken: no content came in time.
	FirstToken Reason = "first_token"
	// Idle: no byte came for too long, after the first.
	Idle Reason = "idle"
	// Stall: no content came for too long, after the first.
	Stall Reason = "stall"
	// Limit: a limit of the run was reached.
	Limit Reason = "limit"
	// Tail: the reply had ended and its accounting did not come in time. It
	// stays between a transport and its [Watch]; no failure carries it.
	Tail Reason = "tail"
)

// Error returns "cancelled: " and the reason, or "timed out: " for a clock.
func (r Reason) Error() string {
	if r.IsClock() {
		return "timed out: " + string(r)
	}
	if r == "" {
		return "cancelled"
	}
	return "cancelled: " + string(r)
}

// IsClock reports whether a clock of [Watch] gave the reason.
func (r Reason) IsClock() bool {
	switch r {
	case Deadline, FirstToken, Idle, Stall, Tail:
		return true
	default:
		return false
	}
}

// Is lets errors.Is find the context error that the reason is a kind of.
func (r Reason) Is(target error) bool {
	if r.IsClock() {
		return target == context.DeadlineExceeded
	}
	return target == context.Canceled
}
