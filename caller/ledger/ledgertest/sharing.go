package ledgertest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func sharingCases() []testCase {
	return []testCase{
		{name: "16 goroutines spend one budget and never a microdollar more", run: func(h *harness) { h.hammer(h.books) }},
		{name: "two processes spend one budget and never a microdollar more", run: func(h *harness) { h.hammer(h.books, h.reopen()) }, reopens: true},
		{name: "the same attempt is reserved and settled once, however often at once", run: reserveAtOnce},
		{name: "what was written is there when the ledger is opened again", run: durable, reopens: true},
	}
}

// budget is what the goroutines spend, in microdollars and in tokens.
const budget = 2000

// hammer has 16 goroutines spend one budget through the ledgers while another one
// looks on.
func (h *harness) hammer(ledgers ...ledger.Ledger) {
	h.open("r", ledger.Limits{MaxCost: budget, MaxTotalTokens: budget, AllowSmaller: true})
	var wg sync.WaitGroup
	var spent, booked, stop atomic.Int64
	for worker := range 16 {
		wg.Go(func() {
			w := spender{h: h, books: ledgers[worker%len(ledgers)], rand: rand.New(rand.NewPCG(7, uint64(worker)))}
			w.spend(fmt.Sprint("w", worker), &booked, &spent)
		})
	}
	watched := make(chan int64)
	go func() { watched <- h.watch(ledgers[len(ledgers)-1], &stop) }()
	wg.Wait()
	stop.Store(1)
	if most := <-watched; most > budget {
		h.Errorf("%d were spent and reserved at one time, of %d", most, budget)
	}
	totals := h.run("r").Totals
	h.check(totals.Calls == booked.Load() && totals.Open == 0 && totals.OpenCost == 0, "%d attempts were booked, the totals are %+v", booked.Load(), totals)
	h.check(totals.Cost.Charged == spent.Load(), "charged are %d, the workers say %d", totals.Cost.Charged, spent.Load())
	h.check(totals.Cost.Charged <= budget && totals.Cost.Charged > budget-50, "charged are %d of %d", totals.Cost.Charged, budget)
}

// watch returns the most that was spent and reserved at one time.
func (h *harness) watch(books ledger.Ledger, stop *atomic.Int64) int64 {
	var most int64
	for stop.Load() == 0 {
		run, _, err := books.Run(h.Context(), "r")
		if err != nil {
			h.Errorf("run: %v", err)
			return 0
		}
		most = max(most, int64(run.Totals.SpentCost()), run.Totals.SpentTokens())
	}
	return most
}

// A spender spends until nothing fits.
type spender struct {
	h     *harness
	books ledger.Ledger
	rand  *rand.Rand
}

func (w spender) spend(name string, booked, spent *atomic.Int64) {
	refused := 0 // in a row: others hold what is left, but not for ever
	for i := range 10 * budget {
		if refused == 5*budget {
			break
		}
		id := fmt.Sprint(name, "-", i)
		estimate := 20 + w.rand.Int64N(30)
		_, err := w.books.Reserve(w.h.Context(), askingFor("r", id, estimate))
		var full *ledger.Exceeded
		switch {
		case errors.As(err, &full) && w.isSpent():
			return
		case errors.As(err, &full):
			refused++
			runtime.Gosched()
			continue
		case err != nil:
			w.h.Errorf("reserve: %v", err)
			return
		}
		used := 1 + w.rand.Int64N(estimate)
		if err := w.books.Settle(w.h.Context(), saying(id, used)); err != nil {
			w.h.Errorf("settle: %v", err)
			return
		}
		refused = 0
		booked.Add(1)
		spent.Add(used)
	}
	w.h.Errorf("the budget is never spent")
}

// isSpent reports whether not even the smallest estimate fits what was charged.
func (w spender) isSpent() bool {
	run, _, err := w.books.Run(w.h.Context(), "r")
	return err != nil || run.Totals.Cost.Charged > budget-20
}

func reserveAtOnce(h *harness) {
	h.open("r", ledger.Limits{MaxCalls: 1})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			_, err := h.books.Reserve(h.Context(), asking("r", "a"))
			h.check(err == nil, "reserve: %v", err)
		})
	}
	wg.Wait()
	var won atomic.Int64
	for i := range int64(8) {
		wg.Go(func() {
			if err := h.books.Settle(h.Context(), saying("a", i+1)); err == nil {
				won.Add(1)
			} else {
				f, _ := events.AsFailure(err)
				h.check(f != nil && f.Reason == events.ReasonBadParameter, "settle: %v", err)
			}
		})
	}
	wg.Wait()
	h.check(won.Load() == 1, "%d settlements were booked", won.Load())
	h.check(h.run("r").Totals.Calls == 1 && h.run("r").Totals.OK == 1, "the totals are %+v", h.run("r").Totals)
}

func durable(h *harness) {
	h.open("closed", ledger.Limits{MaxCalls: 1})
	h.spend("closed", "a", 7)
	want := ledger.Exceeded{Run: "closed", Limit: ledger.LimitCalls, Value: 1, Max: 1, Closed: true}
	h.refuse(asking("closed", "b"), want)
	h.must(h.take("ann", 50*h.unit()), "take the lease")
	h.must(h.acts("c", "ann"), "reserve")
	h.expiring("", "d")
	h.pass(2 * h.unit())
	was, first := h.records(ledger.Filter{}), h.books
	runs := []ledger.Run{h.run("closed"), h.run("r"), h.run(ledger.NoRun)}

	h.books = h.reopen()
	now := h.records(ledger.Filter{})
	h.check(ids(now) == "a c d", "the records are %s", ids(now))
	for i := range min(len(was), len(now)) {
		h.check(same(was[i], now[i]), "the record was %+v and is %+v", was[i], now[i])
	}
	for _, run := range runs {
		h.check(sameRun(h.run(run.ID), run), "the run was %+v and is %+v", run, h.run(run.ID))
	}
	_, err := h.books.Reserve(h.Context(), asking("closed", "b"))
	h.exceeded(err, want)
	h.leaseLost(h.acts("e", "ben"))
	h.settle(saying("c", 3))
	h.check(ids(h.recover()) == "d", "the attempt of the other process was not recovered")
	h.must(first.Settle(h.Context(), saying("c", 3)), "settle the same through the other")
	records, err := first.Recover(h.Context())
	h.check(err == nil && len(records) == 0, "recovered twice: %v, %v", records, err)
	h.check(h.record("d").Status() == charge.Ambiguous, "it is %s", h.record("d").Status())
}
