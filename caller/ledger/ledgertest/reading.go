package ledgertest

import (
	"slices"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
)

func readingCases() []testCase {
	return []testCase{
		{name: "records come in the order of their reservation", run: readOrder},
		{name: "a filter gives what it matches", run: readFilters},
		{name: "runs come in the order of their opening", run: readRuns},
		{name: "a reader can stop, begin again, and write meanwhile", run: readAndWrite},
		{name: "what is read is no part of the books", run: readCopies},
		{name: "an empty ledger is empty", run: readNothing},
		{name: "groups add up to the whole", run: readGroups},
	}
}

func readOrder(h *harness) {
	h.open("r", ledger.Limits{})
	for _, id := range []string{"c", "a", "b"} {
		h.reserve(asking("r", id))
	}
	h.reserve(asking("", "0"))
	h.settle(saying("b", 1))
	h.settle(saying("c", 1))
	h.check(ids(h.records(ledger.Filter{})) == "c a b 0", "the order is %s", ids(h.records(ledger.Filter{})))
	h.check(ids(h.records(ledger.Filter{Run: "r"})) == "c a b", "the order is %s", ids(h.records(ledger.Filter{Run: "r"})))
}

func readFilters(h *harness) {
	h.open("r", ledger.Limits{})
	var times []time.Time
	for i, change := range []func(*ledger.Reservation){
		func(*ledger.Reservation) {},
		func(r *ledger.Reservation) { r.Actor = "ben" },
		func(r *ledger.Reservation) { r.Call = "other" },
		func(r *ledger.Reservation) { r.Model = "p:n" },
		func(r *ledger.Reservation) { r.Provider = "q" },
		func(r *ledger.Reservation) { r.Purpose = "chat" },
		func(r *ledger.Reservation) { r.Run = "" },
	} {
		r := asking("r", string(rune('a'+i)))
		change(&r)
		times = append(times, h.reserve(r).DispatchedAt)
		h.pass(10 * time.Millisecond)
	}
	h.settle(saying("a", 1))
	s := saying("b", 1)
	s.Status = charge.Ambiguous
	h.settle(s)
	all := h.records(ledger.Filter{})
	edges := []ledger.Filter{{Since: times[3].Add(1)}, {Since: times[3].Add(-1)}, {Before: times[3].Add(1)}, {Before: times[3].Add(-1)}}
	for _, f := range append(edges, []ledger.Filter{
		{Run: "r"},
		{Run: ledger.NoRun},
		{Run: "nobody"},
		{Actor: "ben"},
		{Actor: "be"},
		{Call: "other"},
		{Model: "p:n"},
		{Provider: "q"},
		{Purpose: "chat"},
		{Status: ledger.Dispatched},
		{Status: charge.OK},
		{Status: charge.Ambiguous},
		{Status: charge.Error},
		{Since: times[3]},
		{Before: times[3]},
		{Since: times[2], Before: times[4]},
		{Since: times[6].Add(time.Hour)},
		{Run: "r", Actor: "ann", Model: "p:m", Status: ledger.Dispatched},
		{Since: times[3].In(time.FixedZone("", 3600))},
		{Before: year(10_000)}, // texts of five digits sort before those of four
		{Since: year(10_000)},
		{Before: year(300_000)}, // further than PostgreSQL counts
		{Since: year(300_000)},
		{Before: year(-5000)},
		{Since: year(-5000)},
		{Since: year(-5000), Before: year(300_000)},
		{Run: "a\x00"}, // no database takes it
		{Call: "\xff"},
		{Actor: "ann\x00"},
		{Model: "\xc3", Provider: "\xa9"}, // UTF-8 together
		{Purpose: "\xff"},
		{Status: "ok\x00"},
	}...) {
		want := slices.DeleteFunc(slices.Clone(all), func(r ledger.Record) bool { return !f.Matches(r) })
		h.check(ids(h.records(f)) == ids(want), "%+v gives %q, want %q", f, ids(h.records(f)), ids(want))
	}
	h.check(ids(h.records(ledger.Filter{Since: times[2], Before: times[4]})) == "c d", "times give %q", ids(h.records(ledger.Filter{Since: times[2], Before: times[4]})))
}

func year(n int) time.Time { return time.Date(n, 6, 1, 0, 0, 0, 0, time.UTC) }

func readRuns(h *harness) {
	for _, id := range []string{"b", "a", "c"} {
		h.open(id, ledger.Limits{MaxCalls: 7})
		h.pass(10 * time.Millisecond)
	}
	h.reserve(asking("", "none"))
	var got []string
	for run, err := range h.books.Runs(h.Context()) {
		h.must(err, "runs")
		got = append(got, run.ID)
		h.check(sameRun(run, h.run(run.ID)), "Runs says %+v, Run %+v", run, h.run(run.ID))
	}
	h.check(slices.Equal(got, []string{"b", "a", "c", ledger.NoRun}), "the runs are %v", got)
}

func readAndWrite(h *harness) {
	h.open("r", ledger.Limits{})
	for _, id := range []string{"a", "b", "c"} {
		h.reserve(asking("r", id))
	}
	records := h.books.Records(h.Context(), ledger.Filter{Run: "r"})
	for range 3 {
		for r, err := range records {
			h.must(err, "records")
			h.check(r.Attempt == "a", "the first one is %s", r.Attempt)
			break
		}
	}
	for range h.books.Runs(h.Context()) {
		break
	}
	seen := 0
	for r, err := range records {
		h.must(err, "records")
		seen++
		h.settle(saying(r.Attempt, 1))
	}
	h.check(seen == 3, "seen are %d, want 3", seen)
	for r, err := range records {
		h.must(err, "records")
		h.check(r.Status() == charge.OK, "%s is %s", r.Attempt, r.Status())
	}
}

func readCopies(h *harness) {
	h.open("r", ledger.Limits{MaxCalls: 1})
	h.reserve(asking("r", "a"))
	want := ledger.Exceeded{Limit: ledger.LimitCalls, Value: 1, Max: 1, Closed: true}
	h.refuse(asking("r", "b"), want)
	read := []ledger.Run{h.run("r")}
	for run, err := range h.books.Runs(h.Context()) {
		h.must(err, "runs")
		read = append(read, run)
	}
	for _, run := range read {
		if run.Closed == nil {
			h.Fatalf("the run is not closed")
		}
		run.Closed.Max = 1000
	}
	h.refuse(asking("r", "b"), want)
}

func readNothing(h *harness) {
	h.check(len(h.records(ledger.Filter{})) == 0, "there are records")
	for run, err := range h.books.Runs(h.Context()) {
		h.Errorf("there is a run: %+v, %v", run, err)
	}
	h.check(len(h.recover()) == 0, "something was recovered")
	for _, id := range []string{"", "r", ledger.NoRun} {
		_, ok, err := h.books.Run(h.Context(), id)
		h.must(err, "run")
		h.check(!ok, "there is a run %q", id)
	}
}

func readGroups(h *harness) {
	h.open("r", ledger.Limits{})
	h.spend("r", "a", 5)
	h.spend("", "b", 7)
	h.reserve(asking("r", "c"))
	total, err := ledger.Total(h.books.Records(h.Context(), ledger.Filter{}))
	h.must(err, "total")
	h.check(total == h.run("r").Totals.Plus(h.run(ledger.NoRun).Totals), "the total is %+v", total)
	for _, d := range ledger.Dimensions() {
		groups, err := ledger.GroupBy(h.books.Records(h.Context(), ledger.Filter{}), d)
		h.must(err, "group by "+string(d))
		var sum ledger.Totals
		for _, g := range groups {
			sum = sum.Plus(g.Totals)
		}
		h.check(sum == total, "by %s the sum is %+v, want %+v", d, sum, total)
	}
}
