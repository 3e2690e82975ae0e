package caller

import (
	"context"
	"errors"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// An attempt is one attempt at work, from its reservation to its settlement.
type attempt struct {
	session  *session
	model    providers.Model
	req      request.Request
	delivery *delivery
	charge   charge.Attempt
	quote    quote
	hold     ledger.Hold
	facts    Attempt

	ctx        context.Context // the call's until it is dispatched
	stop       context.CancelFunc
	dispatched time.Time
	waited     time.Duration // by the call, before this attempt
	start      events.Start
	first      time.Duration // until the first content
	heard      time.Duration // until the last event, where billing stops on a hang-up
	reserved   bool
	sent       bool
	settled    bool
}

// An outcome is what came of an attempt.
type outcome struct {
	model    string
	delivery *delivery
	terminal events.Event
	// failure is nil when the attempt completed and may be handed on.
	failure *events.Failure
	// issue is what is wrong with the structured answer of one that completed.
	issue *events.Issue
	// made reports that the attempt was made, and is in the books.
	made bool
	// runEnds is when the run runs out of time; zero when it does not.
	runEnds time.Time
}

func newAttempt(s *session, model providers.Model, req request.Request, yield func(events.Event) bool) *attempt {
	return &attempt{session: s, model: model, req: req, delivery: newDelivery(yield, s.dropped), ctx: s.ctx, stop: func() {}}
}

// attempt makes one attempt.
func (s *session) attempt(model providers.Model, req request.Request, yield func(events.Event) bool) outcome {
	a := newAttempt(s, model, req, yield)
	s.result.Reply = a.delivery.reply
	defer a.leave()
	if f := a.reserve(); f != nil {
		f = ofModel(f, model.Name())
		s.observe(s.ctx, Step{Kind: StepRefused, Model: model.Name(), Attempt: a.facts, Failure: f})
		return outcome{model: model.Name(), delivery: a.delivery, failure: f}
	}
	a.dispatch()
	stream := a.guarded()
	a.sent = true
	stream(a.next)
	return a.end()
}

// dispatch gives the attempt its context: marked, so that callers below do not meter
// again, and cut where the run runs out of time.
func (a *attempt) dispatch() {
	s := a.session
	ctx := context.WithValue(s.ctx, nestedKey{}, nesting{s.run})
	if a.hold.Left > 0 {
		ctx, a.stop = context.WithTimeoutCause(ctx, a.hold.Left, cancel.Limit)
	}
	a.dispatched, a.waited = time.Now(), s.watch.Waited()
	s.result.TimeToFirstContent = 0 // of an earlier attempt
	step := Step{Kind: StepDispatched, Model: a.facts.Model, Attempt: a.facts, Request: &a.req}
	if o, ok := s.caller.config.Observer.(ContextObserver); ok {
		ctx = o.AttemptContext(ctx, s.filled(step))
	}
	a.ctx = ctx
	s.observe(a.ctx, step)
}

// guarded returns the stream of the attempt, held to the grammar and to the request's
// tools. Whatever the model does, a panic of it becomes its failure.
func (a *attempt) guarded() stream.Stream {
	contained := stream.New(func(emit func(events.Event) bool) {
		a.model.Stream(a.ctx, a.req)(emit)
	})
	c := a.session.caller.config
	return validator.Guard(contained, validator.ForRequest(a.req), validator.WithPolicy(c.ToolPolicy), validator.WithLimits(c.Grammar))
}

// next takes one event of the stream and reports whether to go on.
func (a *attempt) next(ev events.Event) bool {
	a.charge.Observe(ev)
	switch {
	case ev.Kind.IsTerminal():
		return false
	case ev.Kind == events.Started:
		a.start, _ = ev.Start()
		a.facts.Answered = a.start.Model
		a.observe(StepStarted)
	case a.first == 0 && ev.Kind.IsContent():
		a.first = max(time.Since(a.dispatched), 1)
		a.session.result.TimeToFirstContent = time.Since(a.session.began)
		a.observe(StepFirstContent)
	}
	more := a.delivery.take(ev)
	if a.charge.BillingStops { // nobody else needs the clock read for every event
		a.heard = time.Since(a.dispatched)
	}
	return more
}

// end settles an attempt whose loop was left in the ordinary way.
func (a *attempt) end() outcome {
	o := outcome{model: a.facts.Model, delivery: a.delivery, terminal: a.charge.Terminal, made: true, runEnds: a.runEnds()}
	if a.charge.Terminal.Kind == 0 {
		a.charge.Exit = charge.Abandoned
		o.failure = a.stopped(events.ReasonAbandoned, "the consumer left the loop")
	} else {
		o.failure, _ = a.charge.Terminal.Failure()
	}
	a.blame(o.failure)
	if o.failure == nil {
		o.issue = a.session.checkAnswer(a.req, a.delivery.reply, a.charge.Terminal)
	}
	a.settle(&o)
	return o
}

// blame makes the limit reachable that a call was cut by.
func (a *attempt) blame(f *events.Failure) {
	if f == nil || a.hold.Left <= 0 || !errors.Is(f, cancel.Limit) {
		return
	}
	most := int64(a.session.run.config.Limits.MaxElapsed)
	e := &Exceeded{Run: a.session.run.ID(), Limit: ledger.LimitElapsed, Value: most, Max: most}
	*f = *f.WithCause(errors.Join(e, f.Unwrap()))
}

// leave settles an attempt whose loop was left by a panic or a Goexit, which go on.
func (a *attempt) leave() {
	defer a.stop()
	if a.settled || !a.reserved {
		return
	}
	o := outcome{failure: a.stopped(events.ReasonConsumerPanic, "a panic or Goexit came out of the consumer's loop")}
	a.charge.Exit = charge.Panicked
	if !a.delivery.entered {
		o.failure = events.NewFailure(events.Crashed, "", "the call panicked")
	}
	if !a.sent {
		o.failure.Sent = events.NotSent
		a.charge.Terminal = events.NewFailed(o.failure)
	}
	a.settle(&o)
	a.session.failure = o.failure
}

// stopped returns the failure of an attempt that its consumer ended.
func (a *attempt) stopped(reason events.Reason, detail string) *events.Failure {
	f := events.NewFailure(events.Cancelled, reason, detail)
	f.Sent, f.Usage = events.Answered, a.charge.Seen // it was handed content
	return f
}

// runEnds returns when the run runs out of time, zero for never.
func (a *attempt) runEnds() time.Time {
	if a.hold.Left <= 0 {
		return time.Time{}
	}
	return a.dispatched.Add(a.hold.Left)
}

func (a *attempt) observe(kind StepKind) {
	if a.session.caller.config.Observer == nil {
		return // what a step holds costs something
	}
	a.session.observe(a.ctx, Step{
		Kind: kind, Model: a.facts.Model, Attempt: a.facts, Request: &a.req,
		Elapsed: time.Since(a.dispatched), Failure: a.facts.Failure, Reply: a.delivery.folded(), Terminal: a.charge.Terminal,
	})
}
