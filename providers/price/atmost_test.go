package price_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

func TestAtMost(t *testing.T) {
	t.Parallel()
	n, m := events.Known, price.PerMillion
	audio := price.Price{Input: m(1_000_000), CacheRead: m(500_000), InputAudio: m(40_000_000), Output: m(0)}
	thinking := price.Price{Input: m(0), Output: m(2_000_000), Thinking: m(5_000_000)}
	for _, tt := range []struct {
		why   string
		price price.Price
		usage events.Usage
		want  events.Micros
	}{
		{"nothing of the cache was reported: all may have been written for an hour", std(), events.Usage{Input: n(10), Output: n(1)}, 60 + 15},
		{"what was read is known, the rest may have been written", std(), events.Usage{Input: n(10), CacheRead: n(10), Output: n(1)}, 3 + 15},
		{"of ten, four were read", std(), events.Usage{Input: n(10), CacheRead: n(4), Output: n(0)}, 2 + 36},
		{"no write is known, reads are cheaper than the rest", std(), events.Usage{Input: n(10), CacheWrite: n(0), CacheWriteLong: n(0), Output: n(0)}, 30},
		{"a part without a rate is absent", price.Price{Input: m(1_000_000), Output: m(0)}, events.Usage{Input: n(3), Output: n(0)}, 3},
		{"a part at the rate of its whole needs no count", price.Price{Input: m(1_000_000), CacheRead: price.AsWhole(), Output: m(0)}, events.Usage{Input: n(3), Output: n(0)}, 3},
		{"all output may be thinking", thinking, events.Usage{Input: n(0), Output: n(3)}, 15},
		{"cached audio costs both", audio, events.Usage{Input: n(10), CacheRead: n(4), InputAudio: n(4), Output: n(0)}, 2 + 160 + 6},
		{"audio that nobody reported may be all of it, the cached too", audio, events.Usage{Input: n(10), CacheRead: n(4), Output: n(0)}, 2 + 400},
		{"the cache that nobody reported holds any but at the dearer input rate", audio, events.Usage{Input: n(10), InputAudio: n(4), Output: n(0)}, 160 + 10},
		{"nothing was sent", std(), events.Usage{Input: n(0), Output: n(0)}, 0},
		{"free, whatever was counted", price.Free("x")["x"], events.Usage{}, 0},
		{"rounded up once", price.Price{Input: m(1), CacheRead: m(2), Output: m(1)}, events.Usage{Input: n(1), Output: n(1)}, 1},
		{"saturated", price.Price{Input: m(1), CacheRead: m(math.MaxInt64), Output: m(1)}, events.Usage{Input: n(events.MaxCount), Output: n(0)}, math.MaxInt64},
	} {
		got, err := tt.price.AtMost(tt.usage)
		require.NoError(t, err, tt.why)
		assert.Equal(t, tt.want, got, tt.why)
	}
}

func TestAtMostUnknown(t *testing.T) {
	t.Parallel()
	n, m := events.Known, price.PerMillion
	audio := price.Price{Input: m(1), CacheRead: m(1), InputAudio: m(1), Output: m(1)}
	for _, tt := range []struct {
		why   string
		price price.Price
		usage events.Usage
		part  string
		gap   price.Gap
	}{
		{"the prompt has no end", std(), events.Usage{Output: n(1)}, "input", price.NoCount},
		{"the output has none", std(), events.Usage{Input: n(1)}, "output", price.NoCount},
		{"no rate for the rest, which may be dearer than any part", price.Price{CacheRead: m(1), Output: m(1)}, events.Usage{Input: n(2), CacheRead: n(1), Output: n(1)}, "input", price.NoRate},
		{"tokens that have no rate", price.Price{Input: m(1), CacheRead: m(1), Output: m(1)}, events.Usage{Input: n(2), CacheWrite: n(1), Output: n(1)}, "cache_write", price.NoRate},
		{"the zero price", price.Price{}, events.Usage{Input: n(1), Output: n(1)}, "input", price.NoRate},
		{"more parts than there is", std(), events.Usage{Input: n(3), CacheRead: n(2), CacheWrite: n(2), Output: n(1)}, "input", price.BadCount},
		{"more audio than there is", audio, events.Usage{Input: n(3), CacheRead: n(0), InputAudio: n(4), Output: n(1)}, "input", price.BadCount},
		{"a whole above the bound", std(), events.Usage{Input: n(events.MaxCount + 1), Output: n(1)}, "input", price.BadCount},
		{"a negative part", std(), events.Usage{Input: n(3), CacheRead: n(-2), Output: n(1)}, "cache_read", price.BadCount},
		{"a negative whole", std(), events.Usage{Input: n(3), Output: n(-1)}, "output", price.BadCount},
	} {
		got, err := tt.price.AtMost(tt.usage)
		require.ErrorIs(t, err, unpriced(), tt.why)
		var u *price.Unknown
		require.ErrorAs(t, err, &u, tt.why)
		assert.Equal(t, price.Unknown{Part: tt.part, Gap: tt.gap}, *u, tt.why)
		assert.Zero(t, got, tt.why)
	}
}

// Whatever the unreported counts are, AtMost is not less than what the tokens
// cost; and where Cost knows, they are the same.
func TestAtMostBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := func(name string) price.Rate {
			return price.PerMillion(events.Micros(rapid.Int64Range(0, 9).Draw(t, name+" rate")) * 1_000_000)
		}
		p := price.Price{
			Input: rate("input"), CacheRead: rate("read"), CacheWrite: rate("write"), CacheWriteLong: rate("long"), InputAudio: rate("audio"),
			Output: rate("output"), Thinking: rate("thinking"),
		}
		// Each token is of one cached kind or none, is audio or not, and costs the
		// rate of one of the kinds that it is of.
		caches := []price.Rate{p.CacheRead, p.CacheWrite, p.CacheWriteLong}
		var cached [3]int64
		var tokens, sound, paid int64
		for range rapid.IntRange(0, 6).Draw(t, "tokens") {
			tokens++
			kind, isAudio := rapid.IntRange(0, 3).Draw(t, "kind"), rapid.Bool().Draw(t, "audio")
			costs := p.Input
			if kind < 3 {
				cached[kind]++
				costs = caches[kind]
			}
			if isAudio {
				sound++
				if kind == 3 || rapid.Bool().Draw(t, "as audio") {
					costs = p.InputAudio
				}
			}
			micros, _ := costs.Get()
			paid += int64(micros) / 1_000_000
		}
		thought, said := rapid.Int64Range(0, 3).Draw(t, "thought"), rapid.Int64Range(0, 3).Draw(t, "said")
		thinking, _ := p.Thinking.Get()
		output, _ := p.Output.Get()
		paid += (thought*int64(thinking) + said*int64(output)) / 1_000_000

		maybe := func(name string, n int64) events.Count {
			if rapid.Bool().Draw(t, name+" is told") {
				return events.Known(n)
			}
			return events.Count{}
		}
		u := events.Usage{
			Input: events.Known(tokens), CacheRead: maybe("read", cached[0]), CacheWrite: maybe("write", cached[1]),
			CacheWriteLong: maybe("long", cached[2]), InputAudio: maybe("audio", sound),
			Output: events.Known(thought + said), Thinking: maybe("thinking", thought),
		}
		most, err := p.AtMost(u)
		require.NoError(t, err)
		require.GreaterOrEqual(t, int64(most), paid)
		if cost, err := p.Cost(u); err == nil {
			require.Equal(t, cost, most)
		}
	})
}
