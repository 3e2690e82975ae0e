package ledgertest

import (
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func leaseCases() []testCase {
	return []testCase{
		{name: "only the holder of a lease gets attempts and tools", run: leaseHeld},
		{name: "one of two gets the lease", run: leaseContended},
		{name: "a lease that is over can be taken by another", run: leaseExpires},
		{name: "a renewed lease lasts longer", run: leaseRenewed},
		{name: "a released lease is free", run: leaseReleased},
		{name: "who lost the lease can still settle", run: leaseLostSettles},
	}
}

func (h *harness) take(owner string, lease time.Duration) error {
	_, err := h.books.OpenRun(h.Context(), ledger.RunSpec{ID: "r", Owner: owner, Lease: lease})
	return err
}

// acts reserves an attempt as an owner.
func (h *harness) acts(id, owner string) error {
	_, err := h.books.Reserve(h.Context(), owned(asking("r", id), owner))
	return err
}

func leaseHeld(h *harness) {
	h.must(h.take("ann", 50*h.unit()), "take the lease")
	h.must(h.acts("a", "ann"), "reserve")
	h.must(h.books.BeginTool(h.Context(), "r", "ann"), "begin a tool")
	for _, other := range []string{"", "ben", "Ann"} {
		h.leaseLost(h.acts("b", other))
		h.leaseLost(h.books.BeginTool(h.Context(), "r", other))
	}
	run := h.run("r")
	h.check(run.Owner == "ann" && run.Totals.Calls == 1 && run.ToolCalls == 1, "the run is %+v", run)
	h.check(run.Closed == nil, "a lost lease has closed the run for its holder")
	h.open("s", ledger.Limits{})
	_, err := h.books.Reserve(h.Context(), owned(asking("s", "c"), "ann"))
	h.leaseLost(err)
}

func leaseContended(h *harness) {
	won := make(chan string, 2)
	for _, owner := range []string{"ann", "ben"} {
		go func() {
			if err := h.take(owner, 50*h.unit()); err == nil {
				won <- owner
			} else {
				h.isLeaseLost(err)
				won <- ""
			}
		}()
	}
	first, second := <-won, <-won
	h.check((first == "") != (second == ""), "the lease went to %q and %q", first, second)
	h.check(h.run("r").Owner == first+second, "the lease went to %q, the books say %q", first+second, h.run("r").Owner)
}

// isLeaseLost is leaseLost for other goroutines.
func (h *harness) isLeaseLost(err error) {
	f, ok := events.AsFailure(err)
	h.check(ok && f.Reason == events.ReasonLeaseLost, "got %v, want a lost lease", err)
}

func leaseExpires(h *harness) {
	h.must(h.take("ann", 10*h.unit()), "take the lease")
	h.leaseLost(h.take("ben", 10*h.unit()))
	h.pass(11 * h.unit())
	h.leaseLost(h.acts("a", "ann"))
	h.leaseLost(h.books.BeginTool(h.Context(), "r", "ann"))
	h.leaseLost(h.books.Renew(h.Context(), "r", "ann", h.unit()))
	h.must(h.take("ben", 50*h.unit()), "take the lease that is over")
	h.must(h.acts("b", "ben"), "reserve")
	h.leaseLost(h.acts("c", "ann"))
	h.leaseLost(h.take("ann", h.unit()))
}

func leaseRenewed(h *harness) {
	h.must(h.take("ann", 10*h.unit()), "take the lease")
	was := h.run("r").LeaseUntil
	h.pass(h.unit())
	h.leaseLost(h.books.Renew(h.Context(), "r", "ben", 50*h.unit()))
	h.must(h.books.Renew(h.Context(), "r", "ann", 50*h.unit()), "renew")
	h.check(h.run("r").LeaseUntil.After(was), "the lease ends at %s, and ended at %s", h.run("r").LeaseUntil, was)
	h.pass(10 * h.unit())
	h.must(h.acts("a", "ann"), "reserve after the first end")
}

func leaseReleased(h *harness) {
	h.must(h.take("ann", 50*h.unit()), "take the lease")
	h.must(h.books.Release(h.Context(), "r", "ben"), "release what others hold")
	h.must(h.acts("a", "ann"), "reserve")
	h.must(h.books.Release(h.Context(), "r", "ann"), "release")
	h.leaseLost(h.acts("b", "ann"))
	h.must(h.acts("c", ""), "reserve without a lease")
	h.must(h.take("ben", 50*h.unit()), "take the free lease")
	run := h.run("r")
	h.check(run.Owner == "ben" && !run.LeaseUntil.IsZero(), "the run is %+v", run)
}

func leaseLostSettles(h *harness) {
	h.must(h.take("ann", 10*h.unit()), "take the lease")
	h.must(h.acts("a", "ann"), "reserve")
	h.pass(11 * h.unit())
	h.must(h.take("ben", 50*h.unit()), "take the lease that is over")
	h.settle(saying("a", 7))
	h.check(h.run("r").Totals.Cost.Charged == 7, "charged is %d", h.run("r").Totals.Cost.Charged)
}

func toolCases() []testCase {
	return []testCase{
		{name: "tools are counted and refused at their limit, for good", run: limitTools},
		{name: "tools are counted without a limit too", run: countTools},
	}
}

func limitTools(h *harness) {
	h.open("r", ledger.Limits{MaxToolCalls: 2})
	for range 2 {
		h.must(h.books.BeginTool(h.Context(), "r", ""), "begin a tool")
	}
	want := ledger.Exceeded{Run: "r", Limit: ledger.LimitToolCalls, Value: 2, Max: 2, Closed: true}
	h.exceeded(h.books.BeginTool(h.Context(), "r", ""), want)
	h.refuse(asking("r", "a"), want)
	h.exceeded(h.books.BeginTool(h.Context(), "r", ""), want)
	h.check(h.run("r").ToolCalls == 2, "counted are %d", h.run("r").ToolCalls)
}

func countTools(h *harness) {
	h.open("r", ledger.Limits{})
	h.must(h.books.BeginTool(h.Context(), "r", ""), "begin a tool")
	h.must(h.books.BeginTool(h.Context(), "", ""), "begin a tool without a run")
	h.check(h.run("r").ToolCalls == 1 && h.run(ledger.NoRun).ToolCalls == 1, "counted are %d and %d", h.run("r").ToolCalls, h.run(ledger.NoRun).ToolCalls)
	h.check(h.run("r").Totals == ledger.Totals{}, "a tool counts as an attempt")
}
