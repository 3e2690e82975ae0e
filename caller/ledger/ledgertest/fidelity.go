package ledgertest

import (
	"math"
	"strings"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func fidelityCases() []testCase {
	return []testCase{
		{name: "a settlement comes back as it was", run: keepSettlements},
		{name: "a settlement with texts that no store takes is kept", run: keepHostileTexts},
		{name: "a reservation comes back as it was", run: keepReservations},
		{name: "a run comes back as it was", run: keepRuns},
		{name: "sums saturate and do not wrap around", run: keepHugeSums},
	}
}

// settlements returns settlements with everything that is easily lost.
func settlements() map[string]ledger.Settlement {
	full := ledger.Settlement{
		Status: charge.Error, Certainty: charge.Provider, Cost: 7, KnownCost: 6, CostText: "0.0000070000000000000001", CostCertainty: charge.Provider,
		Outcome: "a row", Latency: 3*time.Second + 1, FirstContent: 2*time.Second + 7, FailureKind: events.InvalidReply,
		FailureReason: events.ReasonTruncated, Answered: "m-2026", RequestID: "req_<&>'\"",
		Usage: events.Usage{
			Input: events.Known(1), CacheRead: events.Known(2), CacheWrite: events.Known(3), CacheWriteLong: events.Known(4), Output: events.Known(5),
			Thinking: events.Known(6), InputAudio: events.Known(7), InputImage: events.Known(8), OutputAudio: events.Known(9), OutputImage: events.Known(10),
			Final: true, Inconsistent: true,
		},
	}
	full.Known = full.Usage
	zero := full
	zero.Usage = events.Usage{
		Input: events.Known(0), CacheRead: events.Known(0), CacheWrite: events.Known(0), CacheWriteLong: events.Known(0), Output: events.Known(0),
		Thinking: events.Known(0), InputAudio: events.Known(0), InputImage: events.Known(0), OutputAudio: events.Known(0), OutputImage: events.Known(0),
	}
	unknown, mixed, big, raw := full, full, full, full
	unknown.Usage, unknown.Known = events.Usage{}, events.Usage{}
	mixed.Usage = events.Usage{Input: events.Known(0), Output: events.Known(5), InputAudio: events.Known(0)}
	mixed.Known = events.Usage{CacheRead: events.Known(0)}
	big.Usage.Input, big.Usage.Output = events.Known(events.MaxCount), events.Known(events.MaxCount-1)
	big.Cost, big.KnownCost, big.Latency, big.FirstContent = math.MaxInt64, math.MaxInt64-1, math.MaxInt64, math.MaxInt64
	raw.Usage.Raw = "{ \"prompt_tokens\" : 1e0,\n\t\"z\":\"<\\u00e9\u00e9\u2028\\/\x00>\", \"a\": 12345678901234567890, \"a\": null }\r\n"
	raw.Known.Raw = strings.Repeat(`{"ü":"𝄞"}`, 1000)
	raw.Outcome, raw.Answered = "déjà vu\n", "模型/эхо"
	bare := ledger.Settlement{Status: charge.OK, Certainty: charge.None, CostCertainty: ledger.UnknownCost}
	return map[string]ledger.Settlement{"full": full, "zero": zero, "unknown": unknown, "mixed": mixed, "big": big, "raw": raw, "bare": bare}
}

func keepSettlements(h *harness) {
	for id, want := range settlements() {
		h.open(id, ledger.Limits{})
		want.Attempt = id
		h.reserve(asking(id, id))
		h.settle(want)
		record := h.record(id)
		h.check(record.Settled == want, "%s:\ngot  %+v\nwant %+v", id, record.Settled, want)
		h.check(!record.CompletedAt.Before(record.DispatchedAt), "%s: completed at %s, dispatched at %s", id, record.CompletedAt, record.DispatchedAt)
		h.check(h.run(id).Totals == ledger.TotalsOf(record), "%s: the totals are %+v, want %+v", id, h.run(id).Totals, ledger.TotalsOf(record))
		h.settle(want) // what came back is the same to the ledger too
	}
}

// keepHostileTexts settles with a zero byte and with what is no UTF-8 in each text: a
// reply that was paid for is booked all the same, and saying it again changes nothing.
func keepHostileTexts(h *harness) {
	for i, set := range []func(*ledger.Settlement, string){
		func(s *ledger.Settlement, text string) { s.FailureKind = events.FailureKind(text) },
		func(s *ledger.Settlement, text string) { s.FailureReason = events.Reason(text) },
		func(s *ledger.Settlement, text string) { s.Certainty = charge.Certainty(text) },
		func(s *ledger.Settlement, text string) { s.CostCertainty = charge.Certainty(text) },
		func(s *ledger.Settlement, text string) { s.CostText = text },
		func(s *ledger.Settlement, text string) { s.Outcome = text },
		func(s *ledger.Settlement, text string) { s.Answered = text },
		func(s *ledger.Settlement, text string) { s.RequestID = text },
	} {
		id := string(rune('a' + i))
		h.reserve(asking("", id))
		s, want := saying(id, 1), saying(id, 1)
		set(&s, "x\x00y\xff")
		set(&want, "x\uFFFDy\uFFFD")
		h.settle(s)
		h.settle(s)
		h.check(h.record(id).Settled == want, "%s:\ngot  %+v\nwant %+v", id, h.record(id).Settled, want)
	}
}

func keepReservations(h *harness) {
	long := strings.Repeat("é", ledger.MaxName/2)
	h.open(long, ledger.Limits{})
	for id, change := range map[string]func(*ledger.Reservation){
		"plain": func(*ledger.Reservation) {},
		"bare":  func(r *ledger.Reservation) { *r = ledger.Reservation{Run: ledger.NoRun} },
		"big": func(r *ledger.Reservation) {
			r.EstimatedCost, r.Number, r.Expires = math.MaxInt64, math.MaxInt, 100*365*24*time.Hour
		},
		"counts": func(r *ledger.Reservation) {
			r.Estimate = events.Usage{Input: events.Known(events.MaxCount), Thinking: events.Known(0)}
		},
		"unknown": func(r *ledger.Reservation) { r.Estimate = events.Usage{} },
		"raw":     func(r *ledger.Reservation) { r.Estimate.Raw, r.Estimate.Final = `{"x": "<\u2028>" }`, true },
		"標識'\"%_\\": func(r *ledger.Reservation) {
			r.Actor, r.Model, r.Purpose = "O'Neill; --", "прo:\U0001F600\n\t", `a\b"c`
		},
		long: func(r *ledger.Reservation) {
			r.Run, r.Call, r.Actor, r.Purpose, r.Provider, r.Model = long, long, long, long, long, long
		},
		"blank": func(r *ledger.Reservation) { r.Actor, r.Purpose = " ", "a  " },
	} {
		want := asking(ledger.NoRun, "")
		change(&want)
		want.Attempt = id
		hold := h.reserve(want)
		record := h.record(id)
		h.check(record.Reservation == want, "%q:\ngot  %+v\nwant %+v", id, record.Reservation, want)
		h.check(record.Settled == ledger.Settlement{Attempt: id, Status: ledger.Dispatched}, "%q: it is settled with %+v", id, record.Settled)
		h.check(record.DispatchedAt.Equal(hold.DispatchedAt) && record.CompletedAt.IsZero(), "%q: the times are %+v", id, record)
		h.reserve(want)
		found := h.records(ledger.Filter{Run: want.Run, Call: want.Call, Actor: want.Actor, Model: want.Model, Provider: want.Provider, Purpose: want.Purpose})
		h.check(strings.Contains(ids(found), id), "%q is not found by its names", id)
		h.settle(saying(id, 1))
	}
}

func keepRuns(h *harness) {
	for _, limits := range []ledger.Limits{
		{},
		{MaxCalls: 1, MaxOutputTokensPerCall: 2, MaxTotalTokens: 3, MaxCost: 4, MaxElapsed: 5, MaxActive: 6, MaxToolCalls: 7, Mode: ledger.Measured, AllowUnpriced: true},
		{MaxCalls: math.MaxInt64, MaxTotalTokens: math.MaxInt64, MaxCost: math.MaxInt64, MaxElapsed: math.MaxInt64, AllowSmaller: true},
	} {
		run := h.open("run 'é'", limits)
		h.check(run.Limits == limits, "got %+v, want %+v", run.Limits, limits)
		h.check(sameRun(h.run("run 'é'"), run), "OpenRun says %+v, Run %+v", run, h.run("run 'é'"))
	}
	run, err := h.books.OpenRun(h.Context(), ledger.RunSpec{ID: "leased", Owner: "węzeł", Lease: 3 * h.unit()})
	h.must(err, "open a leased run")
	h.check(run.Owner == "węzeł" && run.LeaseUntil.After(run.OpenedAt), "the run is %+v", run)
	h.check(sameRun(h.run("leased"), run), "OpenRun says %+v, Run %+v", run, h.run("leased"))
}

func keepHugeSums(h *harness) {
	h.open("r", ledger.Limits{})
	for _, id := range []string{"a", "b"} {
		r := asking("r", id)
		r.EstimatedCost = math.MaxInt64
		h.reserve(r)
		s := saying(id, 1)
		s.Cost, s.KnownCost = math.MaxInt64, math.MaxInt64
		h.settle(s)
	}
	h.check(h.run("r").Totals.Cost == ledger.Sum{Charged: math.MaxInt64, Known: math.MaxInt64}, "the cost is %+v", h.run("r").Totals.Cost)
	h.open("r", ledger.Limits{MaxCost: math.MaxInt64 - 1})
	h.refuse(askingFor("r", "c", 1), ledger.Exceeded{Limit: ledger.LimitCost, Value: math.MaxInt64, Max: math.MaxInt64 - 1, Reserved: math.MaxInt64, Closed: true})
}
