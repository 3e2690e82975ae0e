package caller_test

import (
	"fmt"
	"testing"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
)

// What a call costs beyond the stream: the same stream with and without a caller.
func BenchmarkCall(b *testing.B) {
	model := &silent{}
	req := ask("hi")
	ctx := b.Context()
	b.Run("model", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for range model.Stream(ctx, req) {
			}
		}
	})
	c := caller.New(model, caller.Config{Prices: prices()})
	b.Run("stream", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for range c.Stream(ctx, req).Events() {
			}
		}
	})
	for _, goroutines := range []int{1, 8, 64} {
		run, err := caller.OpenRun(ctx, memory.New(memory.Options{}), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxCost: 1 << 60, MaxTotalTokens: 1 << 60}})
		if err != nil {
			b.Fatal(err)
		}
		ctx := caller.WithRun(ctx, run)
		b.Run(fmt.Sprintf("generate-%d", goroutines), func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(max(1, goroutines/2))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := c.Generate(ctx, req); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// What a delta costs on its way through the caller: a thousand of them an operation.
func BenchmarkDelta(b *testing.B) {
	const deltas = 1000
	c := caller.New(&silent{deltas: deltas, delta: events.NewTextDelta(0, "a token")}, caller.Config{})
	b.ReportAllocs()
	for b.Loop() {
		for range c.Stream(b.Context(), ask("hi")).Events() {
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*deltas), "ns/delta")
}
