package gemini_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/providers/price"
)

// cost prices a reply as a caller does.
func cost(t *testing.T, model, day, service string, u events.Usage) (events.Micros, error) {
	t.Helper()
	p, err := price.ForReply(gemini.Prices(), "gemini:"+model, model)
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
	const million = 1_000_000
	usage := func(read, rest, output int64) events.Usage {
		n := events.Known
		return events.Usage{Input: n(read + rest), CacheRead: n(read), Output: n(output), InputAudio: n(0)}
	}
	speech := func(audio, rest int64) events.Usage {
		u := usage(0, audio+rest, 0)
		u.InputAudio = events.Known(audio)
		return u
	}
	for _, tt := range []struct {
		why, model, day string
		usage           events.Usage
		want            events.Micros
	}{
		{"Argon at its price of the first weeks", "gemini-4-argon", "2026-11-30", usage(million, million, million), 100_000 + 2_000_000 + 10_000_000},
		{"and since", "gemini-4-argon", "2026-12-01", usage(million, million, million), 200_000 + 4_000_000 + 20_000_000},
		{"Carbon at the same, before", "gemini-4-carbon", "2026-11-30", usage(million, million, million), 100_000 + 2_000_000 + 10_000_000},
		{"and since", "gemini-4-carbon", "2026-12-01", usage(million, million, million), 200_000 + 4_000_000 + 20_000_000},
		{"Neon", "gemini-4-neon", "2026-12-01", usage(million, million, million), 150_000 + 3_000_000 + 15_000_000},
		{"Hydrogen", "gemini-4-hydrogen", "2026-12-01", usage(million, million, million), 75_000 + 1_500_000 + 7_500_000},
		{"3.1 Flash-Lite", "gemini-3.1-flash-lite", "2026-12-01", usage(0, million, million), 250_000 + 1_500_000},
		{"3.8 Flash this year", "gemini-3.8-flash", "2026-12-31", usage(million, million, million), 75_000 + 750_000 + 3_750_000},
		{"and the next", "gemini-3.8-flash", "2027-01-01", usage(0, million, million), 1_500_000 + 7_500_000},
		{"audio costs the same there", "gemini-3.8-flash", "2026-12-01", speech(million, 0), 750_000},
		{"3.5 Flash", "gemini-3.5-flash", "2026-12-01", usage(million, 0, million), 150_000 + 9_000_000},
		{"3.5 Flash-Lite", "gemini-3.5-flash-lite", "2026-12-01", usage(0, million, million), 300_000 + 2_500_000},
		{"3.1 Pro up to 200,000", "gemini-3.1-pro-preview", "2026-12-01", usage(0, 200_000, million), 400_000 + 12_000_000},
		{"and beyond, all of it", "gemini-3.1-pro-preview", "2026-12-01", usage(100_000, 100_001, million), 40_000 + 400_004 + 18_000_000},
		{"2.5 Pro", "gemini-2.5-pro", "2026-12-01", usage(0, 100_000, million), 125_000 + 10_000_000},
		{"2.5 Flash", "gemini-2.5-flash", "2026-12-01", usage(million, million, million), 30_000 + 300_000 + 2_500_000},
		{"and its audio", "gemini-2.5-flash", "2026-12-01", speech(million, million), 1_300_000},
		{"2.5 Flash-Lite's audio", "gemini-2.5-flash-lite", "2026-12-01", speech(million, 0), 300_000},
		{"3 Flash", "gemini-3-flash-preview", "2026-12-01", usage(0, million, million), 500_000 + 3_000_000},
	} {
		for _, service := range []string{"", "standard"} {
			got, err := cost(t, tt.model, tt.day, service, tt.usage)
			require.NoError(t, err, tt.why)
			assert.Equal(t, tt.want, got, tt.why)
		}
	}
	for _, tt := range []struct {
		why, model, service string
		want                events.Micros
	}{
		{"flex is half", "gemini-2.5-flash", "flex", (30_000 + 300_000 + 2_500_000) / 2},
		{"of the newest too", "gemini-4-hydrogen", "flex", (75_000 + 1_500_000 + 7_500_000) / 2},
		{"and priority more", "gemini-4-neon", "priority", (150_000 + 3_000_000 + 15_000_000) / 5 * 9},
	} {
		got, err := cost(t, tt.model, "2026-12-01", tt.service, usage(million, million, million))
		require.NoError(t, err, tt.why)
		assert.Equal(t, tt.want, got, tt.why)
	}
	for _, model := range []string{"gemini-3.7-flash", "gemini-4", "gemini-2.5-flash-image", "gemini-next"} {
		_, err := cost(t, model, "2026-12-01", "", events.Usage{})
		assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced}, model)
	}
	for why, u := range map[string]struct {
		service string
		usage   events.Usage
	}{
		"another tier":                       {"priority", usage(0, 1, 1)},
		"audio that nobody counted":          {"", events.Usage{Input: events.Known(1), CacheRead: events.Known(0), Output: events.Known(1)}},
		"cached tokens that nobody reported": {"", events.Usage{Input: events.Known(1), InputAudio: events.Known(0), Output: events.Known(1)}},
	} {
		_, err := cost(t, "gemini-2.5-flash", "2026-12-01", u.service, u.usage)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced}, why)
	}
}
