package ledgertest

import (
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
)

func idempotenceCases() []testCase {
	return []testCase{
		{name: "reserving the same again gives the same hold", run: reserveAgain},
		{name: "reserving the same again needs no room", run: reserveAgainWhenClosed},
		{name: "reserving something else under the same id is refused", run: reserveOther},
		{name: "a reservation that is not valid leaves nothing", run: reserveInvalid},
		{name: "settling the same again changes nothing", run: settleAgain},
		{name: "settling something else is refused and changes nothing", run: settleOther},
		{name: "a settlement that is not valid is refused and changes nothing", run: settleInvalid},
		{name: "an attempt that is not there cannot be settled", run: settleUnknown},
		{name: "opening the same again changes nothing", run: openAgain},
		{name: "a run that was not opened is refused", run: unknownRun},
		{name: "a run that is not valid is refused", run: invalidRun},
	}
}

func reserveAgain(h *harness) {
	h.open("r", ledger.Limits{MaxElapsed: 1000 * h.unit()})
	first := h.reserve(asking("r", "a"))
	h.pass(h.unit())
	again := h.reserve(asking("r", "a"))
	h.check(first.DispatchedAt.Equal(again.DispatchedAt) && first.Left == again.Left, "the hold was %+v and is %+v", first, again)
	h.check(first.Left > 0 && first.Left <= 1000*h.unit(), "left is %s", first.Left)
	was := h.record("a")
	h.check(was.DispatchedAt.Equal(first.DispatchedAt), "the hold says %s, the record %s", first.DispatchedAt, was.DispatchedAt)
	h.check(h.run("r").Totals.Calls == 1, "it was counted twice")
	h.settle(saying("a", 5))
	settled := h.reserve(asking("r", "a"))
	h.check(first.DispatchedAt.Equal(settled.DispatchedAt), "after the settlement the hold was %+v and is %+v", first, settled)
	h.check(h.record("a").Status() == charge.OK, "it is open again")
	none := h.reserve(asking("", "b"))
	again = h.reserve(asking("", "b"))
	h.check(none.DispatchedAt.Equal(again.DispatchedAt) && none.Left == 0, "without a run the hold was %+v and is %+v", none, again)
}

func reserveAgainWhenClosed(h *harness) {
	h.open("r", ledger.Limits{MaxCalls: 1})
	first := h.reserve(asking("r", "a"))
	h.refuse(asking("r", "b"), ledger.Exceeded{Limit: ledger.LimitCalls, Value: 1, Max: 1, Closed: true})
	again := h.reserve(asking("r", "a"))
	h.check(first.DispatchedAt.Equal(again.DispatchedAt), "the hold was %+v and is %+v", first, again)
}

func reserveOther(h *harness) {
	h.open("r", ledger.Limits{})
	h.open("s", ledger.Limits{})
	h.reserve(asking("r", "a"))
	was := h.record("a")
	for _, change := range []func(*ledger.Reservation){
		func(r *ledger.Reservation) { r.Run = "s" },
		func(r *ledger.Reservation) { r.Run = "" },
		func(r *ledger.Reservation) { r.EstimatedCost++ },
		func(r *ledger.Reservation) { *r = uncapped(*r) },
		func(r *ledger.Reservation) { r.Actor = "ben" },
		func(r *ledger.Reservation) { r.Number++ },
		func(r *ledger.Reservation) { r.Expires++ },
	} {
		other := asking("r", "a")
		change(&other)
		_, err := h.books.Reserve(h.Context(), other)
		h.bad(err)
	}
	h.check(same(h.record("a"), was), "the record was %+v and is %+v", was, h.record("a"))
}

func reserveInvalid(h *harness) {
	h.open("r", ledger.Limits{})
	for _, change := range []func(*ledger.Reservation){
		func(r *ledger.Reservation) { r.Attempt = "" },
		func(r *ledger.Reservation) { r.Actor = "\xff" },
		func(r *ledger.Reservation) { r.EstimatedCost = -1 },
	} {
		r := asking("r", "a")
		change(&r)
		_, err := h.books.Reserve(h.Context(), r)
		h.bad(err)
	}
	h.check(h.run("r").Totals == ledger.Totals{}, "something was counted")
	h.check(len(h.records(ledger.Filter{})) == 0, "something was written")
}

func settleAgain(h *harness) {
	h.open("r", ledger.Limits{})
	h.reserve(asking("r", "a"))
	s := saying("a", 7)
	s.RequestID = "not utf-8: \xff" // what a provider wrote is kept as text
	h.settle(s)
	was, run := h.record("a"), h.run("r")
	h.pass(h.unit())
	h.settle(s)
	h.check(same(h.record("a"), was), "the record was %+v and is %+v", was, h.record("a"))
	h.check(sameRun(h.run("r"), run), "the run was %+v and is %+v", run, h.run("r"))
}

func settleOther(h *harness) {
	h.open("r", ledger.Limits{})
	h.spend("r", "a", 7)
	was, run := h.record("a"), h.run("r")
	other := saying("a", 7)
	other.Outcome = "another row"
	h.bad(h.books.Settle(h.Context(), other))
	h.bad(h.books.Settle(h.Context(), saying("a", 8)))
	h.check(same(h.record("a"), was), "the record was %+v and is %+v", was, h.record("a"))
	h.check(sameRun(h.run("r"), run), "the run was %+v and is %+v", run, h.run("r"))
}

func settleInvalid(h *harness) {
	h.open("r", ledger.Limits{})
	h.reserve(asking("r", "a"))
	was := h.record("a")
	for _, change := range []func(*ledger.Settlement){
		func(s *ledger.Settlement) { s.Status = ledger.Dispatched },
		func(s *ledger.Settlement) { s.Cost = -1 },
	} {
		s := saying("a", 7)
		change(&s)
		h.bad(h.books.Settle(h.Context(), s))
	}
	h.check(same(h.record("a"), was), "the record was %+v and is %+v", was, h.record("a"))
}

func settleUnknown(h *harness) {
	h.bad(h.books.Settle(h.Context(), saying("nobody", 1)))
	h.open("r", ledger.Limits{MaxCost: 10})
	h.refuse(asking("r", "a"), ledger.Exceeded{Limit: ledger.LimitCost, Value: 30, Max: 10, Closed: true})
	h.bad(h.books.Settle(h.Context(), saying("a", 1)))
	h.check(len(h.records(ledger.Filter{})) == 0, "there are records: %s", ids(h.records(ledger.Filter{})))
}

func openAgain(h *harness) {
	first := h.open("r", ledger.Limits{MaxCalls: 3})
	h.spend("r", "a", 7)
	was := h.run("r")
	h.pass(h.unit())
	again := h.open("r", ledger.Limits{MaxCalls: 3})
	h.check(first.OpenedAt.Equal(again.OpenedAt), "it was opened at %s and %s", first.OpenedAt, again.OpenedAt)
	h.check(sameRun(was, again), "the run was %+v and is %+v", was, again)
	h.check(sameRun(h.run("r"), again), "OpenRun says %+v, Run %+v", again, h.run("r"))
}

func unknownRun(h *harness) {
	_, err := h.books.Reserve(h.Context(), asking("nobody", "a"))
	h.bad(err)
	h.bad(h.books.BeginTool(h.Context(), "nobody", ""))
	h.bad(h.books.Renew(h.Context(), "nobody", "w", h.unit()))
	h.bad(h.books.Release(h.Context(), "nobody", "w"))
	_, ok, err := h.books.Run(h.Context(), "nobody")
	h.must(err, "run")
	h.check(!ok, "a run is there that nobody opened")
	h.check(len(h.records(ledger.Filter{})) == 0, "there are records")
}

func invalidRun(h *harness) {
	for _, spec := range []ledger.RunSpec{
		{},
		{ID: ledger.NoRun},
		{ID: "r", Owner: "w"},
		{ID: "r", Limits: ledger.Limits{MaxCost: -1}},
		{ID: "r", Limits: ledger.Limits{Mode: "soft"}},
		{ID: "\xff"},
	} {
		_, err := h.books.OpenRun(h.Context(), spec)
		h.bad(err)
	}
	for run, err := range h.books.Runs(h.Context()) {
		h.Errorf("there is a run: %+v, %v", run, err)
	}
}
