package price_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

func TestFor(t *testing.T) {
	t.Parallel()
	table := price.Table{"a:x": {Input: price.PerMillion(1), AsOf: "2026-09-29"}, "a:unknown": {}}
	p, err := price.For(table, "a:x")
	require.NoError(t, err)
	assert.Equal(t, table["a:x"], p)
	p, err = price.For(table, "a:unknown")
	require.NoError(t, err, "it is in the table")
	_, known := p.Input.Get()
	assert.False(t, known)
	for _, table := range []price.Table{table, {}, nil} {
		p, err = price.For(table, "a:y")
		require.ErrorIs(t, err, unpriced())
		assert.Equal(t, price.Price{}, p)
	}
}

func TestFreeIsNotUnpriced(t *testing.T) {
	t.Parallel()
	table := price.Free("a:x", "a:y")
	assert.Len(t, table, 2)
	p, err := price.For(table, "a:y")
	require.NoError(t, err)
	micros, known := p.OutputImage.Get()
	assert.True(t, known)
	assert.Zero(t, micros)
	assert.Empty(t, price.Free())
}

func TestMerge(t *testing.T) {
	t.Parallel()
	first := price.Table{"a": {Input: price.PerMillion(1), CacheRead: price.PerMillion(1)}, "b": {Input: price.PerMillion(1)}}
	second := price.Table{"a": {Input: price.PerMillion(2)}}
	merged := price.Merge(first, nil, second)
	assert.Equal(t, price.Table{"a": {Input: price.PerMillion(2)}, "b": {Input: price.PerMillion(1)}}, merged, "the later price holds whole")
	merged["c"] = price.Price{}
	assert.NotContains(t, first, "c")
	assert.NotContains(t, second, "c")
	assert.Equal(t, price.Table{}, price.Merge(), "ready to be written to")
}

func TestRate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		rate   price.Rate
		micros events.Micros
		known  bool
	}{
		{"unknown is not zero", price.Rate{}, 0, false},
		{"free is known", price.PerMillion(0), 0, true},
		{"a rate", price.PerMillion(5), 5, true},
		{"no rate is negative", price.PerMillion(-5), 0, false},
		{"the rate of another part", price.AsWhole(), 0, false},
	} {
		micros, known := tt.rate.Get()
		assert.Equal(t, tt.micros, micros, tt.why)
		assert.Equal(t, tt.known, known, tt.why)
	}
	assert.NotEqual(t, price.Rate{}, price.AsWhole())
}

func TestParseDollars(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		want      events.Micros
	}{
		{"whole dollars", "5", 5_000_000},
		{"cents", "4.41", 4_410_000},
		{"a sign of the currency", "$0.50", 500_000},
		{"nothing", "0", 0},
		{"nothing behind the point", "5.", 5_000_000},
		{"nothing before the point", ".5", 500_000},
		{"leading zeros", "0005", 5_000_000},
		{"a microdollar", "0.000001", 1},
		{"half a microdollar, up", "0.0000005", 1},
		{"less than half, down", "0.00000049999999999999999999", 0},
		{"rounded into the next dollar", "0.9999995", 1_000_000},
		{"many digits", "1.0000000000000000000000000000000000000000000001", 1_000_000},
		{"the largest", "9223372036854.775807", math.MaxInt64},
		{"the largest, rounded down", "9223372036854.7758074", math.MaxInt64},
	} {
		got, err := price.ParseDollars(tt.text)
		require.NoError(t, err, tt.why)
		assert.Equal(t, tt.want, got, tt.why)
	}
}

func TestParseDollarsRefuses(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"": "nothing", ".": "no digit", "$": "no amount", "$$5": "two signs", "5$": "the sign behind",
		"-1": "negative", "-0": "negative, however little", "+1": "a sign", "NaN": "no number", "Inf": "no amount", "-Inf": "neither",
		"1e3": "an exponent", "0x10": "hexadecimal", "1_000": "a separator", "1,000": "a separator", "1.2.3": "two points", " 5": "space", "5 ": "space",
		"٣":                    "digits of another script",
		"9223372036854.775808": "2^63 microdollars", "9223372036854.7758075": "rounded up to 2^63",
		"18446744073709.551617": "beyond 64 bits", "99999999999999999999999999": "far beyond", strings.Repeat("9", 10_000): "absurd",
	} {
		got, err := price.ParseDollars(text)
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, why)
		assert.Zero(t, got, why)
	}
}

func TestParseDollarsRoundsToNearest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{1,14}(\.[0-9]{0,12})?`).Draw(t, "text")
		exact, ok := new(big.Rat).SetString(text)
		require.True(t, ok)
		exact.Mul(exact, big.NewRat(1_000_000, 1)).Add(exact, big.NewRat(1, 2))
		want := new(big.Int).Quo(exact.Num(), exact.Denom())
		got, err := price.ParseDollars(text)
		if !want.IsInt64() {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, want.Int64(), int64(got))
	})
}
