package openai_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/price"
)

func TestPrices(t *testing.T) {
	t.Parallel()
	unpriced := &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced}
	const million = 1_000_000
	n := events.Known
	for _, tt := range []struct {
		name, answered string
		cached         events.Count
		want           events.Micros // of two million tokens in, one of them cached if any are, and one out
	}{
		{"openai:gpt-5.1", "gpt-5.1-2025-11-13", n(million), 1_250_000 + 125_000 + 10_000_000},
		{"openai:gpt-5-mini", "gpt-5-mini-2025-08-07", n(million), 250_000 + 25_000 + 2_000_000},
		{"openai:gpt-5-nano-2025-08-07", "", n(million), 50_000 + 5_000 + 400_000},
		{"openai:gpt-4", "gpt-4-0613", events.Count{}, 60_000_000 + 60_000_000},
		{"openai:gpt-3.5-turbo", "gpt-3.5-turbo-0125", n(0), 1_000_000 + 1_500_000},
	} {
		listed, err := price.ForReply(openai.Prices(), tt.name, tt.answered)
		require.NoError(t, err, tt.name)
		p, err := listed.In("default")
		require.NoError(t, err, tt.name)
		got, err := p.Cost(events.Usage{Input: n(2 * million), CacheRead: tt.cached, Output: n(million)})
		require.NoError(t, err, tt.name)
		assert.Equal(t, tt.want, got, tt.name)
		_, err = listed.In("priority")
		require.ErrorIs(t, err, unpriced, "nobody priced it")
	}
	for _, name := range []string{"openai:gpt-5", "openai:gpt-5-pro", "openai:gpt-4o", "openai:ft:gpt-4:acme::1", "azure:gpt-4"} {
		_, err := price.For(openai.Prices(), name)
		assert.ErrorIs(t, err, unpriced, name)
	}
}
