package cohere_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/providers/price"
)

// The list prices bound what a reply cost, and never tell it: of what Cohere counts it
// bills a part.
func TestPricesAreBounds(t *testing.T) {
	t.Parallel()
	const million = 1_000_000
	n := events.Known
	for _, c := range []struct {
		why, model string
		usage      events.Usage
		want       events.Micros
	}{
		{"a prompt", "command-r-08-2024", events.Usage{Input: n(million), Output: n(0)}, 150_000},
		{"an output", "command-r-08-2024", events.Usage{Input: n(1), Output: n(million)}, 600_001},
		{"what was read of a cache costs at most the whole", "command-r-08-2024", events.Usage{Input: n(million), CacheRead: n(million), Output: n(0)}, 150_000},
		{"the example of Cohere's page on billing, of which 6,772 and 248 are billed", "command-r7b-12-2024", events.Usage{Input: n(7596), Output: n(645)}, 382},
	} {
		p, err := price.For(cohere.Prices(), "cohere:"+c.model)
		require.NoError(t, err, c.why)
		_, err = p.Cost(c.usage)
		var unknown *price.Unknown
		require.ErrorAs(t, err, &unknown, c.why)
		got, err := p.AtMost(c.usage)
		require.NoError(t, err, c.why)
		assert.Equal(t, c.want, got, c.why)
	}
	for _, model := range []string{"command-a-plus-05-2026", "command-a-03-2025", "command-a-reasoning-08-2025", "command-r-plus-08-2024", "command-r"} {
		_, err := price.For(cohere.Prices(), "cohere:"+model)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced}, model)
	}
	cohere.Prices()["cohere:command-r-08-2024"] = price.Price{}
	assert.Equal(t, "2026-11-11", cohere.Prices()["cohere:command-r-08-2024"].AsOf, "the table is nobody's to change")
}
