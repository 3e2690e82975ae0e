package compatible_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/price"
)

func TestPrices(t *testing.T) {
	t.Parallel()
	const million = 1_000_000
	n := events.Known
	for _, tt := range []struct {
		why, name, answered   string
		input, cached, output int64
		want                  events.Micros
	}{
		{"the id has a slash", "groq:openai/gpt-oss-120b", "openai/gpt-oss-120b", 2 * million, million, million, 150_000 + 75_000 + 600_000},
		{"half a microdollar per thousand", "groq:openai/gpt-oss-20b", "", 1000, 1000, 0, 38},
		{"the longest at the lower price", "xai:grok-4.7", "", 199_999, 0, 1000, 399_998 + 6_000},
		{"from here on all of it is dearer", "xai:grok-4.7", "", 200_000, 100_000, 1000, 400_000 + 100_000 + 12_000},
		{"as listed", "xai:grok-4.3", "", 200_000, 0, 1000, 500_000 + 5_000},
		{"nothing cached", "mistral:mistral-medium-3-5", "mistral-medium-2604", million, 0, million, 1_500_000 + 7_500_000},
		{"as listed", "mistral:codestral-2508", "", 2 * million, million, million, 300_000 + 30_000 + 900_000},
		{"as listed", "together:moonshotai/Kimi-K3", "", 2 * million, million, million, 3_000_000 + 300_000 + 15_000_000},
		{"as listed", "fireworks:accounts/fireworks/models/kimi-k2p6", "", 2 * million, million, million, 950_000 + 160_000 + 4_000_000},
		{"as listed", "cerebras:qwen-3.8-27b", "", million, 0, million, 990_000 + 1_490_000},
	} {
		p, err := price.ForReply(compatible.Prices(), tt.name, tt.answered)
		require.NoError(t, err, tt.name)
		got, err := p.Cost(events.Usage{Input: n(tt.input), CacheRead: n(tt.cached), Output: n(tt.output)})
		require.NoError(t, err, tt.name)
		assert.Equal(t, tt.want, got, "%s: %s", tt.name, tt.why)
	}
}

func TestPricesUnknown(t *testing.T) {
	t.Parallel()
	unpriced := &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced}
	for _, name := range []string{
		"xai:grok-4.20-0309-reasoning", "xai:grok-build-0.1", "mistral:mistral-large-4",
		"cerebras:zai-glm-4.7", "fireworks:accounts/fireworks/models/gpt-oss-120b", "togetherai:moonshotai/Kimi-K3", "deepseek:deepseek-flash",
	} {
		_, err := price.For(compatible.Prices(), name)
		require.ErrorIs(t, err, unpriced, name)
	}
	fast, err := price.For(compatible.Prices(), "xai:grok-4.6")
	require.NoError(t, err)
	_, err = fast.In("priority")
	require.ErrorIs(t, err, unpriced, "nobody priced it")
	p, err := price.For(compatible.Prices(), "mistral:mistral-medium-3-5")
	require.NoError(t, err)
	_, err = p.Cost(events.Usage{Input: events.Known(2), CacheRead: events.Known(1), Output: events.Known(1)})
	require.ErrorIs(t, err, unpriced, "what is cached has a rate that nobody told")
}

func TestPricesAreWhole(t *testing.T) {
	t.Parallel()
	for name, p := range compatible.Prices() {
		provider, _, _ := strings.Cut(name, ":")
		assert.True(t, slices.Contains(compatible.Presets(), provider), "%s is of no preset", name)
		input, known := p.Input.Get()
		assert.True(t, known && input > 0, "the input of %s", name)
		output, known := p.Output.Get()
		assert.True(t, known && output > 0, "the output of %s", name)
		if cached, known := p.CacheRead.Get(); known {
			assert.Less(t, cached, input, "a cache read of %s is dearer than the input", name)
		}
		_, err := time.Parse(time.DateOnly, p.AsOf)
		assert.NoError(t, err, name)
	}
}
