package ledger_test

import (
	"errors"
	"iter"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// ended returns a record as it was settled.
func ended(s ledger.Settlement) ledger.Record {
	r := ledger.NewRecord(asking(s.Attempt), at(0))
	r.Settled, r.CompletedAt = s, at(time.Second)
	return r
}

func TestTotalsOf(t *testing.T) {
	t.Parallel()
	known := func(n int64) ledger.Sum { return ledger.Sum{Charged: n, Known: n} }
	nobody := ledger.Sum{Unknown: 1}
	exact := saying("a", 10, 5)
	exact.Usage.CacheRead, exact.Known.CacheRead = n(4), n(4)
	zero := saying("a", 0, 0)
	zero.Status = charge.Error
	unsaid := saying("a", 10, 0)
	unsaid.Known.Output, unsaid.Usage.Output = events.Count{}, n(20)
	unsaid.CostCertainty, unsaid.Cost, unsaid.KnownCost = charge.Estimated, 30, 10
	broken := saying("a", 10, 5)
	broken.Status, broken.CostCertainty = charge.Ambiguous, charge.Estimated
	free := saying("a", 10, 5)
	free.Cost, free.KnownCost, free.CostCertainty = 0, 0, ledger.UnknownCost
	whole := saying("a", 10, 5)
	whole.Usage, whole.Known = events.Usage{}, events.Usage{}
	whole.CostCertainty = charge.Provider
	rows := []struct {
		why  string
		r    ledger.Record
		want ledger.Totals
	}{
		{
			"an open one is reserved and nothing else", ledger.NewRecord(asking("a"), at(0)),
			ledger.Totals{Calls: 1, Open: 1, OpenTokens: 30, OpenCost: 30},
		},
		{
			"all reported; what was not counted is not known", ended(exact),
			ledger.Totals{
				Calls: 1, OK: 1, Tokens: known(15), Input: known(10), CacheRead: known(4), CacheWrite: nobody, CacheWriteLong: nobody,
				Output: known(5), Thinking: nobody, Cost: known(15), Active: time.Second,
			},
		},
		{
			"zero is known", ended(zero),
			ledger.Totals{
				Calls: 1, Errors: 1, CacheRead: nobody, CacheWrite: nobody, CacheWriteLong: nobody, Thinking: nobody, Active: time.Second,
			},
		},
		{
			"a count that was estimated is charged and not known", ended(unsaid),
			ledger.Totals{
				Calls: 1, OK: 1, Tokens: ledger.Sum{Charged: 30, Known: 10, Unknown: 1}, Input: known(10), Output: ledger.Sum{Charged: 20, Unknown: 1},
				CacheRead: nobody, CacheWrite: nobody, CacheWriteLong: nobody, Thinking: nobody,
				Cost: ledger.Sum{Charged: 30, Known: 10, Unknown: 1}, Active: time.Second,
			},
		},
		{
			"of one that broke off nothing is fully known", ended(broken),
			ledger.Totals{
				Calls: 1, Ambiguous: 1, Tokens: ledger.Sum{Charged: 15, Known: 15, Unknown: 1}, Input: ledger.Sum{Charged: 10, Known: 10, Unknown: 1},
				Output: ledger.Sum{Charged: 5, Known: 5, Unknown: 1}, CacheRead: nobody, CacheWrite: nobody, CacheWriteLong: nobody, Thinking: nobody,
				Cost: ledger.Sum{Charged: 15, Known: 15, Unknown: 1}, Active: time.Second,
			},
		},
		{
			"without a price the cost is unknown, not zero", ended(free),
			ledger.Totals{
				Calls: 1, OK: 1, Tokens: known(15), Input: known(10), Output: known(5),
				CacheRead: nobody, CacheWrite: nobody, CacheWriteLong: nobody, Thinking: nobody, Cost: nobody, Active: time.Second,
			},
		},
		{
			"a provider that tells only its cost", ended(whole),
			ledger.Totals{
				Calls: 1, OK: 1, Tokens: nobody, Input: nobody, Output: nobody, CacheRead: nobody, CacheWrite: nobody, CacheWriteLong: nobody,
				Thinking: nobody, Cost: known(15), Active: time.Second,
			},
		},
	}
	for _, row := range rows {
		assert.Equal(t, row.want, ledger.TotalsOf(row.r), row.why)
	}
}

// TestUnknownIsContagious adds one unknown attempt to a thousand known ones.
func TestUnknownIsContagious(t *testing.T) {
	t.Parallel()
	var sum ledger.Totals
	for range 1000 {
		sum = sum.Plus(ledger.TotalsOf(ended(saying("a", 1, 1))))
	}
	assert.True(t, sum.Cost.IsComplete())
	assert.True(t, sum.Tokens.IsComplete())
	lost := saying("b", 1, 1)
	lost.Known, lost.CostCertainty, lost.KnownCost = events.Usage{}, charge.Estimated, 0
	sum = sum.Plus(ledger.TotalsOf(ended(lost)))
	assert.Equal(t, ledger.Sum{Charged: 2002, Known: 2000, Unknown: 1}, sum.Cost)
	assert.Equal(t, ledger.Sum{Charged: 2002, Known: 2000, Unknown: 1}, sum.Tokens)
	assert.False(t, sum.Cost.IsComplete())
}

func TestSumsSaturate(t *testing.T) {
	t.Parallel()
	huge := asking("a")
	huge.Estimate, huge.EstimatedCost = inOut(events.MaxCount, events.MaxCount), math.MaxInt64
	open := ledger.TotalsOf(ledger.NewRecord(huge, at(0)))
	assert.Equal(t, int64(2*events.MaxCount), open.OpenTokens)
	two := open.Plus(open)
	assert.Equal(t, events.Micros(math.MaxInt64), two.OpenCost)
	assert.Equal(t, events.Micros(math.MaxInt64), two.SpentCost())
	assert.Equal(t, int64(4*events.MaxCount), two.SpentTokens())

	one := two.Minus(open)
	assert.Equal(t, events.Micros(math.MaxInt64), one.OpenCost, "what is saturated stays so: nobody knows what is left")
	assert.Equal(t, open.OpenTokens, one.OpenTokens)
	assert.True(t, one.Agrees(open))
	assert.True(t, one.Minus(open).Agrees(ledger.Totals{}))

	long := saying("a", 1, 1)
	long.Latency = math.MaxInt64
	active := ledger.TotalsOf(ended(long))
	assert.Equal(t, time.Duration(math.MaxInt64), active.Plus(active).Active)
	long.Latency = -1
	assert.Zero(t, ledger.TotalsOf(ended(long)).Active, "a clock that went back took no time")
}

// TestAgreesLooksAtEveryNumber changes one number after the other.
func TestAgreesLooksAtEveryNumber(t *testing.T) {
	t.Parallel()
	numbers := 0
	var each func(v reflect.Value, base ledger.Totals, whole *ledger.Totals)
	each = func(v reflect.Value, base ledger.Totals, whole *ledger.Totals) {
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				each(v.Field(i), base, whole)
			}
			return
		}
		numbers++
		v.SetInt(7)
		assert.False(t, whole.Agrees(base))
		assert.False(t, base.Agrees(*whole))
		assert.Equal(t, *whole, whole.Plus(ledger.Totals{}), "added")
		assert.Equal(t, base, whole.Minus(*whole), "and taken away")
		assert.Equal(t, int64(14), func() int64 { w := whole.Plus(*whole); return sumOf(w) }())
		v.SetInt(0)
		assert.True(t, whole.Agrees(base))
	}
	var changed ledger.Totals
	each(reflect.ValueOf(&changed).Elem(), ledger.Totals{}, &changed)
	assert.Equal(t, 32, numbers)
}

// sumOf adds up every number.
func sumOf(t ledger.Totals) int64 {
	var sum int64
	var each func(v reflect.Value)
	each = func(v reflect.Value) {
		if v.Kind() != reflect.Struct {
			sum += v.Int()
			return
		}
		for i := range v.NumField() {
			each(v.Field(i))
		}
	}
	each(reflect.ValueOf(t))
	return sum
}

// records gives the records, then the error when there is one.
func records(err error, all ...ledger.Record) iter.Seq2[ledger.Record, error] {
	return func(yield func(ledger.Record, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(ledger.Record{}, err)
		}
	}
}

func TestGroupBy(t *testing.T) {
	t.Parallel()
	a, b, c := ended(saying("a", 1, 1)), ended(saying("b", 2, 2)), ledger.NewRecord(asking("c"), at(0))
	a.Call, b.Call, c.Call = "one", "two", "one"
	a.Actor, b.Actor, c.Actor = "ann", "ben", "ann"
	a.Purpose, a.Model, b.Model, c.Provider, c.Run = "chat", "p:m", "p:n", "q", "s"
	rows := []struct {
		by     ledger.Dimension
		groups map[string]int64 // calls
		order  []string
	}{
		{ledger.ByRun, map[string]int64{"r": 2, "s": 1}, []string{"r", "s"}},
		{ledger.ByCall, map[string]int64{"one": 2, "two": 1}, []string{"one", "two"}},
		{ledger.ByActor, map[string]int64{"ann": 2, "ben": 1}, []string{"ann", "ben"}},
		{ledger.ByModel, map[string]int64{"p:m": 2, "p:n": 1}, []string{"p:m", "p:n"}},
		{ledger.ByProvider, map[string]int64{"p": 2, "q": 1}, []string{"p", "q"}},
		{ledger.ByPurpose, map[string]int64{"": 2, "chat": 1}, []string{"", "chat"}},
		{ledger.ByStatus, map[string]int64{"ok": 2, "dispatched": 1}, []string{"dispatched", "ok"}},
	}
	assert.Len(t, ledger.Dimensions(), len(rows))
	total, err := ledger.Total(records(nil, a, b, c))
	require.NoError(t, err)
	assert.Equal(t, int64(3), total.Calls)
	for _, row := range rows {
		assert.Contains(t, ledger.Dimensions(), row.by)
		groups, err := ledger.GroupBy(records(nil, a, b, c), row.by)
		require.NoError(t, err)
		var names []string
		var sum ledger.Totals
		for _, g := range groups {
			names = append(names, g.Name)
			assert.Equal(t, row.groups[g.Name], g.Calls, "%s %s", row.by, g.Name)
			sum = sum.Plus(g.Totals)
		}
		assert.Equal(t, row.order, names, row.by)
		assert.Equal(t, total, sum, "the groups are all")
	}
	none, err := ledger.GroupBy(records(nil), ledger.ByRun)
	require.NoError(t, err)
	assert.Empty(t, none)
}

func TestGroupByEndsWithTheError(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	_, err := ledger.GroupBy(records(lost, ended(saying("a", 1, 1))), ledger.ByRun)
	require.ErrorIs(t, err, lost)
	_, err = ledger.Total(records(lost, ended(saying("a", 1, 1))))
	require.ErrorIs(t, err, lost)
}
