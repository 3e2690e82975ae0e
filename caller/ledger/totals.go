package ledger

import (
	"math"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
)

// A Sum adds up one kind of count, or of money, over attempts. The zero Sum is of
// none. Sums saturate.
type Sum struct {
	// Charged is what was charged, estimates included.
	Charged int64 `json:"charged"`
	// Known is what was certainly used of it, at least.
	Known int64 `json:"known"`
	// Unknown is in how many attempts it is not fully known.
	Unknown int64 `json:"unknown"`
}

// IsComplete reports whether every part is known, so that Charged is the truth of the
// attempts that have ended. Open ones are in no sum.
func (s Sum) IsComplete() bool { return s.Unknown == 0 }

func (s Sum) plus(o Sum) Sum {
	return Sum{plus(s.Charged, o.Charged), plus(s.Known, o.Known), plus(s.Unknown, o.Unknown)}
}

// Totals add up attempts. The zero Totals are of none.
type Totals struct {
	// Calls are all attempts, retries too, Open those of them that are still dispatched.
	Calls int64 `json:"calls"`
	Open  int64 `json:"open"`
	// OpenTokens and OpenCost are what is reserved for those.
	OpenTokens int64         `json:"open_tokens"`
	OpenCost   events.Micros `json:"open_cost_micros"`
	// OK, Errors and Ambiguous are the attempts that have ended, by their status.
	OK        int64 `json:"ok"`
	Errors    int64 `json:"errors"`
	Ambiguous int64 `json:"ambiguous"`
	// Tokens are prompts and output together. The other counts are as in
	// events.Usage. Open attempts are not in the sums.
	Tokens         Sum `json:"tokens"`
	Input          Sum `json:"input"`
	CacheRead      Sum `json:"cache_read"`
	CacheWrite     Sum `json:"cache_write"`
	CacheWriteLong Sum `json:"cache_write_long"`
	Output         Sum `json:"output"`
	Thinking       Sum `json:"thinking"`
	// Cost is in microdollars.
	Cost Sum `json:"cost_micros"`
	// Active is how long the attempts waited for their providers, together.
	Active time.Duration `json:"active_ns"`
}

// CostIsKnown reports whether Cost.Charged is the truth: nothing of it is estimated or
// unknown, and no attempt is open.
func (t Totals) CostIsKnown() bool { return t.Open == 0 && t.Cost.IsComplete() }

// SpentTokens returns what is charged and reserved together.
func (t Totals) SpentTokens() int64 { return plus(t.Tokens.Charged, t.OpenTokens) }

// SpentCost returns what is charged and reserved together.
func (t Totals) SpentCost() events.Micros {
	return events.Micros(plus(t.Cost.Charged, int64(t.OpenCost)))
}

// Agrees reports whether totals that were kept step by step are those of the
// records, added up: equal, but for sums that were saturated once and stay so.
func (t Totals) Agrees(added Totals) bool {
	kept, sums := t.amounts(), added.amounts()
	for i := range kept {
		if kept[i] != sums[i] && kept[i] != math.MaxInt64 {
			return false
		}
	}
	return true
}

// amounts returns every number.
func (t Totals) amounts() []int64 {
	all := []int64{t.Calls, t.Open, t.OpenTokens, int64(t.OpenCost), t.OK, t.Errors, t.Ambiguous, int64(t.Active)}
	for _, s := range []Sum{t.Tokens, t.Input, t.CacheRead, t.CacheWrite, t.CacheWriteLong, t.Output, t.Thinking, t.Cost} {
		all = append(all, s.Charged, s.Known, s.Unknown)
	}
	return all
}

// Plus returns the totals of both.
func (t Totals) Plus(o Totals) Totals {
	return Totals{
		Calls: plus(t.Calls, o.Calls), Open: plus(t.Open, o.Open),
		OpenTokens: plus(t.OpenTokens, o.OpenTokens), OpenCost: events.Micros(plus(int64(t.OpenCost), int64(o.OpenCost))),
		OK: plus(t.OK, o.OK), Errors: plus(t.Errors, o.Errors), Ambiguous: plus(t.Ambiguous, o.Ambiguous),
		Tokens: t.Tokens.plus(o.Tokens), Input: t.Input.plus(o.Input), CacheRead: t.CacheRead.plus(o.CacheRead),
		CacheWrite: t.CacheWrite.plus(o.CacheWrite), CacheWriteLong: t.CacheWriteLong.plus(o.CacheWriteLong),
		Output: t.Output.plus(o.Output), Thinking: t.Thinking.plus(o.Thinking), Cost: t.Cost.plus(o.Cost),
		Active: time.Duration(plus(int64(t.Active), int64(o.Active))),
	}
}

// TotalsOf returns the totals of one record.
func TotalsOf(r Record) Totals {
	if r.Status() == Dispatched {
		return Totals{Calls: 1, Open: 1, OpenTokens: r.tokens(), OpenCost: r.EstimatedCost}
	}
	s := r.Settled
	t := Totals{
		Calls: 1, Active: max(s.Latency, 0),
		Input:     s.sum(s.Usage.Input, s.Known.Input),
		CacheRead: s.sum(s.Usage.CacheRead, s.Known.CacheRead), CacheWrite: s.sum(s.Usage.CacheWrite, s.Known.CacheWrite),
		CacheWriteLong: s.sum(s.Usage.CacheWriteLong, s.Known.CacheWriteLong),
		Output:         s.sum(s.Usage.Output, s.Known.Output), Thinking: s.sum(s.Usage.Thinking, s.Known.Thinking),
		Cost: Sum{Charged: int64(s.Cost), Known: int64(s.KnownCost)},
	}
	t.Tokens = t.Input.plus(t.Output)
	t.Tokens.Unknown = min(t.Tokens.Unknown, 1)
	if s.CostCertainty == charge.Estimated || s.CostCertainty == UnknownCost {
		t.Cost.Unknown = 1
	}
	switch s.Status {
	case charge.OK:
		t.OK = 1
	case charge.Error:
		t.Errors = 1
	default:
		t.Ambiguous = 1
	}
	return t
}

// sum returns the sum of one count. It is known when all that is charged of it was
// reported, and the attempt did not break off.
func (s Settlement) sum(charged, known events.Count) Sum {
	sum := Sum{Charged: charged.Or(0), Known: known.Or(0)}
	if s.Status == charge.Ambiguous || !known.IsKnown() || charged.Or(0) != known.Or(0) {
		sum.Unknown = 1
	}
	return sum
}

// minus returns s without a part of it. A saturated sum stays so.
func (s Sum) minus(o Sum) Sum {
	return Sum{minus(s.Charged, o.Charged), minus(s.Known, o.Known), minus(s.Unknown, o.Unknown)}
}

// Minus returns the totals without a part of them. What is saturated stays so.
func (t Totals) Minus(o Totals) Totals {
	return Totals{
		Calls: minus(t.Calls, o.Calls), Open: minus(t.Open, o.Open),
		OpenTokens: minus(t.OpenTokens, o.OpenTokens), OpenCost: events.Micros(minus(int64(t.OpenCost), int64(o.OpenCost))),
		OK: minus(t.OK, o.OK), Errors: minus(t.Errors, o.Errors), Ambiguous: minus(t.Ambiguous, o.Ambiguous),
		Tokens: t.Tokens.minus(o.Tokens), Input: t.Input.minus(o.Input), CacheRead: t.CacheRead.minus(o.CacheRead),
		CacheWrite: t.CacheWrite.minus(o.CacheWrite), CacheWriteLong: t.CacheWriteLong.minus(o.CacheWriteLong),
		Output: t.Output.minus(o.Output), Thinking: t.Thinking.minus(o.Thinking), Cost: t.Cost.minus(o.Cost),
		Active: time.Duration(minus(int64(t.Active), int64(o.Active))),
	}
}

func tokensOf(u events.Usage) int64 { return plus(u.Input.Or(0), u.Output.Or(0)) }

// plus adds amounts that are not negative, saturated.
func plus(a, b int64) int64 {
	a, b = max(a, 0), max(b, 0)
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// minus takes b, which was added before, away again.
func minus(a, b int64) int64 {
	if a == math.MaxInt64 {
		return a
	}
	return max(a-max(b, 0), 0)
}
