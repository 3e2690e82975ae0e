package ollamawire_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// benchFrames returns a reply of n deltas in the shape of a real one, with the
// member and the text of each.
func benchFrames(n int, member, text string) [][]byte {
	frames := make([][]byte, 0, n+2)
	for i := range n {
		frames = append(frames, fmt.Appendf(nil,
			`{"model":"qwen3:4b","created_at":"2026-11-30T14:18:23.%09dZ","message":{"role":"assistant",%s"%s%d"},"done":false}`,
			i*7919, member, text, i%10))
	}
	return append(frames, []byte(doneLine))
}

func decodeAll(tb testing.TB, frames [][]byte) (size int) {
	d := ollamawire.NewDecoder(request.Prepared{FirstMinted: 1}, ollamawire.Profile{})
	emit := func(ev events.Event) bool { size += len(ev.Text); return true }
	for _, f := range frames {
		if _, err := d.Frame(transport.Frame{Data: f}, emit); err != nil {
			tb.Fatal(err)
		}
	}
	return size
}

// parseAll is the bound: the same frames parsed by fastjson alone, and the text
// looked up.
func parseAll(tb testing.TB, frames [][]byte) (size int) {
	var p fastjson.Parser
	for _, f := range frames {
		v, err := p.ParseBytes(f)
		if err != nil {
			tb.Fatal(err)
		}
		size += len(v.GetStringBytes("message", "content"))
	}
	return size
}

func TestDecodeAllocates(t *testing.T) {
	// Not parallel: testing.AllocsPerRun counts the whole process.
	const n = 2000
	for _, shape := range benchShapes() {
		frames := benchFrames(n, shape.member, shape.text)
		require.Positive(t, decodeAll(t, frames))
		perDelta := testing.AllocsPerRun(5, func() { decodeAll(t, frames) }) / n
		assert.LessOrEqual(t, perDelta, 0.1, shape.name)
	}
}

func benchShapes() []struct{ name, member, text string } {
	return []struct{ name, member, text string }{
		{"plain", `"content":`, ` token`},
		{"escaped", `"content":`, `\n\u003ctoken`},
		{"thinking", `"content":"","thinking":`, ` token`},
	}
}

// BenchmarkDecode reports, beside the cost of the decoder, its ratio to the bound
// in the same process. The quickest round of each counts, which is what a shared
// machine disturbs least.
func BenchmarkDecode(b *testing.B) {
	const n = 1000
	for _, shape := range benchShapes() {
		b.Run(shape.name, func(b *testing.B) {
			frames := benchFrames(n, shape.member, shape.text)
			b.ReportAllocs()
			b.SetBytes(int64(len(bytes.Join(frames, nil))))
			decode, bound := time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				decodeAll(b, frames)
				middle := time.Now()
				parseAll(b, frames)
				decode, bound = min(decode, middle.Sub(start)), min(bound, time.Since(middle))
			}
			b.ReportMetric(float64(decode.Nanoseconds())/n, "ns/delta")
			b.ReportMetric(float64(decode)/float64(bound), "x-bound")
		})
	}
}
