package otelweir_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/otelweir"
	"github.com/weirsdk/weir/events"
)

// deltas plays a reply of n pieces.
func deltas(n int) play {
	return func(_ context.Context, emit func(events.Event) bool) {
		emit(started())
		for range n {
			emit(events.NewTextDelta(0, "word "))
		}
		emit(done(10, int64(n)))
	}
}

// watched returns a caller under an observer with providers that export nowhere.
func watched(tb testing.TB, n int, sampler sdktrace.Sampler) *caller.Caller {
	tb.Helper()
	o, err := otelweir.New(otelweir.Options{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSampler(sampler)),
		MeterProvider:  metric.NewMeterProvider(metric.WithReader(metric.NewManualReader())),
	})
	if err != nil {
		tb.Fatal(err)
	}
	return caller.New(newScript(deltas(n)), caller.Config{Observer: o, Prices: prices()})
}

// BenchmarkCall times a call without an observer, with one whose spans are sampled
// out, and with one that records, of a short and of a long reply: what is added is the
// same for both.
func BenchmarkCall(b *testing.B) {
	for _, n := range []struct {
		name   string
		deltas int
	}{{"10", 10}, {"10000", 10_000}} {
		for name, c := range map[string]*caller.Caller{
			"bare":     caller.New(newScript(deltas(n.deltas)), caller.Config{Prices: prices()}),
			"dropped":  watched(b, n.deltas, sdktrace.NeverSample()),
			"recorded": watched(b, n.deltas, sdktrace.AlwaysSample()),
		} {
			b.Run(name+"/"+n.name, func(b *testing.B) {
				ctx, req := context.WithoutCancel(b.Context()), ask("hi")
				b.ReportAllocs()
				for b.Loop() {
					if _, err := c.Generate(ctx, req); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestNoWorkPerDelta: a longer reply costs an observer nothing more.
func TestNoWorkPerDelta(t *testing.T) {
	steps := func(n int) (made int) {
		count := caller.ObserverFunc(func(context.Context, caller.Step) { made++ })
		_, err := caller.New(newScript(deltas(n)), caller.Config{Observer: count}).Generate(t.Context(), ask("hi"))
		assert.NoError(t, err)
		return made
	}
	assert.Equal(t, steps(1), steps(1000))
	added := func(n int) float64 {
		bare := caller.New(newScript(deltas(n)), caller.Config{Prices: prices()})
		c := watched(t, n, sdktrace.AlwaysSample())
		run := func(c *caller.Caller) func() {
			return func() { _, _ = c.Generate(t.Context(), ask("hi")) }
		}
		return testing.AllocsPerRun(50, run(c)) - testing.AllocsPerRun(50, run(bare))
	}
	assert.InDelta(t, added(1), added(1000), 5)
}
