package stream_test

import (
	"strconv"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// deltas returns a run of n text deltas between a Started and a Completed.
func deltas(n int) func(emit func(events.Event) bool) {
	started, delta := events.NewStarted(events.Start{}), events.NewTextDelta(0, "token ")
	completed := events.NewCompleted(events.Completion{Stop: events.StopEnd})
	return func(emit func(events.Event) bool) {
		if !emit(started) {
			return
		}
		for range n {
			if !emit(delta) {
				return
			}
		}
		emit(completed)
	}
}

func perEvent(b *testing.B, n int) {
	b.Helper()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/event")
}

func BenchmarkHandover(b *testing.B) {
	const n = 10_000
	run := deltas(n)
	for _, form := range []struct {
		name string
		make func() stream.Stream
	}{
		{"raw", func() stream.Stream { return run }},
		{"one function more", func() stream.Stream {
			return func(yield func(events.Event) bool) {
				run(func(ev events.Event) bool { return yield(ev) })
			}
		}},
		{"new", func() stream.Stream { return stream.New(run) }},
		{"new+tap", func() stream.Stream { return stream.Tap(stream.New(run), func(events.Event) {}) }},
	} {
		b.Run(form.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				size := 0
				for ev := range form.make() {
					size += len(ev.Text)
				}
				if size == 0 {
					b.Fatal("nothing came")
				}
			}
			perEvent(b, n)
		})
	}
}

func BenchmarkCollect(b *testing.B) {
	for _, n := range []int{1_000, 16_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			run := deltas(n)
			b.ReportAllocs()
			for b.Loop() {
				r, err := stream.Collect(run)
				if err != nil || len(r.Text()) != 6*n {
					b.Fatal("folded wrong")
				}
			}
			perEvent(b, n)
		})
	}
}

func BenchmarkCoalesce(b *testing.B) {
	const n = 10_000
	run := deltas(n)
	b.ReportAllocs()
	for b.Loop() {
		for range stream.Coalesce(run, 256) {
		}
	}
	perEvent(b, n)
}
