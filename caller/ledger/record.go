package ledger

import (
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
)

// Status is how far an attempt has come: [Dispatched], or how it ended.
type Status = charge.Status

// Dispatched is the status of an attempt that is not booked yet.
const Dispatched Status = "dispatched"

// UnknownCost is the certainty of a cost that nobody knows: the model has no price.
const UnknownCost charge.Certainty = "unknown"

// A Reservation asks a ledger to admit one attempt. Attempt is required.
type Reservation struct {
	// Attempt is the id of the attempt, unique in the ledger.
	Attempt string `json:"attempt"`
	// Run is the run that it belongs to; empty for none.
	Run string `json:"run"`
	// Owner is who holds the lease of the run, where it has one.
	Owner string `json:"owner,omitempty"`
	// Call is the id of the call, Number the number of the attempt in it, from 1.
	Call   string `json:"call,omitempty"`
	Number int    `json:"number,omitempty"`
	// Actor and Purpose say who wants it and what for.
	Actor   string `json:"actor,omitempty"`
	Purpose string `json:"purpose,omitempty"`
	// Provider and Model are who is asked; Model is the whole name,
	// "<provider>:<model>".
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	// Estimate is what is expected at most: the tokens of the prompt and the cap on
	// the output, unknown without one.
	Estimate events.Usage `json:"estimate"`
	// EstimatedCost is what the estimate costs at most, when Priced.
	EstimatedCost events.Micros `json:"estimated_cost_micros"`
	Priced        bool          `json:"priced"`
	// Expires is how long until an attempt that was not settled may be recovered;
	// zero means [DefaultExpires].
	Expires time.Duration `json:"expires_ns,omitempty"`
}

// DefaultExpires is how long an attempt may be out: longer than the clocks of a
// call let it take.
const DefaultExpires = 30 * time.Minute

// tokens is what is reserved.
func (r Reservation) tokens() int64 { return tokensOf(r.Estimate) }

// A Hold is an admitted attempt.
type Hold struct {
	// DispatchedAt is when, by the clock of the store.
	DispatchedAt time.Time
	// Left is how long the attempt may take before MaxElapsed of its run is reached;
	// zero when that is not limited.
	Left time.Duration
}

// A Settlement says how an attempt ended and what it is charged.
type Settlement struct {
	// Attempt is the id that was reserved.
	Attempt string `json:"attempt"`
	// Status is ok, error or ambiguous.
	Status Status `json:"status"`
	// Usage is what is charged, Known what was certainly used at least.
	Usage events.Usage `json:"usage"`
	Known events.Usage `json:"known"`
	// Certainty is where the usage comes from.
	Certainty charge.Certainty `json:"certainty"`
	// Cost is what is charged, KnownCost what it certainly cost at least.
	Cost      events.Micros `json:"cost_micros"`
	KnownCost events.Micros `json:"known_cost_micros"`
	// CostText is the provider's own decimal figure, where it gave one.
	CostText string `json:"cost_text,omitempty"`
	// CostCertainty is where the cost comes from; [UnknownCost] when the model has no
	// price.
	CostCertainty charge.Certainty `json:"cost_certainty"`
	// Outcome is the row of the charge table that held, for people.
	Outcome string `json:"outcome,omitempty"`
	// Latency is how long the attempt waited for the provider, FirstContent how long
	// until the first content; zero when none came.
	Latency      time.Duration `json:"latency_ns"`
	FirstContent time.Duration `json:"first_content_ns,omitempty"`
	// FailureKind and FailureReason say what failed; empty when nothing did.
	FailureKind   events.FailureKind `json:"failure_kind,omitempty"`
	FailureReason events.Reason      `json:"failure_reason,omitempty"`
	// Answered is the model as the provider names it, RequestID its id of the
	// exchange.
	Answered  string `json:"answered,omitempty"`
	RequestID string `json:"request_id,omitempty"`
}

// A Record is one attempt in the books.
type Record struct {
	Reservation
	// Settled is how it ended. While the attempt is dispatched it has only Attempt
	// and Status.
	Settled Settlement `json:"settled"`
	// Recovered reports that nobody settled it and it was booked at its estimate.
	Recovered bool `json:"recovered,omitempty"`
	// The times are of the store's clock. ExpiresAt is when it may be recovered,
	// CompletedAt is zero while it is dispatched.
	DispatchedAt time.Time `json:"dispatched_at"`
	ExpiresAt    time.Time `json:"expires_at"`
	CompletedAt  time.Time `json:"completed_at,omitzero"`
}

// Status returns how far the attempt has come.
func (r Record) Status() Status { return r.Settled.Status }

// NewRecord returns the record of an attempt that is admitted now, for stores.
func NewRecord(r Reservation, now time.Time) Record {
	expires := r.Expires
	if expires <= 0 {
		expires = DefaultExpires
	}
	return Record{
		Reservation: r, Settled: Settlement{Attempt: r.Attempt, Status: Dispatched},
		DispatchedAt: now, ExpiresAt: now.Add(expires),
	}
}

// Check returns what no store can hold: limit/ledger_unavailable for a record that
// [NewRecord], [Run.Book] and [Run.Recover] cannot have made, or nil. It is for
// stores that read records which others may have changed.
func (r Record) Check() error {
	if err := r.Reservation.Check(); err != nil {
		return Unavailable("a record is not valid: " + err.Error())
	}
	if r.Status() == Dispatched {
		if r.Settled != (Settlement{Attempt: r.Attempt, Status: Dispatched}) || r.Recovered || !r.CompletedAt.IsZero() {
			return Unavailable("the record of an open attempt says how it ended: " + quoted(r.Attempt))
		}
		return nil
	}
	if err := r.Settled.check(r); err != nil {
		return Unavailable("a record is not valid: " + err.Error())
	}
	return nil
}

// Recovery returns the settlement of an attempt that nobody settled, for stores:
// ambiguous, at its estimate.
func (r Record) Recovery() Settlement {
	s := Settlement{
		Attempt: r.Attempt, Status: charge.Ambiguous, Usage: r.Estimate, Certainty: charge.Estimated,
		Cost: r.EstimatedCost, CostCertainty: charge.Estimated, Outcome: "never settled; recovered",
		FailureKind: events.Other,
	}
	if !r.Priced {
		s.CostCertainty = UnknownCost
	}
	return s
}
