package ledgertest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// A harness is what a case works with.
type harness struct {
	testing.TB
	store   Store
	books   ledger.Ledger
	handles []ledger.Ledger
	// passed is how much time has.
	passed time.Duration
}

// unit is a while: long where the clock can be moved.
func (h *harness) unit() time.Duration {
	if h.store.Advance == nil {
		return 100 * time.Millisecond
	}
	return time.Minute
}

// pass lets time pass.
func (h *harness) pass(d time.Duration) {
	if h.store.Advance == nil {
		<-time.After(d)
		return
	}
	h.passed += d
	for _, l := range h.handles {
		h.store.Advance(l, d)
	}
}

// reopen opens the ledger once more.
func (h *harness) reopen() ledger.Ledger {
	l := h.store.Reopen(h.TB, h.books)
	if slices.Contains(h.handles, l) {
		return l
	}
	h.handles = append(h.handles, l)
	if h.store.Advance != nil && h.passed > 0 {
		h.store.Advance(l, h.passed)
	}
	return l
}

// asking reserves 10 tokens of prompt and 20 of output for 30 microdollars.
func asking(run, id string) ledger.Reservation { return askingFor(run, id, 30) }

// askingFor reserves so many tokens for as many microdollars.
func askingFor(run, id string, amount int64) ledger.Reservation {
	return ledger.Reservation{
		Attempt: id, Run: run, Call: "call", Number: 1, Actor: "ann", Purpose: "test", Provider: "p", Model: "p:m",
		Estimate:      events.Usage{Input: events.Known(amount / 3), Output: events.Known(amount - amount/3)},
		EstimatedCost: events.Micros(amount), Priced: true,
	}
}

func unpriced(r ledger.Reservation) ledger.Reservation {
	r.Priced, r.EstimatedCost = false, 0
	return r
}

func uncapped(r ledger.Reservation) ledger.Reservation {
	r.Estimate.Output = events.Count{}
	return r
}

func owned(r ledger.Reservation, owner string) ledger.Reservation {
	r.Owner = owner
	return r
}

// saying settles an attempt for so many tokens and microdollars, all reported.
func saying(id string, amount int64) ledger.Settlement {
	u := events.Usage{Input: events.Known(amount / 2), Output: events.Known(amount - amount/2)}
	return ledger.Settlement{
		Attempt: id, Status: charge.OK, Usage: u, Known: u, Certainty: charge.Exact,
		Cost: events.Micros(amount), KnownCost: events.Micros(amount), CostCertainty: charge.Exact, Latency: time.Millisecond,
	}
}

func (h *harness) open(id string, l ledger.Limits) ledger.Run {
	h.Helper()
	run, err := h.books.OpenRun(h.Context(), ledger.RunSpec{ID: id, Limits: l})
	h.must(err, "open run "+id)
	return run
}

func (h *harness) reserve(r ledger.Reservation) ledger.Hold {
	h.Helper()
	hold, err := h.books.Reserve(h.Context(), r)
	h.must(err, "reserve "+r.Attempt)
	return hold
}

func (h *harness) settle(s ledger.Settlement) {
	h.Helper()
	h.must(h.books.Settle(h.Context(), s), "settle "+s.Attempt)
}

// spend reserves and settles an attempt.
func (h *harness) spend(run, id string, amount int64) {
	h.Helper()
	h.reserve(askingFor(run, id, amount))
	h.settle(saying(id, amount))
}

func (h *harness) recover() []ledger.Record {
	h.Helper()
	records, err := h.books.Recover(h.Context())
	h.must(err, "recover")
	return records
}

// run returns a run that has to exist.
func (h *harness) run(id string) ledger.Run {
	h.Helper()
	run, ok, err := h.books.Run(h.Context(), id)
	h.must(err, "run "+id)
	if !ok {
		h.Fatalf("run %q is not there", id)
	}
	return run
}

func (h *harness) records(f ledger.Filter) []ledger.Record {
	h.Helper()
	var all []ledger.Record
	for r, err := range h.books.Records(h.Context(), f) {
		h.must(err, "records")
		all = append(all, r)
	}
	return all
}

// record returns the one record of an attempt.
func (h *harness) record(id string) ledger.Record {
	h.Helper()
	var found []ledger.Record
	for _, r := range h.records(ledger.Filter{}) {
		if r.Attempt == id {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		h.Fatalf("attempt %q has %d records, want 1", id, len(found))
	}
	return found[0]
}

func (h *harness) must(err error, what string) {
	h.Helper()
	if err != nil {
		h.Fatalf("%s: %v", what, err)
	}
}

func (h *harness) check(ok bool, format string, args ...any) {
	h.Helper()
	if !ok {
		h.Errorf(format, args...)
	}
}

// refused wants a failure of a kind and a reason.
func (h *harness) refused(err error, kind events.FailureKind, reason events.Reason) {
	h.Helper()
	f, ok := events.AsFailure(err)
	if !ok {
		h.Fatalf("got %v (%T), want a failure %s/%s", err, err, kind, reason)
	}
	if f.Kind != kind || f.Reason != reason {
		h.Errorf("got %s/%s, want %s/%s", f.Kind, f.Reason, kind, reason)
	}
}

func (h *harness) bad(err error) {
	h.Helper()
	h.refused(err, events.InvalidRequest, events.ReasonBadParameter)
}

func (h *harness) leaseLost(err error) {
	h.Helper()
	h.refused(err, events.LimitReached, events.ReasonLeaseLost)
}

// exceeded wants the refusal of a limit.
func (h *harness) exceeded(err error, want ledger.Exceeded) {
	h.Helper()
	var got *ledger.Exceeded
	if !errors.As(err, &got) {
		h.Fatalf("got %v (%T), want a refusal by the limit of %s", err, err, want.Limit)
	}
	if *got != want {
		h.Errorf("refused with %+v, want %+v", *got, want)
	}
	f, ok := events.AsFailure(err)
	h.check(ok && f.Kind == events.LimitReached, "the refusal is no failure of kind limit: %v", err)
}

// refuse asks for an attempt and wants the refusal of a limit.
func (h *harness) refuse(r ledger.Reservation, want ledger.Exceeded) {
	h.Helper()
	want.Run = r.Run
	_, err := h.books.Reserve(h.Context(), r)
	h.exceeded(err, want)
}

// balanced wants the totals of each run to be those of its records, and each
// record to be of a run.
func (h *harness) balanced() {
	h.Helper()
	sums := map[string]ledger.Totals{}
	for _, r := range h.records(ledger.Filter{}) {
		h.must(r.Check(), "record "+r.Attempt)
		sums[r.Run] = sums[r.Run].Plus(ledger.TotalsOf(r))
	}
	for run, err := range h.books.Runs(h.Context()) {
		h.must(err, "runs")
		h.must(run.Check(), "run "+run.ID)
		h.check(run.Totals.Agrees(sums[run.ID]), "run %q: its totals are %+v, those of its records %+v", run.ID, run.Totals, sums[run.ID])
		delete(sums, run.ID)
	}
	for id := range sums {
		h.Errorf("there are records of run %q, which is not there", id)
	}
}

// same reports whether two records say the same; times are compared as instants.
func same(a, b ledger.Record) bool {
	times := a.DispatchedAt.Equal(b.DispatchedAt) && a.ExpiresAt.Equal(b.ExpiresAt) && a.CompletedAt.Equal(b.CompletedAt)
	return times && a.Reservation == b.Reservation && a.Settled == b.Settled && a.Recovered == b.Recovered
}

// sameRun reports whether two runs say the same.
func sameRun(a, b ledger.Run) bool {
	closed := a.Closed == nil && b.Closed == nil || a.Closed != nil && b.Closed != nil && *a.Closed == *b.Closed
	return closed && a.ID == b.ID && a.Limits == b.Limits && a.OpenedAt.Equal(b.OpenedAt) && a.Owner == b.Owner &&
		a.LeaseUntil.Equal(b.LeaseUntil) && a.ToolCalls == b.ToolCalls && a.Totals == b.Totals
}

// ids lists the attempts of records.
func ids(records []ledger.Record) string {
	var all []string
	for _, r := range records {
		all = append(all, r.Attempt)
	}
	return strings.Join(all, " ")
}
