package chatwire_test

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// deltas is how many deltas a benchmarked stream has.
const deltas = 1000

// longStream is a stream of one kind of delta, in the shape of recorded chunks.
func longStream(delta func(i int) string) []byte {
	var b []byte
	chunk := func(delta, finish string) {
		b = fmt.Appendf(b, `data: {"id":"chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012","object":"chat.completion.chunk","created":1796048307,`+
			`"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fingerprint":"fp_0123456789",`+
			`"choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}],"usage":null}`+"\n\n", delta, finish)
	}
	for i := range deltas {
		chunk(delta(i), "null")
	}
	chunk("{}", `"stop"`)
	return append(b, "data: [DONE]\n\n"...)
}

func longText() []byte {
	return longStream(func(i int) string { return `{"content":" word` + strconv.Itoa(i%10) + `"}` })
}

func longTools() []byte {
	return longStream(func(i int) string {
		switch i {
		case 0:
			return `{"tool_calls":[{"index":0,"id":"call_abc","type":"function","function":{"name":"write","arguments":"{\"s\":\""}}]}`
		case deltas - 1:
			return `{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]}`
		default:
			return `{"tool_calls":[{"index":0,"function":{"arguments":" word` + strconv.Itoa(i%10) + `"}}]}`
		}
	})
}

// longPadded is text whose frames all differ elsewhere too, as OpenAI pads them.
func longPadded() []byte {
	n := 0
	return eachFrame(longText(), func(frame string) string {
		n++
		return strings.Replace(frame, `"usage":null`, `"usage":null,"obfuscation":"`+strings.Repeat("x", n%7+1)+strconv.Itoa(n)+`"`, 1)
	})
}

// eachFrame rewrites the frames of a body.
func eachFrame(wire []byte, change func(string) string) []byte {
	frames := strings.SplitAfter(string(wire), "\n\n")
	for i, frame := range frames {
		frames[i] = change(frame)
	}
	return []byte(strings.Join(frames, ""))
}

func loads() map[string][]byte {
	return map[string][]byte{"text": longText(), "tools": longTools(), "padded": longPadded()}
}

// decode runs the decoder over a stream and counts its events.
func decode(wire []byte) int {
	n := 0
	d := chatwire.NewDecoder(request.Prepared{FirstMinted: 1}, chatwire.Profile{ReplayParts: true})
	d.End(feed(&body{wire, whole, io.EOF}, d, func(events.Event) bool { n++; return true }))
	return n
}

// parseOnly is the bound: framing and a reused fastjson parser, no more.
func parseOnly(wire []byte) {
	var p fastjson.Parser
	frames := transport.NewFrameReader(&body{wire, whole, io.EOF}, transport.SSE, 0)
	for {
		frame, err := frames.Next()
		if err != nil {
			return
		}
		_, _ = p.ParseBytes(frame.Data)
	}
}

// BenchmarkDecode reports the best run of the decoder against the best run of the
// bound in the same process: other load moves both, and the minimum least.
func BenchmarkDecode(b *testing.B) {
	for name, wire := range loads() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			ours, bound := time.Hour, time.Hour
			for b.Loop() {
				bound = min(bound, timed(func() { parseOnly(wire) }))
				ours = min(ours, timed(func() { decode(wire) }))
			}
			b.ReportMetric(float64(ours)/float64(bound), "x-of-bound")
			b.ReportMetric(float64(ours.Nanoseconds())/deltas, "ns/delta")
			b.ReportMetric(float64(bound.Nanoseconds())/deltas, "bound-ns/delta")
		})
	}
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// TestDecodeAllocations holds the decoder to a tenth of an allocation a delta,
// all that one stream costs included.
func TestDecodeAllocations(t *testing.T) {
	for name, wire := range loads() {
		require.Greater(t, decode(wire), deltas)
		per := testing.AllocsPerRun(20, func() { decode(wire) }) / deltas
		require.LessOrEqual(t, per, 0.1, name)
	}
}
