package price_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// Bug case 031, unpriced-model-under-budget: a model that is not listed costs
// neither nothing nor what another one costs.
func TestCaseUnpricedModel(t *testing.T) {
	t.Parallel()
	table := price.Table{"p:std-1": std()}
	for _, answered := range []string{"", "new-9", "new-9-20250101"} {
		p, err := price.ForReply(table, "p:new-9", answered)
		require.ErrorIs(t, err, unpriced(), answered)
		_, err = p.Cost(events.Usage{Input: events.Known(20), Output: events.Known(5)})
		require.ErrorIs(t, err, unpriced(), "the price that comes with the error prices nothing")
		_, err = p.AtMost(events.Usage{Input: events.Known(20), Output: events.Known(5)})
		require.ErrorIs(t, err, unpriced())
	}
}

// Bug case 137, dated-model-id-price: the response names a dated model, the list
// has the plain one.
func TestCaseDatedModel(t *testing.T) {
	t.Parallel()
	table := price.Table{"p:std-1": std(), "p:std-1-mini": {}}
	usage := events.Usage{Input: events.Known(20), CacheRead: events.Known(0), CacheWrite: events.Known(0), CacheWriteLong: events.Known(0), Output: events.Known(5)}
	p, err := price.ForReply(table, "p:std-1", "std-1-20250101")
	require.NoError(t, err)
	cost, err := p.Cost(usage)
	require.NoError(t, err)
	assert.Equal(t, events.Micros(135), cost, "135000 nanodollars")

	mini, err := price.ForReply(table, "p:std-1", "std-1-mini-20250101")
	require.NoError(t, err)
	_, err = mini.Cost(usage)
	require.ErrorIs(t, err, unpriced(), "the mini that answered is never priced as its parent")
}

// Bug case 138, long-context-tier: above 200,000 tokens, cached and written ones
// included, all of the request is dearer, cache writes too.
func TestCaseLongContext(t *testing.T) {
	t.Parallel()
	n := events.Known
	p := std()
	p.Long = []price.Tier{{Above: 200_000, Price: long()}}
	usage := events.Usage{
		Input: n(150_000 + 45_000 + 10_000), CacheRead: n(45_000), CacheWrite: n(10_000), CacheWriteLong: n(0), Output: n(1000),
	}
	cost, err := p.Cost(usage)
	require.NoError(t, err)
	assert.Equal(t, events.Micros(1_024_500), cost, "1024500000 nanodollars")

	usage.Input = n(200_000)
	cost, err = p.Cost(usage)
	require.NoError(t, err)
	assert.Equal(t, events.Micros(145_000*3+13_500+37_500+15_000), cost, "exactly the threshold is the base tier")
}
