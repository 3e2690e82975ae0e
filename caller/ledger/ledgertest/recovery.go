package ledgertest

import (
	"sync"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
)

func recoveryCases() []testCase {
	return []testCase{
		{name: "an attempt whose time is over is recovered at its estimate", run: recoverExpired},
		{name: "an attempt whose time is not over is left", run: recoverNothing},
		{name: "attempts of every run are recovered", run: recoverAll},
		{name: "of many that recover at once one does", run: recoverOnce},
		{name: "a late settlement corrects what was recovered", run: recoverThenSettle},
		{name: "a recovered attempt is refused a second one under its id", run: recoverThenReserve},
		{name: "without a price what was recovered costs nobody knows what", run: recoverUnpriced},
	}
}

// expiring reserves an attempt that is over after a unit.
func (h *harness) expiring(run, id string) ledger.Reservation {
	h.Helper()
	r := asking(run, id)
	r.Expires = h.unit()
	h.reserve(r)
	return r
}

func recoverExpired(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 30})
	r := h.expiring("r", "a")
	h.pass(2 * h.unit())
	recovered := h.recover()
	if len(recovered) != 1 {
		h.Fatalf("recovered are %d, want 1", len(recovered))
	}
	got := h.record("a")
	h.check(same(recovered[0], got), "recovered is %+v, the record says %+v", recovered[0], got)
	s := got.Settled
	h.check(got.Recovered && s.Status == charge.Ambiguous && s.Usage == r.Estimate && s.Cost == r.EstimatedCost && s.CostCertainty == charge.Estimated,
		"the record is %+v", got)
	h.check(!got.CompletedAt.Before(got.ExpiresAt), "completed at %s, over at %s", got.CompletedAt, got.ExpiresAt)
	totals := h.run("r").Totals
	h.check(totals.Open == 0 && totals.Ambiguous == 1 && totals.Cost == ledger.Sum{Charged: 30, Unknown: 1}, "the totals are %+v", totals)
	h.check(len(h.recover()) == 0, "it was recovered twice")
	h.refuse(asking("r", "b"), ledger.Exceeded{Limit: ledger.LimitCost, Value: 60, Max: 30, Closed: true})
}

func recoverNothing(h *harness) {
	h.open("r", ledger.Limits{})
	h.reserve(asking("r", "a")) // expires after ledger.DefaultExpires
	h.spend("r", "b", 1)
	h.pass(2 * h.unit())
	h.check(len(h.recover()) == 0, "something was recovered")
	record := h.record("a")
	h.check(record.Status() == ledger.Dispatched, "the attempt is %s", record.Status())
	h.check(record.ExpiresAt.Sub(record.DispatchedAt) == ledger.DefaultExpires, "it is over at %s", record.ExpiresAt)
}

func recoverAll(h *harness) {
	h.open("r", ledger.Limits{MaxCalls: 1})
	h.open("s", ledger.Limits{})
	h.expiring("r", "a")
	h.expiring("s", "b")
	h.expiring("s", "c")
	h.expiring("", "d")
	h.settle(saying("c", 1))
	_, err := h.books.Reserve(h.Context(), asking("r", "e"))
	h.check(err != nil, "the run is not closed")
	h.pass(2 * h.unit())
	got := map[string]bool{}
	for _, r := range h.recover() {
		got[r.Attempt] = true
	}
	h.check(len(got) == 3 && got["a"] && got["b"] && got["d"], "recovered are %v", got)
	h.check(ids(h.records(ledger.Filter{Status: ledger.Dispatched})) == "", "still open are %s", ids(h.records(ledger.Filter{Status: ledger.Dispatched})))
}

func recoverOnce(h *harness) {
	h.open("r", ledger.Limits{})
	h.open("s", ledger.Limits{})
	for _, id := range []string{"a", "b", "c", "d"} {
		h.expiring("r", "r"+id)
		h.expiring("s", "s"+id)
	}
	h.pass(2 * h.unit())
	var wg sync.WaitGroup
	var mu sync.Mutex
	got := map[string]int{}
	for range 8 {
		wg.Go(func() {
			records, err := h.books.Recover(h.Context())
			mu.Lock()
			defer mu.Unlock()
			h.check(err == nil, "recover: %v", err)
			for _, r := range records {
				got[r.Attempt]++
			}
		})
	}
	wg.Wait()
	h.check(len(got) == 8, "recovered are %v", got)
	for id, times := range got {
		h.check(times == 1, "%s was recovered %d times", id, times)
	}
}

func recoverThenSettle(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 60})
	h.expiring("r", "a")
	h.pass(2 * h.unit())
	h.recover()
	h.settle(saying("a", 7))
	record, totals := h.record("a"), h.run("r").Totals
	h.check(record.Status() == charge.OK && !record.Recovered && record.Settled == saying("a", 7), "the record is %+v", record)
	h.check(totals.OK == 1 && totals.Ambiguous == 0 && totals.Cost == ledger.Sum{Charged: 7, Known: 7}, "the totals are %+v", totals)
	h.settle(saying("a", 7))
	h.bad(h.books.Settle(h.Context(), saying("a", 8)))
	h.check(same(h.record("a"), record), "the record was %+v and is %+v", record, h.record("a"))
	h.check(len(h.recover()) == 0, "it was recovered again")
	h.reserve(askingFor("r", "b", 53))
}

func recoverThenReserve(h *harness) {
	h.open("r", ledger.Limits{})
	r := h.expiring("r", "a")
	was := h.record("a")
	h.pass(2 * h.unit())
	h.recover()
	hold := h.reserve(r)
	h.check(hold.DispatchedAt.Equal(was.DispatchedAt), "it was dispatched at %s and %s", was.DispatchedAt, hold.DispatchedAt)
	h.check(h.record("a").Status() == charge.Ambiguous, "it is %s", h.record("a").Status())
	h.check(h.run("r").Totals.Calls == 1, "it counts %d times", h.run("r").Totals.Calls)
}

func recoverUnpriced(h *harness) {
	r := unpriced(uncapped(asking("", "a")))
	r.Expires = h.unit()
	h.reserve(r)
	h.pass(2 * h.unit())
	h.recover()
	record, totals := h.record("a"), h.run(ledger.NoRun).Totals
	h.check(record.Settled.CostCertainty == ledger.UnknownCost, "the cost is %s", record.Settled.CostCertainty)
	h.check(!record.Settled.Usage.Output.IsKnown(), "the output is %s", record.Settled.Usage.Output)
	h.check(totals.Cost == ledger.Sum{Unknown: 1}, "the cost is %+v", totals.Cost)
	h.check(totals.Output == ledger.Sum{Unknown: 1}, "the output is %+v", totals.Output)
}
