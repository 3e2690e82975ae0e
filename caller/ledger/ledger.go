package ledger

import (
	"context"
	"iter"
	"time"
)

// A Ledger keeps runs and attempts. Implementations are safe for concurrent use,
// by any number of processes where they share a store, and apply the rules of
// [Run]. Every error is or wraps a *events.Failure: what a limit refuses is an
// [*Exceeded]; a lease that is not held is limit/lease_lost; a store that does not
// answer, or holds what it cannot hold, is limit/ledger_unavailable; what the
// caller got wrong (an unknown run, an attempt reserved twice with other
// contents) is invalid_request/bad_parameter.
type Ledger interface {
	// OpenRun opens a run, or finds it when it exists. Other limits replace the old
	// ones and open a run that a refusal has closed; equal ones, and none, change
	// nothing. With
	// an owner it takes the lease, or fails while another owner holds it.
	OpenRun(ctx context.Context, spec RunSpec) (Run, error)
	// Renew puts off the end of a lease that the owner holds.
	Renew(ctx context.Context, run, owner string, lease time.Duration) error
	// Release ends a lease that the owner holds; of one that it does not hold it
	// changes nothing.
	Release(ctx context.Context, run, owner string) error

	// Reserve admits an attempt by [Run.Admit] and writes its record, dispatched,
	// both or neither. Reserving the same again returns the same Hold. The zero run
	// need not be opened.
	Reserve(ctx context.Context, r Reservation) (Hold, error)
	// Settle books an attempt by [Run.Book] and completes its record, both or
	// neither. Settling the same again changes nothing. One that Recover has booked
	// is corrected.
	Settle(ctx context.Context, s Settlement) error
	// BeginTool counts a tool call of a run by [Run.AdmitTool].
	BeginTool(ctx context.Context, run, owner string) error

	// Recover books every attempt that is still dispatched though its time is over,
	// as ambiguous and at its estimate, and returns their records. Run it when a
	// process starts, and now and then.
	Recover(ctx context.Context) ([]Record, error)

	// Run returns a run as it is now; false when it was never opened or used.
	Run(ctx context.Context, id string) (Run, bool, error)
	// Runs are all runs, the oldest first. After an error there is no other pair.
	Runs(ctx context.Context) iter.Seq2[Run, error]
	// Records are the attempts that match, in the order of their reservation. After
	// an error there is no other pair.
	Records(ctx context.Context, match Filter) iter.Seq2[Record, error]
}

// A Filter chooses records. Of each field the zero value means any; the zero run
// is called [NoRun] here.
type Filter struct {
	Run, Call, Actor, Model, Provider, Purpose string
	Status                                     Status
	// Since and Before bound when they were dispatched: from Since on, before Before.
	Since, Before time.Time
}

// Matches reports whether the filter chooses r.
func (f Filter) Matches(r Record) bool {
	for _, p := range [...][2]string{
		{f.Run, r.Run},
		{f.Call, r.Call},
		{f.Actor, r.Actor},
		{f.Model, r.Model},
		{f.Provider, r.Provider},
		{f.Purpose, r.Purpose},
		{string(f.Status), string(r.Status())},
	} {
		if p[0] != "" && p[0] != p[1] {
			return false
		}
	}
	return (f.Since.IsZero() || !r.DispatchedAt.Before(f.Since)) && (f.Before.IsZero() || r.DispatchedAt.Before(f.Before))
}
