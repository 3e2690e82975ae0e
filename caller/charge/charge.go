package charge

import (
	"slices"

	"github.com/weirsdk/weir/events"
)

// Status is how an attempt ended, for the books. The values are words of the
// ledger and stay as they are.
type Status string

// The statuses.
const (
	// OK: the reply is complete.
	OK Status = "ok"
	// Error: it failed, and what it cost is known.
	Error Status = "error"
	// Ambiguous: it failed, and the provider may have served it.
	Ambiguous Status = "ambiguous"
)

// Certainty says where a charge comes from. The values are words of the ledger
// and stay as they are.
type Certainty string

// The certainties.
const (
	// Exact: the provider reported all the tokens that are charged. What it asks for
	// beside tokens, as for each use of a hosted tool, is in no price.
	Exact Certainty = "exact"
	// Provider: the cost is the provider's own figure.
	Provider Certainty = "provider"
	// Estimated: some of what is charged was not reported.
	Estimated Certainty = "estimated"
	// None: nothing is charged.
	None Certainty = "none"
)

// A Charge is what an attempt is charged.
type Charge struct {
	Status Status
	// Usage is what is charged. Input and Output are known, unless the provider
	// told its cost and not them. Other counts may be unknown; their cost is then
	// bounded by price.Price.AtMost, and estimated whatever Certainty says.
	Usage events.Usage
	// Known is what was certainly used at least: what the provider reported.
	Known events.Usage
	// Cost is the provider's own figure and replaces what Usage would cost; nil
	// unless Certainty is Provider.
	Cost *events.Cost
	// Certainty is that of Usage, and of Cost when there is one.
	Certainty Certainty
	// Outcome is the row of the table that holds, in words. It is for people.
	Outcome string
	// Replace is the failure that the caller hands on instead of the Completed: the
	// reply must not be used, because nobody knows what it cost. Nil otherwise.
	Replace *events.Failure
}

// Settle returns what an attempt is charged, by the table in the documentation of
// the package. It is total: any Attempt has a charge.
func Settle(a Attempt) Charge {
	f, table := factsOf(a), rows()
	first := slices.IndexFunc(table, func(r row) bool { return r.holds(&f) }) // the last one holds always
	c := table[first].charge(&f)
	c.Outcome = table[first].outcome
	return c
}

// facts is what the rows look at.
type facts struct {
	Attempt
	completed bool
	cost      *events.Cost    // the provider's own, of a Completed
	failure   *events.Failure // nil unless the terminal is Failed
	reported  events.Usage    // all that was told
	// last reports that the output count is the last one and no running count.
	last bool
}

func factsOf(a Attempt) facts {
	f := facts{Attempt: a, completed: a.Terminal.Kind == events.Completed}
	told, _ := a.Terminal.Usage()
	f.reported = a.Seen.Merge(told)
	f.last = told.Output.IsKnown() || a.Seen.Final
	if c, ok := a.Terminal.Completion(); ok && c.Cost != nil && c.Cost.Micros >= 0 {
		f.cost = c.Cost
	}
	if err := a.Terminal.Err(); err != nil {
		f.failure, _ = events.AsFailure(err)
	}
	return f
}

// isTold reports whether the last word on prompt and output was reported.
func (f *facts) isTold() bool {
	return f.reported.Input.IsKnown() && f.reported.Output.IsKnown() && f.last
}

// isUntouched reports whether nothing came that a provider must have served.
func (f *facts) isUntouched() bool { return !f.reported.Reported() && f.Arrived <= 0 }

// sent returns how far the request of a Failed got.
func (f *facts) sent() events.Sent {
	if f.failure == nil || f.failure.Sent == "" {
		return events.MaybeSent
	}
	return f.failure.Sent
}

// isRefused reports whether the answer was a definite error, not a stream.
func (f *facts) isRefused() bool {
	return f.failure != nil && f.failure.Status != 0 && f.failure.Kind != events.InvalidReply && f.isUntouched()
}

func (f *facts) isUnusable() bool {
	if f.failure != nil {
		return f.failure.Kind == events.InvalidReply && f.failure.Reason == events.ReasonUnusableUsage && f.sent() != events.NotSent
	}
	return f.completed
}

func (f *facts) isStopped() bool {
	if f.failure != nil {
		return f.failure.Kind == events.Cancelled
	}
	return f.Exit != Ended
}

// isCutOff reports, of an attempt that was stopped, whether the provider stopped because
// the client hung up, and what arrived says how much it generated until then.
func (f *facts) isCutOff() bool {
	answered := f.failure == nil || f.sent() == events.Answered || f.sent() == events.Served
	return answered && f.BillingStops && f.AllShown && !f.HiddenOutput && f.Estimate.Output.IsKnown()
}
