package events_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
)

func TestDeltaIsWrittenWithoutAllocation(t *testing.T) {
	ev := events.NewTextDelta(0, "eight \"bytes\" or more\n")
	buffer := make([]byte, 0, 256)
	assert.Zero(t, testing.AllocsPerRun(100, func() { buffer = events.AppendJSON(buffer[:0], ev) }))
}

func BenchmarkAppendJSONDelta(b *testing.B) {
	ev := events.NewTextDelta(0, "about twenty bytes.")
	var buffer []byte
	b.ReportAllocs()
	for b.Loop() {
		buffer = events.AppendJSON(buffer[:0], ev)
	}
}

func BenchmarkAppendJSONCompleted(b *testing.B) {
	ev := events.NewCompleted(events.Completion{Stop: events.StopEnd, RawStop: "stop", Usage: events.Usage{Input: events.Known(12), Output: events.Known(7)}})
	var buffer []byte
	b.ReportAllocs()
	for b.Loop() {
		buffer = events.AppendJSON(buffer[:0], ev)
	}
}

func BenchmarkUnmarshalJSONDelta(b *testing.B) {
	line := events.AppendJSON(nil, events.NewTextDelta(0, "about twenty bytes."))
	b.ReportAllocs()
	for b.Loop() {
		var ev events.Event
		if err := ev.UnmarshalJSON(line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckArguments(b *testing.B) {
	for name, text := range map[string]string{
		"small": `{"city":"Paris","unit":"celsius","days":3}`,
		"4KiB":  `{"path":"a.go","content":"` + strings.Repeat(`line of text\n`, 300) + `"}`,
		"keys":  keyed(100, "last"),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if issue := events.CheckArguments(text); issue != nil {
					b.Fatal(issue)
				}
			}
		})
	}
}

func BenchmarkCleanDetail(b *testing.B) {
	text := strings.Repeat("The model is overloaded, try again later. ", 20)
	b.ReportAllocs()
	for b.Loop() {
		events.CleanDetail(text)
	}
}
