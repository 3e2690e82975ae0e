package caller

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A session is one call at work: its attempts, one after the other.
type session struct {
	caller    *Caller
	outer     context.Context // the user's
	ctx       context.Context // with the clocks of the call
	watch     *cancel.Watch
	req       request.Request
	streaming bool
	nested    bool
	id        string
	run       *Run
	scope     Scope
	began     time.Time

	result *Result
	// last is the delivery of the last attempt that was made, or nil.
	last *delivery
	// asked is the number of the model that is asked.
	asked int
	// accept says what else is wrong with an answer that fits, or is nil.
	accept func(answer string) *events.Issue
	// dropped tells of the attempts that failed before anything was delivered.
	dropped []events.Event
	// failure is what the call failed with, nil when it completed.
	failure *events.Failure
	// ended reports that the terminal was handed on, or that nobody wants it.
	ended bool
}

func newSession(ctx context.Context, c *Caller, req request.Request, streaming bool) *session {
	run := RunOf(ctx)
	return &session{
		caller: c, outer: ctx, req: req, streaming: streaming, nested: isNested(ctx),
		id: rand.Text(), run: run, scope: scopeFor(ctx, req, run),
		began: time.Now(), result: &Result{Reply: new(stream.Reply)},
	}
}

// proceed makes the call. yield is the consumer's loop, nil when there is none.
func (s *session) proceed(yield func(events.Event) bool) {
	s.ctx, s.watch = cancel.Start(s.outer, s.caller.config.Clocks)
	defer s.watch.Stop()
	defer s.finish()
	defer func() {
		if !s.ended && s.failure == nil {
			s.failure = events.NewFailure(events.Crashed, "", "the call panicked")
		}
	}()
	if f := s.refused(); f != nil {
		s.fail(f, newDelivery(yield, nil))
		return
	}
	s.answer(yield)
}

// refused returns why the call may not even begin, or nil.
func (s *session) refused() *events.Failure {
	if f := refusedIn(s.ctx, s.caller.models[0].Name()); f != nil {
		s.observe(s.ctx, Step{Kind: StepRefused, Model: s.caller.models[0].Name(), Failure: f})
		return f
	}
	return nil
}

// finish closes the result, on every exit.
func (s *session) finish() {
	s.result.Elapsed = time.Since(s.began)
	s.observe(s.ctx, Step{
		Kind: StepFinished, Model: s.result.Model(), Request: &s.req,
		Elapsed: s.result.Elapsed, Failure: s.failure, Result: s.result,
	})
}

func (s *session) err() error {
	if s.failure == nil {
		return nil
	}
	var u *Unavailable
	if errors.As(s.failure, &u) && s.failure.Kind == u.Last.Kind && s.failure.Reason == u.Last.Reason {
		return u
	}
	return s.failure
}

// delivered reports whether the consumer has seen content, so that nothing can be
// repeated. Generate delivers nothing before the end.
func (s *session) delivered(o outcome) bool { return s.streaming && o.delivery.open }

// tries makes attempts of one model until one is good, or there is no point.
func (s *session) tries(model providers.Model, req request.Request, yield func(events.Event) bool) outcome {
	req.Options.Without = s.closedFor(model, req)
	for retries := 0; ; {
		o := s.attempt(model, req, yield)
		if o.failure == nil || s.nested || s.delivered(o) {
			return o
		}
		if feature, ok := refusedFeature(o.failure, req); ok {
			s.latch(model, feature, o)
			req.Options.Without = append(slices.Clone(req.Options.Without), feature)
			continue
		}
		retries++
		again, stopped := s.again(o, retries)
		if stopped != nil {
			o.failure = stopped
		}
		if !again {
			return o
		}
	}
}

// closedFor returns the features to leave out: those the request names and those the
// dialect has closed.
func (s *session) closedFor(model providers.Model, req request.Request) []string {
	without := slices.Clone(req.Options.Without)
	if req.Strict {
		return without
	}
	for _, feature := range s.caller.config.Dialect.Closed(model.Name()) {
		if !slices.Contains(without, feature) {
			without = append(without, feature)
		}
	}
	return without
}

func (s *session) latch(model providers.Model, feature string, o outcome) {
	s.caller.config.Dialect.Close(model.Name(), feature)
	s.drop(o)
	s.observe(s.ctx, Step{Kind: StepLatched, Model: model.Name(), Feature: feature, Failure: o.failure})
}

// again decides about a retry and waits for it. stopped is what ended the call while
// it waited.
func (s *session) again(o outcome, retry int) (again bool, stopped *events.Failure) {
	if !o.failure.Retryable() || isOutOfTime(o.failure) || retry > s.caller.config.MaxRetries {
		return false, nil
	}
	wait, ok := s.waitBefore(retry, o.failure, o.runEnds)
	if !ok {
		return false, nil
	}
	s.drop(o)
	s.observe(s.ctx, Step{Kind: StepRetried, Model: o.model, Wait: wait, Failure: o.failure})
	if f := sleep(s.ctx, wait); f != nil {
		f.Sent = o.failure.Sent
		return false, f.WithCause(errors.Join(f.Unwrap(), s.unavailable(o.failure)))
	}
	return true, nil
}

// isOutOfTime reports whether the clock of the whole call has run out, which another
// attempt has no more of.
func isOutOfTime(f *events.Failure) bool {
	return f.Kind == events.TimedOut && f.Reason == events.ReasonDeadline
}

// drop remembers an attempt that is repeated, for the consumer.
func (s *session) drop(o outcome) {
	if !o.made {
		return
	}
	s.dropped = append(s.dropped, events.NewNotice(events.NoticeAttemptFailed, o.model+": "+o.failure.Error()))
}

func (s *session) unavailable(last *events.Failure) *Unavailable {
	return &Unavailable{Attempts: len(s.result.Attempts), Last: last}
}

// fail ends the call with a failure.
func (s *session) fail(f *events.Failure, d *delivery) {
	if len(s.result.Attempts) > 0 && isUnavailable(f) {
		f = f.WithCause(s.unavailable(f))
	}
	if !s.streaming && s.last != nil {
		d = s.last // an attempt that was refused has no reply
	}
	s.failure = f
	s.result.Reply = d.reply
	s.end(events.NewFailed(f), d)
}

// end hands the terminal on.
func (s *session) end(terminal events.Event, d *delivery) {
	s.ended = true
	d.end(terminal)
}

// clocks returns the clocks that the call keeps.
func (s *session) clocks() cancel.Clocks {
	if s.watch == nil {
		return cancel.Clocks{Call: cancel.DefaultCall} // only asked, not made
	}
	return s.watch.Clocks()
}

// observe tells the observer of a step.
func (s *session) observe(ctx context.Context, step Step) {
	if o := s.caller.config.Observer; o != nil {
		o.Observe(ctx, s.filled(step))
	}
}

// filled returns a step with what all steps of the call share.
func (s *session) filled(step Step) Step {
	step.Call, step.Scope, step.Stream, step.Nested = s.id, s.scope, s.streaming, s.nested
	if s.run != nil {
		step.Run = s.run.ID()
	}
	if step.Request == nil {
		step.Request = &s.req
	}
	return step
}

// books returns the ledger of the call; nil for a nested one, whose attempts the outer
// call books.
func (s *session) books() ledger.Ledger {
	switch {
	case s.nested:
		return nil
	case s.run != nil:
		return s.run.books
	default:
		return s.caller.config.Ledger
	}
}
