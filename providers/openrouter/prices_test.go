package openrouter_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/providers/price"
)

func TestPrices(t *testing.T) {
	t.Parallel()
	const million = 1_000_000
	n := events.Known
	for _, tt := range []struct {
		why, name, answered string
		usage               events.Usage
		want                events.Micros
	}{
		{
			"one million tokens each: plain, read, written and out", "openrouter:anthropic/claude-sonnet-5.5", "",
			events.Usage{Input: n(3 * million), CacheRead: n(million), CacheWrite: n(million), Output: n(million)},
			2_000_000 + 200_000 + 2_500_000 + 10_000_000,
		},
		{
			"the name that OpenRouter answers with is another one", "openrouter:anthropic/claude-haiku-4.5", "anthropic/claude-4.5-haiku-20251001",
			events.Usage{Input: n(2 * million), CacheRead: n(million), CacheWrite: n(0), Output: n(million)},
			1_000_000 + 100_000 + 5_000_000,
		},
		{
			"the longest at the lower price", "openrouter:anthropic/claude-sonnet-4.6", "",
			events.Usage{Input: n(199_999), CacheRead: n(0), CacheWrite: n(0), Output: n(1000)},
			599_997 + 15_000,
		},
		{
			"from here on all of it is dearer", "openrouter:anthropic/claude-sonnet-4.6", "",
			events.Usage{Input: n(200_000), CacheRead: n(50_000), CacheWrite: n(50_000), Output: n(1000)},
			600_000 + 30_000 + 375_000 + 22_500,
		},
		{
			"a dated answer", "openrouter:openai/gpt-5.1", "openai/gpt-5.1-20251113",
			events.Usage{Input: n(2 * million), CacheRead: n(million), Output: n(million)},
			1_250_000 + 130_000 + 10_000_000,
		},
		{
			"long", "openrouter:x-ai/grok-4.3", "",
			events.Usage{Input: n(200_000), CacheRead: n(0), Output: n(1000)},
			500_000 + 5_000,
		},
		{
			"", "openrouter:google/gemini-3.8-flash", "",
			events.Usage{Input: n(2 * million), CacheRead: n(million), Output: n(million)},
			1_500_000 + 150_000 + 7_500_000,
		},
	} {
		p, err := price.ForReply(openrouter.Prices(), tt.name, tt.answered)
		require.NoError(t, err, tt.name)
		got, err := p.Cost(tt.usage)
		require.NoError(t, err, tt.name)
		assert.Equal(t, tt.want, got, "%s: %s", tt.name, tt.why)
	}
}

// Before a call nothing is known of the cache: all of the prompt may be written to it.
func TestPricesReserve(t *testing.T) {
	t.Parallel()
	p, err := price.For(openrouter.Prices(), "openrouter:anthropic/claude-haiku-4.5")
	require.NoError(t, err)
	most, err := p.AtMost(events.Usage{Input: events.Known(1000), Output: events.Known(100)})
	require.NoError(t, err)
	assert.Equal(t, events.Micros(1250+500), most)
}

func TestPricesUnknown(t *testing.T) {
	t.Parallel()
	unpriced := &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced}
	for _, name := range []string{
		"openrouter:openai/gpt-5.1:nitro", "openrouter:x-ai/grok-4.7", "openrouter:deepseek/deepseek-v4.1-flash",
		"openrouter:claude-haiku-4.5", "anthropic/claude-haiku-4.5", "openrouter:anthropic/claude-sonnet-4",
	} {
		_, err := price.For(openrouter.Prices(), name)
		require.ErrorIs(t, err, unpriced, name)
	}
}

func TestPricesAreWhole(t *testing.T) {
	t.Parallel()
	for name, p := range openrouter.Prices() {
		model, ok := strings.CutPrefix(name, openrouter.Provider+":")
		assert.True(t, ok, name)
		assert.Contains(t, model, "/", "%s has no vendor", name)
		input, known := p.Input.Get()
		assert.True(t, known && input > 0, "the input of %s", name)
		output, known := p.Output.Get()
		assert.True(t, known && output > input, "the output of %s", name)
		cached, known := p.CacheRead.Get()
		assert.True(t, known && cached < input, "the cache reads of %s", name)
		_, err := time.Parse(time.DateOnly, p.AsOf)
		assert.NoError(t, err, name)
	}
}
