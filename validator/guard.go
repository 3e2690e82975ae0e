package validator

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// Guard returns s held to the grammar: it passes valid events on as they are and
// ends with exactly one terminal, whatever s does.
//
// An event that breaks a rule, or an end without a terminal, becomes Failed of
// kind invalid_reply, reason protocol_violation, with the usage seen so far and
// the *[Violation] reachable by errors.As; Started goes before it if none came.
// That Failed is not counted by the limits. With [ForRequest] calls are checked
// too, see [Policy].
//
// The guarded stream is as lazy and as often usable as s. Guard stops s (its
// yield returns false) at the terminal and at a violation, and yields the last
// event when s has returned, so that everything below is closed by then. It
// starts no goroutine and recovers nothing: a panic or Goexit of the consumer
// goes through s, and nothing is yielded after yield returned false or did not
// return.
func Guard(s stream.Stream, opts ...Option) stream.Stream {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	return func(yield func(events.Event) bool) {
		g := guard{options: o, validator: Validator{Limits: o.limits}, yield: yield}
		s(g.next)
		g.end()
	}
}

// A guard is one ranging of a guarded stream.
type guard struct {
	options
	validator Validator
	yield     func(events.Event) bool
	// over is set for good once nothing more is taken from the stream, and
	// while yield runs: a yield that does not return leaves it set.
	over bool
	// last is the terminal, held back until the stream has returned.
	last events.Event

	start   events.Start
	usage   events.Usage
	refused *refusedCall
}

// next takes one event from the stream and reports whether it wants another.
func (g *guard) next(ev events.Event) bool {
	if g.over {
		return false
	}
	if err := g.validator.Observe(ev); err != nil {
		return g.stop(g.violated(ev, err))
	}
	switch ev.Kind {
	case events.Started:
		g.start, _ = ev.Start()
	case events.UsageUpdated:
		u, _ := ev.Usage()
		g.usage = g.usage.Merge(u)
	case events.ToolCallCompleted:
		ev = g.checkCall(ev)
	case events.Completed:
		return g.stop(g.settle(ev))
	case events.Failed:
		return g.stop(ev)
	default:
	}
	return g.pass(ev)
}

// pass hands ev to the consumer and reports whether it wants another.
func (g *guard) pass(ev events.Event) bool {
	g.over = true
	g.over = !g.yield(ev)
	return !g.over
}

// stop ends the stream with a terminal.
func (g *guard) stop(terminal events.Event) bool {
	g.over, g.last = true, terminal
	return false
}

// end yields the terminal once the stream has returned.
func (g *guard) end() {
	if !g.over {
		_, err := g.validator.Finish()
		g.stop(g.violated(events.Event{}, err))
	}
	if g.last.Kind == 0 {
		return // the consumer left
	}
	if !g.started() && !g.yield(events.NewStarted(events.Start{})) {
		return
	}
	g.yield(g.last)
}

func (g *guard) started() bool { return g.validator.sum.Events > 0 }

// violated returns the Failed that takes the place of ev, which breaks a rule;
// the zero event stands for a missing terminal.
func (g *guard) violated(ev events.Event, violation error) events.Event {
	f := events.Failure{Sent: g.sent(ev)}
	if refused, ok := ev.Failure(); ok {
		f = *refused // what it says of the exchange is still the best that is known
	}
	f.Kind, f.Reason, f.Detail = events.InvalidReply, events.ReasonProtocolViolation, violation.Error()
	f.Usage = g.usage
	if u, ok := ev.Usage(); ok && u.Sane() {
		u.Raw = "" // may be what is too large
		f.Usage = g.usage.Merge(u)
	}
	return g.failed(f.WithCause(violation))
}

// sent says how far the request of a stream got that ev, by breaking a rule,
// ended.
func (g *guard) sent(ev events.Event) events.Sent {
	switch {
	case g.usage.Final || ev.Kind == events.Completed:
		return events.Served
	case g.started() || ev.Kind != 0:
		return events.Answered
	default:
		return events.MaybeSent // a stream without any event
	}
}

// failed returns a Failed with what Started told of the exchange.
func (g *guard) failed(f *events.Failure) events.Event {
	if f.RequestID == "" {
		f.RequestID = g.start.RequestID
	}
	if f.RateLimits == nil {
		f.RateLimits = g.start.RateLimits
	}
	return events.NewFailed(f)
}
