package ledgertest

import (
	"time"

	"github.com/weirsdk/weir/caller/ledger"
)

func limitCases() []testCase {
	return []testCase{
		{name: "calls are refused at their limit, and for good", run: limitCalls},
		{name: "open attempts count as calls", run: limitOpenCalls},
		{name: "a run is over when its time is", run: limitElapsed},
		{name: "a run is over when its calls took their time", run: limitActive},
		{name: "other limits open a closed run, equal ones and none do not", run: reopenRun},
		{name: "without limits everything is admitted", run: noLimits},
		{name: "a run limits no other", run: otherRuns},
	}
}

func limitCalls(h *harness) {
	h.open("r", ledger.Limits{MaxCalls: 2})
	h.spend("r", "a", 1)
	h.spend("r", "b", 1)
	want := ledger.Exceeded{Limit: ledger.LimitCalls, Value: 2, Max: 2, Closed: true}
	h.refuse(asking("r", "c"), want)
	h.refuse(askingFor("r", "d", 0), want)
	run := h.run("r")
	want.Run = "r"
	h.check(run.Closed != nil && *run.Closed == want, "the run is closed by %+v", run.Closed)
	h.check(ids(h.records(ledger.Filter{})) == "a b", "the records are %s", ids(h.records(ledger.Filter{})))
}

func limitOpenCalls(h *harness) {
	h.open("r", ledger.Limits{MaxCalls: 1})
	h.reserve(asking("r", "a"))
	h.refuse(asking("r", "b"), ledger.Exceeded{Limit: ledger.LimitCalls, Value: 1, Max: 1, Closed: true})
}

func limitElapsed(h *harness) {
	most := 5 * h.unit()
	h.open("r", ledger.Limits{MaxElapsed: most})
	hold := h.reserve(asking("r", "a"))
	h.check(hold.Left > 0 && hold.Left <= most, "left is %s of %s", hold.Left, most)
	h.pass(h.unit())
	later := h.reserve(asking("r", "b"))
	h.check(later.Left > 0 && later.Left <= hold.Left-h.unit(), "left was %s, and %s later %s", hold.Left, h.unit(), later.Left)
	h.pass(5 * h.unit())
	_, err := h.books.Reserve(h.Context(), asking("r", "c"))
	h.elapsed(err, ledger.LimitElapsed, most)
	h.elapsed(h.books.BeginTool(h.Context(), "r", ""), ledger.LimitElapsed, most)
	h.settle(saying("a", 1)) // what was admitted is settled at any time
}

// elapsed wants a refusal for a time, whose value nobody can say.
func (h *harness) elapsed(err error, limit ledger.Limit, most time.Duration) {
	h.Helper()
	want := ledger.Exceeded{Run: "r", Limit: limit, Max: int64(most), Closed: true}
	if closed := h.run("r").Closed; closed != nil {
		want.Value = closed.Value
	}
	h.exceeded(err, want)
	h.check(want.Value >= want.Max, "refused at %d of %d", want.Value, want.Max)
}

func limitActive(h *harness) {
	h.open("r", ledger.Limits{MaxActive: time.Second})
	s := saying("a", 1)
	s.Latency = time.Second - 1
	h.reserve(asking("r", "a"))
	h.settle(s)
	h.reserve(asking("r", "b"))
	s = saying("b", 1)
	s.Latency = 1
	h.settle(s)
	h.refuse(asking("r", "c"), ledger.Exceeded{Limit: ledger.LimitActive, Value: int64(time.Second), Max: int64(time.Second), Closed: true})
}

func reopenRun(h *harness) {
	h.open("r", ledger.Limits{MaxCalls: 1})
	h.spend("r", "a", 1)
	want := ledger.Exceeded{Limit: ledger.LimitCalls, Value: 1, Max: 1, Closed: true}
	h.refuse(asking("r", "b"), want)
	for _, limits := range []ledger.Limits{{MaxCalls: 1}, {}} {
		run := h.open("r", limits)
		h.check(run.Limits.MaxCalls == 1, "the limits are %+v", run.Limits)
		h.refuse(asking("r", "b"), want)
	}
	run := h.open("r", ledger.Limits{MaxCalls: 2})
	h.check(run.Closed == nil && run.Limits.MaxCalls == 2, "the run is %+v", run)
	h.spend("r", "b", 1)
	h.check(h.run("r").Totals.Calls == 2, "the run counts %d calls", h.run("r").Totals.Calls)
}

func noLimits(h *harness) {
	h.open("r", ledger.Limits{})
	h.reserve(unpriced(uncapped(asking("r", "a"))))
	h.reserve(unpriced(uncapped(asking("", "b"))))
	h.reserve(unpriced(uncapped(asking(ledger.NoRun, "c"))))
	h.check(h.run(ledger.NoRun).Totals.Calls == 2, "the attempts without a run are not in its books")
	h.check(ids(h.records(ledger.Filter{Run: ledger.NoRun})) == "b c", "nor found there")
}

func otherRuns(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 30, MaxCalls: 1, MaxTotalTokens: 30})
	h.open("s", ledger.Limits{MaxCost: 30, MaxCalls: 1, MaxTotalTokens: 30})
	h.reserve(asking("r", "a"))
	h.refuse(asking("r", "b"), ledger.Exceeded{Limit: ledger.LimitCalls, Value: 1, Max: 1, Closed: true})
	h.reserve(asking("s", "c"))
	h.reserve(asking("", "d"))
}
