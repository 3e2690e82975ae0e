package caller

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Check returns what would refuse the call now, or nil: a request that does not fit
// the Spec of the first model, a limit of the run, its price among them, a lease that is
// lost. It reserves nothing and sends nothing, so another call may take what is left: it
// is for a server that wants to answer 402 or 429 before the head of a stream goes out.
// Time is by this machine's clock. Errors are as of [Caller.Generate].
//
// It does not ask the model. What only the wire sees when it prepares the request (a kind
// of file that it has no place for, data or a raw tool of another provider, under Strict
// what it would have to leave out) comes as the call's failure, of kind invalid_request
// and with nothing sent.
func (c *Caller) Check(ctx context.Context, req request.Request) error {
	s := newSession(ctx, c, req, false)
	s.ctx = ctx
	a := newAttempt(s, c.models[0], req, nil)
	if f := a.prepare(); f != nil {
		return ofModel(f, a.facts.Model)
	}
	books := s.books()
	if books == nil {
		return nil
	}
	run, ok, err := books.Run(ctx, runIDOf(ctx))
	if err == nil && ok {
		_, err = run.Admit(a.reservation(), time.Now())
	}
	if err != nil {
		return s.refusal(err)
	}
	return nil
}

// reserve checks the request and has the attempt admitted, or returns why not. Nothing
// is sent.
func (a *attempt) reserve() *events.Failure {
	s := a.session
	if f := a.prepare(); f != nil {
		return f
	}
	books := s.books()
	if books == nil {
		a.reserved = true
		return nil
	}
	hold, err := books.Reserve(s.ctx, a.reservation())
	if err != nil {
		f := s.refusal(err)
		a.withdraw(books, err)
		return f
	}
	a.hold, a.reserved = hold, true
	a.session.observe(s.ctx, Step{Kind: StepReserved, Model: a.facts.Model, Attempt: a.facts, Request: &a.req})
	return nil
}

// withdraw takes back a reservation whose answer did not come, if it was made: nothing
// has been sent. What the rules of the ledger refused was not made.
func (a *attempt) withdraw(books ledger.Ledger, err error) {
	if f, ok := events.AsFailure(err); ok {
		refused := f.Kind == events.LimitReached && f.Reason != events.ReasonLedgerUnavailable
		if refused || f.Kind == events.InvalidRequest {
			return
		}
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(a.session.outer), withdrawTimeout)
	defer stop()
	unsent := events.NewFailure(events.Other, "", "")
	unsent.Sent = events.NotSent
	c := charge.Settle(charge.Attempt{Terminal: events.NewFailed(unsent)})
	// When it was not made there is nothing to take back, and when this fails too it is
	// recovered at its estimate.
	_ = books.Settle(ctx, ledger.Settlement{
		Attempt: a.facts.ID, Status: c.Status, Usage: c.Usage, Known: c.Known, Certainty: c.Certainty,
		CostCertainty: charge.None, Outcome: "never sent: the reservation was not answered",
		FailureKind: events.LimitReached, FailureReason: events.ReasonLedgerUnavailable,
	})
}

// withdrawTimeout bounds the attempt to take a reservation back.
const withdrawTimeout = 2 * time.Second

// prepare makes the attempt ready to be reserved, or returns what is wrong with the
// request.
func (a *attempt) prepare() *events.Failure {
	s := a.session
	if f := stream.Interrupted(s.ctx); f != nil {
		f.Sent = events.NotSent
		return f
	}
	a.facts = Attempt{ID: rand.Text(), Number: len(s.result.Attempts) + 1, Model: a.model.Name(), Without: a.req.Options.Without}
	if f := a.capOutput(); f != nil {
		return f
	}
	spec := a.model.Spec()
	if f := request.FailureOf(a.req.CheckFor(spec)); f != nil {
		return f
	}
	if s.run != nil && !s.nested {
		if f := refuseExtra(a.req, s.run.config.Limits); f != nil {
			return f
		}
	}
	a.charge = charge.Attempt{
		Estimate:       a.estimate(spec),
		HiddenOutput:   thinks(spec, a.req),
		AllShown:       showsAll(spec, a.req),
		OnInconsistent: s.caller.config.OnInconsistent,
	}
	a.quote = s.caller.quote(a.model.Name(), a.req, a.charge.Estimate.Usage())
	return nil
}

// thinks reports whether the model may generate what it does not show: it thinks, and
// was not told not to, or nobody knows and it was told to.
func thinks(spec request.Spec, req request.Request) bool {
	asked := req.ThinkingBudget != nil || req.Effort != "" && req.Effort != request.EffortOff
	switch spec.Thinking {
	case request.Yes:
		return req.Effort != request.EffortOff
	case request.No:
		return false
	default:
		return asked
	}
}

// showsAll reports whether the model is known to show all that it generates: it does not
// think, or takes the word not to. What may ask for thinking, or for more replies than
// the one that is shown, in words of its own makes it unknown.
func showsAll(spec request.Spec, req request.Request) bool {
	told := spec.Thinking == request.Yes && req.Effort == request.EffortOff &&
		slices.Contains(spec.Efforts, request.EffortOff) && !slices.Contains(req.Options.Without, request.FeatureEffort)
	known := spec.Thinking == request.No || told
	walkExtras(req, func(key string, _ any) {
		key = plainKey(key)
		if slices.Contains(outputKeys(), key) || strings.Contains(key, "think") || strings.Contains(key, "reason") || strings.Contains(key, "effort") {
			known = false
		}
	})
	return known
}

// estimate returns the estimate, with the cap that the model can reach at most.
func (a *attempt) estimate(spec request.Spec) charge.Estimate {
	e := charge.EstimateOf(a.req)
	if most := int64(spec.MaxOutput); most > 0 && e.Output.Or(0) > most {
		e.Output = events.Known(most)
	}
	return e
}

func (a *attempt) reservation() ledger.Reservation {
	s := a.session
	r := ledger.Reservation{
		Attempt: a.facts.ID, Call: s.id, Number: a.facts.Number,
		Actor: s.scope.Actor, Purpose: s.scope.Purpose,
		Provider: providerOf(a.facts.Model), Model: a.facts.Model,
		Estimate: a.charge.Estimate.Usage(), EstimatedCost: a.quote.reserved, Priced: a.quote.priced,
		Expires: expiresAfter(s.clocks().Call),
	}
	if s.run != nil {
		r.Run, r.Owner = s.run.config.ID, s.run.config.Owner
	}
	return r
}

// expiresAfter returns how long an attempt may be out before somebody may take its
// process for dead: the time that the clock of the call gives it, and a little. A
// consumer may keep it longer; its late settlement then corrects what was recovered.
func expiresAfter(call time.Duration) time.Duration {
	const longest, little = 24 * time.Hour, time.Minute
	return min(call, longest-little) + little
}

func providerOf(model string) string {
	provider, _, _ := strings.Cut(model, ":")
	return provider
}

// refusal returns the failure for an error of the ledger, with what an attempt before
// it failed of.
func (s *session) refusal(err error) *events.Failure {
	f := ledgerFailure(err)
	if stopped := stream.Interrupted(s.ctx); stopped != nil && f.Reason == events.ReasonLedgerUnavailable {
		f = stopped // the call was stopped, not the ledger
	}
	if f.Sent == "" {
		f.Sent = events.NotSent
	}
	if made := s.result.Attempts; len(made) > 0 && made[len(made)-1].Failure != nil {
		f = f.WithCause(errors.Join(err, s.unavailable(made[len(made)-1].Failure)))
	}
	return f
}

// ledgerFailure returns the failure that an error of a ledger is. What the error of a
// foreign ledger says is not repeated: it may hold an address with a password.
func ledgerFailure(err error) *events.Failure {
	f, ok := events.AsFailure(err)
	if !ok {
		return events.NewFailure(events.LimitReached, events.ReasonLedgerUnavailable, "the ledger failed")
	}
	if errors.Is(f, err) {
		return f
	}
	return f.WithCause(err)
}
