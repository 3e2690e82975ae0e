package ledgertest

import (
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func sumCases() []testCase {
	return []testCase{
		{name: "the last microdollar can be spent, and none more", run: limitCost},
		{name: "the last token can be spent, and none more", run: limitTokens},
		{name: "what others reserved refuses, but not for good", run: reservedByOthers},
		{name: "what was reserved and not used can be reserved again", run: unusedIsFree},
		{name: "a budget that many share stays open", run: allowSmaller},
		{name: "an attempt without a cap is refused, and the next is not", run: refuseUncapped},
		{name: "an attempt without a price is refused, unless that is allowed", run: refuseUnpriced},
		{name: "a reply that costs more than was reserved is booked as it is", run: overrun},
		{name: "a refused attempt can be asked for again", run: askAgain},
	}
}

func limitCost(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 100})
	h.spend("r", "a", 40)
	h.reserve(askingFor("r", "b", 60))
	h.settle(saying("b", 60))
	want := ledger.Exceeded{Limit: ledger.LimitCost, Value: 101, Max: 100, Closed: true}
	h.refuse(askingFor("r", "c", 1), want)
	h.refuse(askingFor("r", "d", 0), want)
	h.check(h.run("r").Totals.SpentCost() == 100, "spent is %s", h.run("r").Totals.SpentCost())
}

func limitTokens(h *harness) {
	h.open("r", ledger.Limits{MaxTotalTokens: 100})
	h.spend("r", "a", 40)
	h.reserve(unpriced(askingFor("r", "b", 60)))
	h.settle(saying("b", 60))
	h.refuse(askingFor("r", "c", 1), ledger.Exceeded{Limit: ledger.LimitTokens, Value: 101, Max: 100, Closed: true})
	h.check(h.run("r").Totals.SpentTokens() == 100, "spent are %d", h.run("r").Totals.SpentTokens())
}

func reservedByOthers(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 100})
	h.reserve(askingFor("r", "a", 60))
	h.refuse(askingFor("r", "b", 41), ledger.Exceeded{Limit: ledger.LimitCost, Value: 101, Max: 100, Reserved: 60})
	h.check(h.run("r").Closed == nil, "the run is closed")
	h.reserve(askingFor("r", "c", 40))
	h.open("t", ledger.Limits{MaxTotalTokens: 100})
	h.reserve(askingFor("t", "d", 60))
	h.refuse(askingFor("t", "e", 41), ledger.Exceeded{Limit: ledger.LimitTokens, Value: 101, Max: 100, Reserved: 60})
	h.reserve(askingFor("t", "f", 40))
}

func unusedIsFree(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 100})
	h.reserve(askingFor("r", "a", 100))
	h.refuse(askingFor("r", "b", 1), ledger.Exceeded{Limit: ledger.LimitCost, Value: 101, Max: 100, Reserved: 100})
	h.settle(saying("a", 30))
	totals := h.run("r").Totals
	h.check(totals.OpenCost == 0 && totals.OpenTokens == 0 && totals.Open == 0, "still reserved: %+v", totals)
	h.reserve(askingFor("r", "b", 70))
}

func allowSmaller(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 100, AllowSmaller: true})
	h.spend("r", "a", 90)
	h.refuse(askingFor("r", "b", 11), ledger.Exceeded{Limit: ledger.LimitCost, Value: 101, Max: 100})
	h.spend("r", "c", 10)
}

func refuseUncapped(h *harness) {
	h.open("r", ledger.Limits{MaxTotalTokens: 100})
	h.refuse(uncapped(asking("r", "a")), ledger.Exceeded{Limit: ledger.LimitTokens, Max: 100, Unknown: true})
	h.reserve(asking("r", "b"))
	h.open("s", ledger.Limits{MaxCost: 100})
	h.refuse(uncapped(asking("s", "c")), ledger.Exceeded{Limit: ledger.LimitCost, Max: 100, Unknown: true})
	h.reserve(asking("s", "d"))
}

func refuseUnpriced(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 100})
	h.refuse(unpriced(asking("r", "a")), ledger.Exceeded{Limit: ledger.LimitCost, Max: 100, Unknown: true, Unpriced: true, Model: "p:m"})
	h.reserve(asking("r", "b"))
	h.open("s", ledger.Limits{MaxCost: 100, AllowUnpriced: true})
	h.reserve(unpriced(asking("s", "c")))
	s := saying("c", 10)
	s.Cost, s.KnownCost, s.CostCertainty = 0, 0, ledger.UnknownCost
	h.settle(s)
	h.check(h.run("s").Totals.Cost == ledger.Sum{Unknown: 1}, "the cost is %+v, and nobody knows it", h.run("s").Totals.Cost)
	h.reserve(asking("s", "d"))
}

func overrun(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 100, MaxTotalTokens: 1000})
	h.reserve(askingFor("r", "a", 100))
	h.settle(saying("a", 250))
	h.check(h.record("a").Settled.Cost == 250, "the record says %s", h.record("a").Settled.Cost)
	h.check(h.run("r").Totals.Cost == ledger.Sum{Charged: 250, Known: 250}, "the cost is %+v", h.run("r").Totals.Cost)
	h.refuse(askingFor("r", "b", 0), ledger.Exceeded{Limit: ledger.LimitCost, Value: 250, Max: 100, Closed: true})
}

func askAgain(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 100})
	h.reserve(askingFor("r", "a", 100))
	h.refuse(asking("r", "b"), ledger.Exceeded{Limit: ledger.LimitCost, Value: 130, Max: 100, Reserved: 100})
	h.settle(saying("a", 1))
	h.spend("r", "b", 30)
}

func measuredCases() []testCase {
	return []testCase{
		{name: "a measured run reserves nothing and refuses at its limit", run: measured},
		{name: "a measured run stops when a cost is not known", run: measuredUnknownCost},
		{name: "a measured run stops when a count is not known", run: measuredUnknownTokens},
	}
}

func measured(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 100, MaxTotalTokens: 1000, Mode: ledger.Measured})
	h.reserve(uncapped(askingFor("r", "a", 90)))
	h.reserve(askingFor("r", "b", 90))
	h.settle(saying("a", 99))
	h.reserve(askingFor("r", "c", 90))
	h.settle(saying("b", 1))
	h.refuse(askingFor("r", "d", 0), ledger.Exceeded{Limit: ledger.LimitCost, Value: 100, Max: 100, Closed: true})
	h.settle(saying("c", 1)) // in flight when the limit was reached
	h.open("s", ledger.Limits{MaxCost: 100, Mode: ledger.Measured})
	h.refuse(unpriced(asking("s", "e")), ledger.Exceeded{Limit: ledger.LimitCost, Max: 100, Unknown: true, Unpriced: true, Model: "p:m"})
}

func measuredUnknownCost(h *harness) {
	h.open("r", ledger.Limits{MaxCost: 100, Mode: ledger.Measured})
	h.reserve(asking("r", "a"))
	s := saying("a", 10)
	s.CostCertainty, s.KnownCost = charge.Estimated, 0
	h.settle(s)
	h.refuse(asking("r", "b"), ledger.Exceeded{Limit: ledger.LimitCost, Value: 10, Max: 100, Unknown: true, Closed: true})
}

func measuredUnknownTokens(h *harness) {
	h.open("r", ledger.Limits{MaxTotalTokens: 100, Mode: ledger.Measured})
	h.reserve(asking("r", "a"))
	s := saying("a", 10)
	s.Known.Output = events.Count{}
	h.settle(s)
	h.refuse(asking("r", "b"), ledger.Exceeded{Limit: ledger.LimitTokens, Value: 10, Max: 100, Unknown: true, Closed: true})
}
