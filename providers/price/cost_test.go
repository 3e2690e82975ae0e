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

func unpriced() error {
	return &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced}
}

func TestCost(t *testing.T) {
	t.Parallel()
	n, m := events.Known, price.PerMillion
	simple := price.Price{Input: m(1_000_000), Output: m(2_000_000)}
	cached := price.Price{Input: m(1_000_000), CacheRead: m(0), Output: m(2_000_000)}
	full := price.Price{
		Input: m(10_000_000), CacheRead: m(1_000_000), CacheWrite: m(12_500_000), CacheWriteLong: m(20_000_000), InputAudio: m(40_000_000),
		InputImage: m(30_000_000), Output: m(50_000_000), Thinking: m(60_000_000), OutputAudio: m(80_000_000), OutputImage: m(90_000_000),
	}
	whole := price.Price{Input: m(3_000_000), CacheRead: price.AsWhole(), Output: m(0)}
	for _, tt := range []struct {
		why   string
		price price.Price
		usage events.Usage
		want  events.Micros
	}{
		{"2 in at 1e6 and 3 out at 2e6", simple, events.Usage{Input: n(2), Output: n(3)}, 8},
		{"one of the two from a cache that is free", cached, events.Usage{Input: n(2), CacheRead: n(1), Output: n(3)}, 7},
		{"millionths are rounded up once", price.Price{Input: m(1), Output: m(1)}, events.Usage{Input: n(2), Output: n(3)}, 1},
		{"a whole microdollar is not rounded", price.Price{Input: m(1), Output: m(1)}, events.Usage{Input: n(999_999), Output: n(1)}, 1},
		{"a millionth more is", price.Price{Input: m(1), Output: m(1)}, events.Usage{Input: n(999_999), Output: n(2)}, 2},
		{"nothing used", simple, events.Usage{Input: n(0), Output: n(0)}, 0},
		{"nothing used needs no parts", full, events.Usage{Input: n(0), Output: n(0)}, 0},
		{"each part at its own rate", full, events.Usage{
			Input: n(100), CacheRead: n(10), CacheWrite: n(20), CacheWriteLong: n(30), InputAudio: n(0), InputImage: n(0),
			Output: n(100), Thinking: n(10), OutputAudio: n(20), OutputImage: n(30),
		}, 400 + 10 + 250 + 600 + 2000 + 600 + 1600 + 2700},
		{"audio and images", full, events.Usage{
			Input: n(100), CacheRead: n(0), CacheWrite: n(0), CacheWriteLong: n(0), InputAudio: n(10), InputImage: n(20),
			Output: n(0),
		}, 700 + 400 + 600},
		{"thinking without a rate is output", simple, events.Usage{Input: n(0), Output: n(5), Thinking: n(4)}, 10},
		{"images without a rate are input", simple, events.Usage{Input: n(5), InputImage: n(4), Output: n(0)}, 5},
		{"a cached part at the rate of its whole, said so", whole, events.Usage{Input: n(5), CacheRead: n(4), Output: n(0)}, 15},
		{"then its count may be unknown", whole, events.Usage{Input: n(5), Output: n(0)}, 15},
		{"a part without a rate is absent when nobody reports it", simple, events.Usage{Input: n(1), Output: n(1)}, 3},
		{"or when it is zero", simple, events.Usage{Input: n(1), CacheRead: n(0), InputAudio: n(0), Output: n(1), OutputAudio: n(0)}, 3},
		{"a whole without a rate whose parts are all of it", price.Price{CacheRead: m(1_000_000), Output: m(0)}, events.Usage{Input: n(5), CacheRead: n(5), Output: n(0)}, 5},
		{"free, whatever was counted", price.Free("x")["x"], events.Usage{}, 0},
		{"free, whatever was counted wrongly", price.Free("x")["x"], events.Usage{Input: n(-1)}, 0},
		{"the largest count at the largest rate saturates", price.Price{Input: m(math.MaxInt64), Output: m(math.MaxInt64)}, events.Usage{Input: n(events.MaxCount), Output: n(events.MaxCount)}, math.MaxInt64},
		{"the largest amount", price.Price{Input: m(math.MaxInt64), Output: m(0)}, events.Usage{Input: n(1_000_000), Output: n(0)}, math.MaxInt64},
		{"a millionth above the largest amount", price.Price{Input: m(math.MaxInt64), Output: m(1)}, events.Usage{Input: n(1_000_000), Output: n(1)}, math.MaxInt64},
		{"a token too many", price.Price{Input: m(math.MaxInt64), Output: m(0)}, events.Usage{Input: n(2_000_002), Output: n(0)}, math.MaxInt64},
		{"a quotient of 64 ones and a rest", price.Price{Input: m(math.MaxInt64), Output: m(1)}, events.Usage{Input: n(2_000_000), Output: n(1_500_000)}, math.MaxInt64},
		{"a quotient between 2^63 and 2^64", price.Price{Input: m(math.MaxInt64), Output: m(0)}, events.Usage{Input: n(1_500_000), Output: n(0)}, math.MaxInt64},
	} {
		got, err := tt.price.Cost(tt.usage)
		require.NoError(t, err, tt.why)
		assert.Equal(t, tt.want, got, tt.why)
	}
}

func TestCostUnknown(t *testing.T) {
	t.Parallel()
	n, m := events.Known, price.PerMillion
	simple := price.Price{Input: m(1), Output: m(2)}
	cached := price.Price{Input: m(1), CacheRead: m(1), InputAudio: m(9), InputImage: m(9), Output: m(2), Thinking: m(3)}
	for _, tt := range []struct {
		why   string
		price price.Price
		usage events.Usage
		part  string
		gap   price.Gap
	}{
		{"nobody reported the prompt", simple, events.Usage{Output: n(1)}, "input", price.NoCount},
		{"nobody reported the output", simple, events.Usage{Input: n(1)}, "output", price.NoCount},
		{"the zero price is not free", price.Price{}, events.Usage{Input: n(1), Output: n(1)}, "input", price.NoRate},
		{"no rate for the output", price.Price{Input: m(1)}, events.Usage{Input: n(1), Output: n(1)}, "output", price.NoRate},
		{"two rates of zero do not make it free", price.Price{Input: m(0), Output: m(0)}, events.Usage{}, "input", price.NoCount},
		{"a negative rate is none", price.Price{Input: m(-1), Output: m(1)}, events.Usage{Input: n(1), Output: n(1)}, "input", price.NoRate},
		{"a cache read without a rate is not input", simple, events.Usage{Input: n(2), CacheRead: n(1), Output: n(1)}, "cache_read", price.NoRate},
		{"a cache write without a rate", simple, events.Usage{Input: n(2), CacheWrite: n(1), Output: n(1)}, "cache_write", price.NoRate},
		{"a long cache write without a rate", simple, events.Usage{Input: n(2), CacheWriteLong: n(1), Output: n(1)}, "cache_write_long", price.NoRate},
		{"audio without a rate", simple, events.Usage{Input: n(2), InputAudio: n(1), Output: n(1)}, "input_audio", price.NoRate},
		{"spoken output without a rate", simple, events.Usage{Input: n(2), Output: n(1), OutputAudio: n(1)}, "output_audio", price.NoRate},
		{"images without a rate", simple, events.Usage{Input: n(2), Output: n(1), OutputImage: n(1)}, "output_image", price.NoRate},
		{"a priced part that nobody reported", cached, events.Usage{Input: n(2), InputAudio: n(0), InputImage: n(0), Output: n(0)}, "cache_read", price.NoCount},
		{"thinking that is priced apart and was not reported", price.Price{Input: m(1), Output: m(1), Thinking: m(2)}, events.Usage{Input: n(1), Output: n(1)}, "thinking", price.NoCount},
		{"more from the cache than in all", cached, events.Usage{Input: n(1), CacheRead: n(2), InputAudio: n(0), InputImage: n(0), Output: n(0)}, "input", price.BadCount},
		{"more thinking than output", cached, events.Usage{Input: n(0), Output: n(1), Thinking: n(2)}, "output", price.BadCount},
		{"a negative whole", simple, events.Usage{Input: n(-1), Output: n(1)}, "input", price.BadCount},
		{"a negative part", simple, events.Usage{Input: n(1), CacheRead: n(-1), Output: n(1)}, "cache_read", price.BadCount},
		{"a whole above the bound", simple, events.Usage{Input: n(1), Output: n(events.MaxCount + 1)}, "output", price.BadCount},
		{"audio that may be cached", cached, events.Usage{Input: n(9), CacheRead: n(1), InputAudio: n(1), InputImage: n(0), Output: n(0)}, "input_audio", price.Overlap},
		{"images that may be cached", cached, events.Usage{Input: n(9), CacheRead: n(1), InputAudio: n(0), InputImage: n(1), Output: n(0)}, "input_image", price.Overlap},
	} {
		got, err := tt.price.Cost(tt.usage)
		require.ErrorIs(t, err, unpriced(), tt.why)
		var u *price.Unknown
		require.ErrorAs(t, err, &u, tt.why)
		assert.Equal(t, price.Unknown{Part: tt.part, Gap: tt.gap}, *u, tt.why)
		assert.Zero(t, got, tt.why)
	}
}

// The cost is the exact sum, rounded up once.
func TestCostIsExact(t *testing.T) {
	t.Parallel()
	rates := rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64Range(0, 100_000_000), rapid.Int64Range(0, math.MaxInt64))
	counts := rapid.OneOf(rapid.Int64Range(0, 10), rapid.Int64Range(0, 3_000_000), rapid.Int64Range(0, events.MaxCount/4))
	rapid.Check(t, func(t *rapid.T) {
		exact := new(big.Rat)
		one := func(name string) (price.Rate, int64) {
			rate, count := rates.Draw(t, name+" rate"), counts.Draw(t, name)
			exact.Add(exact, new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(rate), big.NewInt(count)), big.NewInt(1_000_000)))
			return price.PerMillion(events.Micros(rate)), count
		}
		var p price.Price
		var rest, read, write, long, out, thinking int64
		p.Input, rest = one("rest")
		p.CacheRead, read = one("read")
		p.CacheWrite, write = one("write")
		p.CacheWriteLong, long = one("long")
		p.Output, out = one("out")
		p.Thinking, thinking = one("thinking")
		usage := events.Usage{
			Input: events.Known(rest + read + write + long), CacheRead: events.Known(read), CacheWrite: events.Known(write),
			CacheWriteLong: events.Known(long), Output: events.Known(out + thinking), Thinking: events.Known(thinking),
		}
		if rest+read+write+long > events.MaxCount {
			t.Skip("no sane usage")
		}
		up := new(big.Int).Add(exact.Num(), new(big.Int).Sub(exact.Denom(), big.NewInt(1)))
		up.Quo(up, exact.Denom())
		want := events.Micros(math.MaxInt64)
		if up.IsInt64() {
			want = events.Micros(up.Int64())
		}
		got, err := p.Cost(usage)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func BenchmarkCost(b *testing.B) {
	p := price.Price{Input: price.PerMillion(5_000_000), CacheRead: price.PerMillion(500_000), Output: price.PerMillion(25_000_000)}
	u := events.Usage{Input: events.Known(1000), CacheRead: events.Known(10), Output: events.Known(100)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Cost(u); err != nil {
			b.Fatal(err)
		}
	}
}
