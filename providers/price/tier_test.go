package price_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// std has the rates that the cases in shared/cases use.
func std() price.Price {
	m := price.PerMillion
	return price.Price{
		Input: m(3_000_000), CacheRead: m(300_000), CacheWrite: m(3_750_000), CacheWriteLong: m(6_000_000), Output: m(15_000_000),
	}
}

// long is twice std but for the output.
func long() price.Price {
	m := price.PerMillion
	return price.Price{
		Input: m(6_000_000), CacheRead: m(600_000), CacheWrite: m(7_500_000), CacheWriteLong: m(12_000_000), Output: m(22_500_000),
	}
}

func TestLongPrompts(t *testing.T) {
	t.Parallel()
	n := events.Known
	usage := func(input int64) events.Usage {
		return events.Usage{Input: n(input), CacheRead: n(0), CacheWrite: n(0), CacheWriteLong: n(0), Output: n(1)}
	}
	two := std()
	two.Long = []price.Tier{{Above: 1000, Price: price.Price{}}, {Above: 10, Price: long()}}
	for _, tt := range []struct {
		why   string
		input int64
		want  events.Micros
	}{
		{"below", 9, 9*3 + 15},
		{"exactly the threshold is not above it", 10, 10*3 + 15},
		{"one more, and all of it is dearer, the output too", 11, 11*6 + 23},
		{"exactly the next threshold", 1000, 1000*6 + 23},
	} {
		got, err := two.Cost(usage(tt.input))
		require.NoError(t, err, tt.why)
		assert.Equal(t, tt.want, got, tt.why)
		most, err := two.AtMost(usage(tt.input))
		require.NoError(t, err, tt.why)
		assert.Equal(t, tt.want, most, tt.why)
	}
	_, err := two.Cost(usage(1001))
	require.ErrorIs(t, err, unpriced(), "the highest tier that is exceeded holds, and nobody knows its rates")
	_, err = two.AtMost(usage(1001))
	require.ErrorIs(t, err, unpriced())

	zero := price.PerMillion(0)
	partly := price.Price{Input: zero, CacheRead: zero, CacheWrite: zero, CacheWriteLong: zero, Output: zero}
	partly.Long = []price.Tier{{Above: 10, Price: std()}}
	got, err := partly.Cost(usage(11))
	require.NoError(t, err)
	assert.Equal(t, events.Micros(11*3+15), got, "free only as long as it is short")
	got, err = partly.Cost(usage(10))
	require.NoError(t, err)
	assert.Zero(t, got)
	_, err = price.Price{Long: []price.Tier{{Price: std()}}}.Cost(events.Usage{Output: n(0)})
	require.ErrorIs(t, err, unpriced(), "how long it was is not known")
	free := price.Free("x")["x"]
	free.Long = []price.Tier{{Above: 10, Price: std()}}
	_, err = free.Cost(events.Usage{})
	require.ErrorIs(t, err, unpriced(), "it may have been long")
	free.Long[0].Price = price.Free("x")["x"]
	got, err = free.Cost(events.Usage{})
	require.NoError(t, err)
	assert.Zero(t, got, "free at any length")
}

func TestIn(t *testing.T) {
	t.Parallel()
	n := events.Known
	usage := events.Usage{Input: n(7), CacheRead: n(0), CacheWrite: n(0), CacheWriteLong: n(0), Output: n(1)}
	longer := usage
	longer.Input = n(11)
	dear := long()
	dear.Service = map[string]price.Multiplier{"default": {1, 1}, "flex": {2, 4}}
	listed := std()
	listed.Long = []price.Tier{{Above: 10, Price: dear}}
	listed.Service = map[string]price.Multiplier{
		"default": {1, 1}, "flex": {1, 2}, "priority": {17, 10}, "zero": {0, 1}, "none": {1, 0}, "negative": {-1, 1},
		"huge": {1_000_001, 1}, "tiny": {1, 1_000_001}, "most": {1_000_000, 1}, "least": {1, 1_000_000},
	}
	for _, tt := range []struct {
		why, service string
		usage        events.Usage
		want         events.Micros
	}{
		{"the provider told none", "", usage, 7*3 + 15},
		{"the standard one", "default", usage, 7*3 + 15},
		{"half", "flex", usage, 18},
		{"rounded up once, after all of it: 36 * 1.7 is 61.2", "priority", usage, 62},
		{"half of a long prompt, by the ratio of its length: 44.25", "flex", longer, 45},
		{"a long prompt in the standard tier", "default", longer, 11*6 + 23},
		{"the largest ratio", "most", usage, 36_000_000},
		{"the smallest", "least", usage, 1},
	} {
		p, err := listed.In(tt.service)
		require.NoError(t, err, tt.why)
		got, err := p.Cost(tt.usage)
		require.NoError(t, err, tt.why)
		assert.Equal(t, tt.want, got, tt.why)
	}
	for service, why := range map[string]string{
		"scale": "a tier that nobody priced", "Default": "names are exact", "zero": "nothing is no ratio", "none": "nor is a division by zero",
		"negative": "nor what is below zero", "huge": "beyond the bound", "tiny": "beyond the other bound",
	} {
		p, err := listed.In(service)
		require.ErrorIs(t, err, unpriced(), why)
		assert.Equal(t, price.Price{}, p, why)
	}
	priority, err := listed.In("priority")
	require.NoError(t, err)
	_, err = priority.Cost(longer)
	require.ErrorIs(t, err, unpriced(), "long prompts are not listed in this tier")
	_, err = priority.In("default")
	require.ErrorIs(t, err, unpriced(), "tiers do not add up")
	assert.Equal(t, dear, listed.Long[0].Price, "the listed price is as it was")

	dearest := price.Price{Input: price.PerMillion(1 << 62), Output: price.PerMillion(0), Service: map[string]price.Multiplier{"x": {1 << 19, 1}}}
	dearest, err = dearest.In("x")
	require.NoError(t, err)
	got, err := dearest.Cost(events.Usage{Input: n(1 << 47), Output: n(0)})
	require.NoError(t, err)
	assert.Equal(t, events.Micros(math.MaxInt64), got, "saturated where 128 bits would wrap around to nothing")

	free, err := price.Free("x")["x"].In("priority")
	require.NoError(t, err)
	got, err = free.Cost(events.Usage{})
	require.NoError(t, err)
	assert.Zero(t, got, "free in every tier")
}

// A multiplied cost is the exact product, rounded up once and saturated.
func TestInIsExact(t *testing.T) {
	t.Parallel()
	ratio := rapid.OneOf(rapid.Int64Range(1, 10), rapid.Int64Range(1, 1_000_000))
	numbers := rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64Range(0, 100_000_000), rapid.Int64Range(0, events.MaxCount))
	rapid.Check(t, func(t *rapid.T) {
		m := price.Multiplier{Num: ratio.Draw(t, "num"), Den: ratio.Draw(t, "den")}
		input, output := numbers.Draw(t, "input"), numbers.Draw(t, "output")
		in, out := numbers.Draw(t, "input rate"), numbers.Draw(t, "output rate")*1024
		p, err := price.Price{
			Input: price.PerMillion(events.Micros(in)), Output: price.PerMillion(events.Micros(out)),
			Service: map[string]price.Multiplier{"x": m},
		}.In("x")
		require.True(t, err == nil || in == 0 && out == 0)

		sum := new(big.Int).Mul(big.NewInt(input), big.NewInt(in))
		sum.Add(sum, new(big.Int).Mul(big.NewInt(output), big.NewInt(out)))
		sum.Mul(sum, big.NewInt(m.Num))
		divisor := new(big.Int).Mul(big.NewInt(1_000_000), big.NewInt(m.Den))
		sum.Add(sum, divisor).Sub(sum, big.NewInt(1)).Quo(sum, divisor)
		want := events.Micros(math.MaxInt64)
		if sum.IsInt64() {
			want = events.Micros(sum.Int64())
		}
		got, err := p.Cost(events.Usage{Input: events.Known(input), Output: events.Known(output)})
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// A table written by hand lists no tiers; the ordinary one costs what it says.
func TestStandardTierNeedsNoRow(t *testing.T) {
	t.Parallel()
	p := std()
	for _, name := range []string{"default", "standard"} {
		got, err := p.In(name)
		require.NoError(t, err)
		assert.Equal(t, p, got)
	}
	_, err := p.In("priority")
	require.ErrorIs(t, err, unpriced(), "what another tier costs it does not say")
	p.Service = map[string]price.Multiplier{"default": {1, 2}}
	half, err := p.In("default")
	require.NoError(t, err)
	assert.NotEqual(t, p, half, "a row for it holds")
}
