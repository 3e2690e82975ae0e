package events_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
)

func TestCount(t *testing.T) {
	t.Parallel()
	var unknown events.Count
	_, known := unknown.Get()
	assert.False(t, known)
	assert.False(t, unknown.IsKnown())
	assert.Equal(t, "unknown", unknown.String())
	assert.EqualValues(t, 7, unknown.Or(7))
	zero := events.Known(0)
	assert.NotEqual(t, unknown, zero)
	assert.True(t, zero.IsKnown())
	assert.Equal(t, "0", zero.String())
	assert.Zero(t, zero.Or(7))
}

func TestCountPlus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why        string
		a, b, want events.Count
	}{
		{"a sum", events.Known(1), events.Known(2), events.Known(3)},
		{"unknown is contagious", events.Known(1), events.Count{}, events.Count{}},
		{"up to the bound", events.Known(events.MaxCount - 1), events.Known(1), events.Known(events.MaxCount)},
		{"saturates", events.Known(events.MaxCount), events.Known(1), events.Known(events.MaxCount)},
		{"does not wrap around", events.Known(math.MaxInt64), events.Known(math.MaxInt64), events.Known(events.MaxCount)},
		{"a negative count, unusable as it is, is no large one", events.Known(5), events.Known(-3), events.Known(2)},
		{"does not wrap around below", events.Known(math.MinInt64), events.Known(math.MinInt64), events.Known(-events.MaxCount)},
	} {
		assert.Equal(t, tt.want, tt.a.Plus(tt.b), tt.why)
		assert.Equal(t, tt.want, tt.b.Plus(tt.a), "%s, the other way", tt.why)
	}
}

// counts returns a usage's counts by name.
func counts(u *events.Usage) map[string]*events.Count {
	return map[string]*events.Count{
		"input": &u.Input, "cache_read": &u.CacheRead, "cache_write": &u.CacheWrite, "cache_write_long": &u.CacheWriteLong,
		"output": &u.Output, "thinking": &u.Thinking, "input_audio": &u.InputAudio, "input_image": &u.InputImage,
		"output_audio": &u.OutputAudio, "output_image": &u.OutputImage,
	}
}

func TestUsageReportedAndSane(t *testing.T) {
	t.Parallel()
	assert.False(t, events.Usage{}.Reported())
	assert.False(t, events.Usage{Final: true, Inconsistent: true}.Reported(), "final of nothing")
	assert.True(t, events.Usage{Raw: "{}"}.Reported())
	assert.True(t, events.Usage{}.Sane())
	var names events.Usage
	for name := range counts(&names) {
		var u events.Usage
		for n, sane := range map[int64]bool{0: true, events.MaxCount: true, events.MaxCount + 1: false, -1: false} {
			*counts(&u)[name] = events.Known(n)
			assert.True(t, u.Reported(), name)
			assert.Equal(t, sane, u.Sane(), "%s %d", name, n)
		}
	}
}

func TestUsageMerge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genUsage().Draw(t, "a"), genUsage().Draw(t, "b")
		merged := a.Merge(b)
		if !b.Reported() {
			assert.Equal(t, a, merged, "a report of nothing changes nothing")
			return
		}
		was, later, got := counts(&a), counts(&b), counts(&merged)
		for name := range got {
			want := *was[name]
			if later[name].IsKnown() {
				want = *later[name]
			}
			assert.Equal(t, want, *got[name], name)
		}
		assert.Equal(t, b.Final, merged.Final)
		assert.Equal(t, b.Inconsistent, merged.Inconsistent)
		if b.Raw == "" {
			assert.Equal(t, a.Raw, merged.Raw)
		} else {
			assert.Equal(t, b.Raw, merged.Raw)
		}
	})
	known := events.Usage{Input: events.Known(1), Final: true}
	assert.Equal(t, known, known.Merge(events.Usage{}))
	assert.Equal(t, known, events.Usage{}.Merge(known))
}

func TestMicrosString(t *testing.T) {
	t.Parallel()
	for m, want := range map[events.Micros]string{
		0: "$0.000000", 1: "$0.000001", 123: "$0.000123", 1_000_000: "$1.000000", 12_345_678: "$12.345678",
		-1: "-$0.000001", -1_500_000: "-$1.500000",
		math.MaxInt64: "$9223372036854.775807", math.MinInt64: "-$9223372036854.775808",
	} {
		assert.Equal(t, want, m.String())
	}
}

func TestStopCuts(t *testing.T) {
	t.Parallel()
	for stop, want := range map[events.Stop]bool{
		events.StopEnd: false, events.StopToolUse: false, events.StopSequence: false, events.StopUnknown: false, events.StopOther: false,
		events.StopLength: true, events.StopContentFilter: true, events.StopRefusal: true, events.StopPause: true, "": false,
	} {
		assert.Equal(t, want, stop.Cuts(), "%q", stop)
	}
}

func TestZeroValues(t *testing.T) {
	t.Parallel()
	assert.True(t, events.ProviderData{}.IsZero())
	assert.False(t, events.ProviderData{Origin: "x"}.IsZero())
	assert.True(t, events.RateLimits{}.IsZero())
	assert.False(t, events.RateLimits{OutputTokens: events.RateWindow{Remaining: events.Known(0)}}.IsZero())
}
