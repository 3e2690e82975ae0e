package transport_test

import (
	"net/http"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
)

// still is a decoder that costs nothing, so that what is left is the transport,
// the guard and the hand-over.
type still struct{ started bool }

func (d *still) Frame(_ transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	if !d.started {
		d.started = true
		emit(events.NewStarted(events.Start{}))
	}
	emit(events.NewTextDelta(0, "hello"))
	return transport.Open, nil
}

func (d *still) End(transport.End) events.Event {
	return events.NewCompleted(events.Completion{Stop: events.StopEnd})
}

func BenchmarkStream(b *testing.B) {
	const frames = 1000
	words := make([]string, frames)
	for i := range words {
		words[i] = `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"std-1","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}`
	}
	client := transport.NewClient(&http.Client{Transport: &canned.Transport{Body: body(words...)}})
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for range transport.Stream(b.Context(), client, func() (transport.Call, transport.Decoder, error) {
			return call("http://toy.test"), &still{}, nil
		}) {
			n++
		}
		if n != frames+2 {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/frames, "ns/frame")
}
