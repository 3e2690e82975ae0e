package stream

import (
	"context"
	"errors"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
)

// Interrupted returns the failure of a stream whose context has ended: timed_out of
// a clock or of the user's own deadline, which is never retried; limit of a run that
// ran out of time; else cancelled, with the reason of whoever cancelled it. The cause
// of the context stays reachable. It returns nil while the context has not ended.
func Interrupted(ctx context.Context) *events.Failure {
	reason, typed := cancel.Of(ctx)
	cause := context.Cause(ctx)
	var f *events.Failure
	switch {
	case cause == nil:
		return nil
	case !typed && reason == cancel.Deadline:
		f = events.NewFailure(events.TimedOut, events.ReasonDeadline, "the context's own deadline has passed")
		f.ShouldRetry = new(false)
	case reason.IsClock():
		f = events.NewFailure(events.TimedOut, events.Reason(reason), clockText(reason))
	case reason == cancel.Limit:
		f = events.NewFailure(events.LimitReached, events.ReasonLimitElapsed, "a limit of the run was reached")
	default:
		f = events.NewFailure(events.Cancelled, events.Reason(reason), "the call was stopped")
	}
	if !typed {
		// So that errors.Is finds the reason of a plain context too.
		cause = errors.Join(reason, cause)
	}
	return f.WithCause(cause)
}

func clockText(clock cancel.Reason) string {
	switch clock {
	case cancel.FirstToken:
		return "no content came in time"
	case cancel.Idle:
		return "no byte came for too long"
	case cancel.Stall:
		return "no content came for too long"
	default:
		return "the whole call took too long"
	}
}
