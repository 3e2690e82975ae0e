package validator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// pieces are events that a validator can be fed without end.
func pieces() map[string]events.Event {
	return map[string]events.Event{
		"text":      events.NewTextDelta(0, " token"),
		"unicode":   events.NewTextDelta(0, " żółw"),
		"long":      events.NewTextDelta(0, " and some forty bytes of plain ASCII text"),
		"arguments": events.NewToolArgumentsDelta(1, `"key":`),
		"usage":     events.NewUsageUpdated(events.Usage{Output: events.Known(7)}),
	}
}

// endless are limits that no benchmark reaches.
func endless() validator.Limits {
	const many = 1 << 62
	return validator.Limits{
		Events: many, TextBytes: many, CallBytes: many, ArgumentsBytes: many, DataBytes: many,
	}
}

// opened returns a validator with a text block at 0 and a tool call at 1.
func opened(tb testing.TB) *validator.Validator {
	tb.Helper()
	v := &validator.Validator{Limits: endless()}
	for _, ev := range []events.Event{
		events.NewStarted(events.Start{}),
		events.NewTextDelta(0, "x"),
		events.NewToolCallStarted(1, "id", "tool", false),
		events.NewToolArgumentsDelta(1, "{"),
	} {
		require.NoError(tb, v.Observe(ev))
	}
	return v
}

func BenchmarkObserve(b *testing.B) {
	for name, ev := range pieces() {
		b.Run(name, func(b *testing.B) {
			v := opened(b)
			b.ReportAllocs()
			for b.Loop() {
				if err := v.Observe(ev); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// textOf is a stream of n pieces of text.
func textOf(n int) stream.Stream {
	return func(yield func(events.Event) bool) {
		if !yield(events.NewStarted(events.Start{})) {
			return
		}
		for range n {
			if !yield(events.NewTextDelta(0, " token")) {
				return
			}
		}
		yield(events.NewCompleted(events.Completion{Stop: events.StopEnd}))
	}
}

// BenchmarkGuard measures a stream of 1000 pieces with and without a guard: the
// difference, by a thousand, is what a guard costs an event.
func BenchmarkGuard(b *testing.B) {
	const n = 1000
	bare, guarded := textOf(n), validator.Guard(textOf(n))
	for name, s := range map[string]stream.Stream{"bare": bare, "guarded": guarded} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				count := 0
				for range s {
					count++
				}
				if count != n+2 {
					b.Fatal(count)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
		})
	}
}
