package conversewire_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/providers/transport"
)

// BenchmarkDecode reads a reply of a thousand pieces, padded as Bedrock pads them,
// frames included.
func BenchmarkDecode(b *testing.B) {
	var text strings.Builder
	text.WriteString("event: messageStart\ndata: {\"role\":\"assistant\"}\n\n")
	for n := range 1000 {
		text.WriteString("event: contentBlockDelta\ndata: {\"contentBlockIndex\":0,\"delta\":{\"text\":\" token\"},\"p\":\"" + strings.Repeat("a", n%60) + "\"}\n\n")
	}
	text.WriteString("event: messageStop\ndata: {\"stopReason\":\"end_turn\"}\n\nevent: metadata\ndata: {}\n\n")
	body := framed(text.String())
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		d := conversewire.NewDecoder(minting(), bedrock())
		frames := transport.NewFrameReader(bytes.NewReader(body), transport.EventStream, 0)
		deltas := 0
		count := func(ev events.Event) bool { // one closure for all messages
			if ev.Kind == events.TextDelta {
				deltas++
			}
			return true
		}
		for f, err := frames.Next(); err == nil; f, err = frames.Next() {
			if _, err := d.Frame(f, count); err != nil {
				b.Fatal(err)
			}
		}
		if deltas != 1000 || d.End(transport.End{}).Kind != events.Completed {
			b.Fatal("not the reply")
		}
	}
}
