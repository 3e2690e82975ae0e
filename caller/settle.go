package caller

import (
	"context"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// settleTimeout bounds the settlement of an attempt, which goes on when the call is
// cancelled.
const settleTimeout = 10 * time.Second

// settle charges the attempt and books it, once. It changes the outcome where the
// reply must not be used: nobody knows what it cost, or the books could not be kept.
func (a *attempt) settle(o *outcome) {
	a.settled, a.session.last = true, a.delivery
	a.charge.Unread = a.unread()
	c := charge.Settle(a.charge)
	if c.Replace != nil {
		c.Replace.Provider, c.Replace.RequestID = providerOf(a.facts.Model), a.start.RequestID
		o.failure, o.issue = c.Replace, nil
	}
	a.facts.Settlement = a.settlement(c, o)
	a.facts.Failure = o.failure
	booked := false
	defer func() {
		if !booked { // a ledger that panics has not been told either
			a.facts.Unbooked = events.NewFailure(events.Crashed, "", "the ledger panicked")
			a.session.result.add(a.facts)
		}
	}()
	a.facts.Unbooked = a.book()
	booked = true
	if err := a.facts.Unbooked; err != nil {
		f := ledgerFailure(err)
		f.Sent = events.Served
		if o.failure != nil {
			f.Sent = o.failure.Sent // how far it got is not the ledger's to say
		}
		o.failure, o.issue = f, nil
	}
	if o.failure != nil {
		a.session.result.Answer = "" // it is not handed over either
	}
	a.session.result.add(a.facts)
	a.observe(StepSettled)
}

// book tells the ledger.
func (a *attempt) book() error {
	books := a.session.books()
	if books == nil {
		return nil
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(a.session.outer), settleTimeout)
	defer stop()
	return books.Settle(ctx, a.facts.Settlement)
}

func (a *attempt) settlement(c charge.Charge, o *outcome) ledger.Settlement {
	money := a.costOf(c)
	s := ledger.Settlement{
		Attempt: a.facts.ID, Status: c.Status, Usage: a.counted(c), Known: c.Known, Certainty: c.Certainty,
		Cost: money.micros, KnownCost: money.known, CostText: money.text, CostCertainty: money.certainty,
		Outcome: c.Outcome, Latency: a.latency(), FirstContent: a.first,
		Answered: cut(a.start.Model), RequestID: cut(a.start.RequestID),
	}
	if !c.Usage.Input.IsKnown() || !c.Usage.Output.IsKnown() {
		s.Certainty = charge.Estimated // the cost is the provider's, the tokens are not
	}
	switch f := o.failure; {
	case f != nil:
		s.FailureKind, s.FailureReason = f.Kind, f.Reason
		if s.RequestID == "" {
			s.RequestID = cut(f.RequestID)
		}
	case o.issue != nil:
		s.FailureKind, s.FailureReason = events.InvalidReply, events.ReasonAnswerInvalid
	}
	return s
}

// counted returns the charged usage with prompt and output known, which a provider
// that tells only its cost leaves out: limits on tokens count them.
func (a *attempt) counted(c charge.Charge) events.Usage {
	u := c.Usage
	if u.Input.IsKnown() && u.Output.IsKnown() {
		return u
	}
	unpaid := a.charge
	unpaid.Terminal = events.NewCompleted(events.Completion{Usage: c.Known})
	return charge.Settle(unpaid).Usage
}

// unread is how long the provider may have gone on without being read: while the
// consumer's code ran, and since the last event, because a stream that was silent may
// have been dead. A model that does not use the transport tells no clock: of it, it is
// all the time that the attempt took.
func (a *attempt) unread() time.Duration {
	if !a.charge.BillingStops {
		return 0
	}
	elapsed := time.Since(a.dispatched)
	working := elapsed - (a.session.watch.Waited() - a.waited)
	return working + elapsed - a.heard
}

// latency is how long the attempt waited for the provider. A model that does not use
// the transport tells no clock: of it, it is all the time that the attempt took.
func (a *attempt) latency() time.Duration {
	if a.dispatched.IsZero() {
		return 0
	}
	if waited := a.session.watch.Waited() - a.waited; waited > 0 {
		return waited
	}
	return time.Since(a.dispatched)
}

func cut(text string) string { return events.CutText(text, ledger.MaxName) }
