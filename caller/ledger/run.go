package ledger

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// NoRun is what the books call the run of attempts that belong to none. It has no
// limits and cannot be opened.
const NoRun = "-"

// MaxName is the longest id, owner, actor, purpose, provider or model, in bytes.
// They are UTF-8 without a zero byte, so that every store can keep them.
const MaxName = 256

// A RunSpec says which run to open.
type RunSpec struct {
	// ID names the run: 1 to [MaxName] bytes, not [NoRun].
	ID string
	// Limits are those of the run from now on. The zero Limits leave it the ones that
	// it has, so that nobody lifts them by leaving a field out; a run that is new then
	// has none.
	Limits Limits
	// Owner takes the lease of the run for Lease, so that only who holds it gets
	// attempts admitted; empty for a run that several share.
	Owner string
	Lease time.Duration
}

// A Run is a run as the books have it.
type Run struct {
	ID       string    `json:"id"`
	Limits   Limits    `json:"limits"`
	OpenedAt time.Time `json:"opened_at"`
	// Owner holds the lease until LeaseUntil; empty when the run has no lease.
	Owner      string    `json:"owner,omitempty"`
	LeaseUntil time.Time `json:"lease_until,omitzero"`
	// Closed is the refusal that closed the run, or nil.
	Closed *Exceeded `json:"closed,omitempty"`
	// ToolCalls are the tool calls that BeginTool has counted.
	ToolCalls int64 `json:"tool_calls"`
	// Totals are those of its attempts.
	Totals Totals `json:"totals"`
}

// Left returns how much of a limit is left, reservations taken off: attempts, tokens,
// microdollars, tool calls, nanoseconds of activity; false when it is not limited. How
// much of MaxElapsed is left only the clock of the store knows: it is false too.
func (r Run) Left(limit Limit) (left int64, limited bool) {
	l := r.Limits
	of := map[Limit][2]int64{
		LimitCalls:     {l.MaxCalls, r.Totals.Calls},
		LimitTokens:    {l.MaxTotalTokens, r.Totals.SpentTokens()},
		LimitCost:      {int64(l.MaxCost), int64(r.Totals.SpentCost())},
		LimitToolCalls: {l.MaxToolCalls, r.ToolCalls},
		LimitActive:    {int64(l.MaxActive), int64(r.Totals.Active)},
	}[limit]
	return max(of[0]-of[1], 0), of[0] > 0
}

// Check returns what is wrong with the spec, a failure of kind invalid_request and
// reason bad_parameter, or nil. It is for stores, as is everything below.
func (s RunSpec) Check() error {
	switch {
	case s.ID == "" || s.ID == NoRun || len(s.ID) > MaxName:
		return bad("the id of a run is 1 to " + strconv.Itoa(MaxName) + " bytes and not " + strconv.Quote(NoRun))
	case !areNames(s.ID, s.Owner):
		return bad("the id of a run and the owner of its lease are UTF-8 without a zero byte, at most " + strconv.Itoa(MaxName) + " bytes")
	case s.Owner != "" && s.Lease <= 0:
		return bad("a lease needs a duration")
	case s.Limits.Mode != Reserved && s.Limits.Mode != Measured:
		return bad("unknown mode of limits " + strconv.Quote(string(s.Limits.Mode)))
	case s.Limits.negative() != "":
		return bad("the limit " + s.Limits.negative() + " is negative")
	default:
		return nil
	}
}

// Check returns what no store can hold: limit/ledger_unavailable for a run that
// [RunSpec.Check] refuses, for counts below zero, for a lease, limits or an end of the
// run that cannot have one, or nil. It is for stores that read runs which others may
// have changed.
func (r Run) Check() error {
	spec := RunSpec{ID: r.ID, Limits: r.Limits, Owner: r.Owner, Lease: 1}
	if r.ID == NoRun {
		if !r.Limits.IsZero() || r.Owner != "" || r.Closed != nil {
			return Unavailable("the run of attempts that belong to none has limits, a lease or an end")
		}
		spec.ID = "none"
	}
	switch err := spec.Check(); {
	case err != nil:
		return Unavailable("a run is not valid: " + err.Error())
	case r.ToolCalls < 0 || slices.Min(r.Totals.amounts()) < 0:
		return Unavailable("a run has counted less than nothing: " + quoted(r.ID))
	case r.Owner == "" && !r.LeaseUntil.IsZero():
		return Unavailable("a run has a lease that nobody holds: " + quoted(r.ID))
	case r.Closed != nil && (r.Closed.Run != r.ID || !r.Closed.Closed):
		return Unavailable("a run was closed by what closes none: " + quoted(r.ID))
	default:
		return nil
	}
}

// negative returns the name of a limit that is below zero, if there is one.
func (l Limits) negative() string {
	for _, limit := range []struct {
		name string
		n    int64
	}{
		{"max_calls", l.MaxCalls},
		{"max_output_tokens_per_call", int64(l.MaxOutputTokensPerCall)},
		{"max_total_tokens", l.MaxTotalTokens},
		{"max_cost", int64(l.MaxCost)},
		{"max_elapsed", int64(l.MaxElapsed)},
		{"max_active", int64(l.MaxActive)},
		{"max_tool_calls", l.MaxToolCalls},
	} {
		if limit.n < 0 {
			return limit.name
		}
	}
	return ""
}

// areNames reports whether every store can keep the names as they are.
func areNames(names ...string) bool {
	return !slices.ContainsFunc(names, func(s string) bool {
		return len(s) > MaxName || !utf8.ValidString(s) || strings.ContainsRune(s, 0)
	})
}

// NewRun returns a run that is opened now.
func NewRun(id string, now time.Time) Run { return Run{ID: id, OpenedAt: now} }

// Open applies a spec to a run, new or found. The error is limit/lease_lost while
// another owner holds the lease.
func (r *Run) Open(s RunSpec, now time.Time) error {
	if r.Owner != "" && r.Owner != s.Owner && now.Before(r.LeaseUntil) {
		return leaseLost("run " + quoted(r.ID) + " is leased to " + quoted(r.Owner))
	}
	if !s.Limits.IsZero() && r.Limits != s.Limits {
		r.Limits, r.Closed = s.Limits, nil
	}
	if s.Owner != "" {
		r.Owner, r.LeaseUntil = s.Owner, now.Add(s.Lease)
	}
	return nil
}

// Renew puts off the end of the lease.
func (r *Run) Renew(owner string, lease time.Duration, now time.Time) error {
	if err := r.holds(owner, now); err != nil {
		return err
	}
	r.LeaseUntil = now.Add(lease)
	return nil
}

// Release ends the lease if the owner holds it.
func (r *Run) Release(owner string) {
	if owner != "" && r.Owner == owner {
		r.Owner, r.LeaseUntil = "", time.Time{}
	}
}

// holds returns nil when the owner may act for the run.
func (r *Run) holds(owner string, now time.Time) error {
	switch {
	case r.Owner == "" && owner == "":
		return nil
	case r.Owner != owner:
		return leaseLost("the lease of run " + quoted(r.ID) + " is not held")
	case !now.Before(r.LeaseUntil):
		return leaseLost("the lease of run " + quoted(r.ID) + " has expired")
	default:
		return nil
	}
}
