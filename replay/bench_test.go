package replay_test

import (
	"context"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay"
)

// long is a reply of a thousand deltas.
func long() []events.Event {
	evs := []events.Event{started()}
	for range 1000 {
		evs = append(evs, events.NewTextDelta(0, "token "))
	}
	return append(evs, completed(events.StopEnd))
}

// BenchmarkRecorder is what recording a reply of a thousand deltas costs, the disk
// included.
func BenchmarkRecorder(b *testing.B) {
	r := &replay.Recorder{Inner: plays(long()...), Dir: b.TempDir()}
	b.ReportAllocs()
	for b.Loop() {
		for range r.Stream(context.Background(), ask("hi")) {
		}
	}
	if r.Err() != nil {
		b.Fatal(r.Err())
	}
}

// BenchmarkReplayer is what replaying it costs.
func BenchmarkReplayer(b *testing.B) {
	dir := record(b, plays(long()...), ask("hi"))
	b.ReportAllocs()
	for b.Loop() {
		for range replayer(dir).Stream(context.Background(), ask("hi")) {
		}
	}
}
