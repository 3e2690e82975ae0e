package anthropic_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/price"
)

// cost prices a reply as a caller does.
func cost(t *testing.T, model, day, service string, u events.Usage) (events.Micros, error) {
	t.Helper()
	p, err := price.ForReply(anthropic.Prices(), "anthropic:"+model, model)
	if err != nil {
		return 0, err
	}
	at, err := time.Parse(time.DateOnly, day)
	require.NoError(t, err)
	if p, err = p.On(at); err != nil {
		return 0, err
	}
	if p, err = p.In(service); err != nil {
		return 0, err
	}
	return p.Cost(u)
}

func TestPrices(t *testing.T) {
	t.Parallel()
	usage := func(read, write, long, rest, output int64) events.Usage {
		n := events.Known
		return events.Usage{Input: n(read + write + long + rest), CacheRead: n(read), CacheWrite: n(write), CacheWriteLong: n(long), Output: n(output)}
	}
	const million = 1_000_000
	for _, tt := range []struct {
		why, model, day string
		usage           events.Usage
		want            events.Micros
	}{
		{"Fable 5.1", "claude-fable-5-1", "2026-11-30", usage(0, 0, 0, million, 0), 10_000_000},
		{"its cache reads", "claude-fable-5-1", "2026-11-30", usage(million, 0, 0, 0, 0), 250_000},
		{"Mythos 5 reads at a tenth", "claude-mythos-5", "2026-11-30", usage(million, 0, 0, 0, 0), 1_000_000},
		{"Opus 5.5, all kinds", "claude-opus-5-5", "2026-11-30", usage(million, million, million, million, million), 200_000 + 5_000_000 + 8_000_000 + 4_000_000 + 20_000_000},
		{"Opus 5 writes for five minutes", "claude-opus-5", "2026-11-30", usage(0, million, 0, 0, 0), 6_250_000},
		{"and for an hour", "claude-opus-5", "2026-11-30", usage(0, 0, million, 0, 0), 10_000_000},
		{"Opus 4.5 by its dated id", "claude-opus-4-5-20251101", "2026-11-30", usage(0, 0, 0, 0, million), 25_000_000},
		{"Sonnet 5", "claude-sonnet-5", "2026-11-30", usage(million, 0, 0, 0, million), 10_200_000},
		{"Sonnet 4.6", "claude-sonnet-4-6", "2026-11-30", usage(million, 0, 0, million, 0), 3_300_000},
		{"Haiku 4.5 by its dated id", "claude-haiku-4-5-20251001", "2026-11-30", usage(million, 0, 0, 0, million), 5_100_000},
		{"Sonnet 5.5 before its cut", "claude-sonnet-5-5", "2026-10-06", usage(million, 0, 0, 0, 0), 200_000},
		{"and since", "claude-sonnet-5-5", "2026-10-07", usage(million, 0, 0, 0, 0), 100_000},
		{"Haiku 5.5 up to 100,000", "claude-haiku-5-5", "2026-11-30", usage(50_000, 0, 0, 50_000, million), 500 + 5_000 + 500_000},
		{"and beyond, all of it", "claude-haiku-5-5", "2026-11-30", usage(50_000, 0, 0, 50_001, million), 2_500 + 25_001 + 2_500_000},
	} {
		for _, service := range []string{"", "standard"} {
			got, err := cost(t, tt.model, tt.day, service, tt.usage)
			require.NoError(t, err, tt.why)
			assert.Equal(t, tt.want, got, tt.why)
		}
	}
	for _, model := range []string{"claude-opus-4-1", "claude-sonnet-4-5", "claude-opus-6", "claude-opus", "claude-opus-5-5-mini"} {
		_, err := cost(t, model, "2026-11-30", "", events.Usage{})
		assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced}, model)
	}
	_, err := cost(t, "claude-opus-5", "2026-11-30", "priority", events.Usage{})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced}, "a committed tier has no price per token")
}
