package ledger

import (
	"context"
	"strconv"

	"github.com/weirsdk/weir/events"
)

// Unavailable returns the failure of a store that does not answer, or holds what it
// cannot hold: limit/ledger_unavailable, not sent. The detail must hold no address
// and no credential. It is for stores, as are the other two.
func Unavailable(detail string) *events.Failure {
	return notSent(events.LimitReached, events.ReasonLedgerUnavailable, detail)
}

// NotFound returns the failure of a run or an attempt that the ledger does not
// know: invalid_request/bad_parameter, not sent.
func NotFound(what, id string) *events.Failure {
	return bad("the ledger knows no " + what + " " + quoted(id))
}

// Stopped returns nil, or when ctx has ended the failure of a store that was given
// no time: limit/ledger_unavailable, the cause of ctx reachable by errors.Is.
func Stopped(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return Unavailable("the context has ended before the ledger could answer").WithCause(context.Cause(ctx))
}

func bad(detail string) *events.Failure {
	return notSent(events.InvalidRequest, events.ReasonBadParameter, detail)
}

func leaseLost(detail string) *events.Failure {
	return notSent(events.LimitReached, events.ReasonLeaseLost, detail)
}

func notSent(kind events.FailureKind, reason events.Reason, detail string) *events.Failure {
	f := events.NewFailure(kind, reason, detail)
	f.Sent = events.NotSent
	return f
}

// quoted returns a name for people.
func quoted(name string) string { return strconv.Quote(events.CutText(name, MaxName)) }
