package replay

import (
	"strings"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
)

// restored returns a recorded event as it was; to the failure of a cancelled call
// it gives back the cause, which has no written form.
func restored(ev events.Event) events.Event {
	f, ok := ev.Failure()
	if !ok {
		return ev
	}
	if reason, ok := causeOf(f); ok {
		return events.NewFailed(f.WithCause(reason))
	}
	return ev
}

// causeOf returns the reason of package cancel that a failure tells.
func causeOf(f *events.Failure) (cancel.Reason, bool) {
	reason := cancel.Reason(f.Reason)
	switch f.Kind {
	case events.Cancelled:
		return reason, true
	case events.TimedOut:
		return reason, reason.IsClock()
	case events.LimitReached:
		return cancel.Limit, f.Reason == events.ReasonLimitElapsed
	default:
		return "", false
	}
}

// cutFailure returns how a recording ends that has no terminal, else nil.
func (r *recording) cutFailure(evs []timed) *events.Failure {
	if r.complete || len(evs) > 0 && evs[len(evs)-1].Kind.IsTerminal() {
		return nil
	}
	kind, reason, _ := strings.Cut(r.reason, "/")
	f := events.NewFailure(events.FailureKind(kind), events.Reason(reason), "the recorded call was left here")
	f.Sent = events.MaybeSent
	for _, ev := range evs {
		f.Sent = events.Answered
		if u, ok := ev.Usage(); ok {
			f.Usage = f.Usage.Merge(u)
		}
	}
	if cause, ok := causeOf(f); ok {
		f = f.WithCause(cause)
	}
	return f
}
