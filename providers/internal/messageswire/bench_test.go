package messageswire_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/transport"
)

const benchDeltas = 1000

// longReply is a reply of many deltas of the recorded shape.
func longReply() []byte {
	frames := []string{messageStart, textStart}
	for i := range benchDeltas {
		frames = append(frames, fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" token %d"}          }`, i))
	}
	text := body(append(frames, stopDelta, messageStop)...)
	return []byte(strings.ReplaceAll(text,
		`data: {"type":"content_block_delta"`, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\""))
}

func eachFrame(tb testing.TB, reply []byte, do func(transport.Frame) error) {
	reader := transport.NewFrameReader(bytes.NewReader(reply), transport.SSE, 0)
	for {
		f, err := reader.Next()
		if err == io.EOF {
			return
		}
		if err == nil {
			err = do(f)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func decodeAll(tb testing.TB, reply []byte) (n int) {
	d := messageswire.NewDecoder(minting(), anthropic())
	emit := func(e events.Event) bool {
		n += len(e.Text)
		return true
	}
	eachFrame(tb, reply, func(f transport.Frame) error {
		_, err := d.Frame(f, emit)
		return err
	})
	return n
}

// parseAll is the least that anybody pays: framing, one reused parser, and a look
// at the members that say what a frame is and what is in it.
func parseAll(tb testing.TB, reply []byte) (n int) {
	var p fastjson.Parser
	eachFrame(tb, reply, func(f transport.Frame) error {
		v, err := p.ParseBytes(f.Data)
		if err == nil && string(v.GetStringBytes("type")) == "content_block_delta" && v.GetInt("index") == 0 {
			if delta := v.Get("delta"); string(delta.GetStringBytes("type")) == "text_delta" {
				n += len(delta.GetStringBytes("text"))
			}
		}
		return err
	})
	return n
}

// BenchmarkDecode decodes a reply of 1,000 deltas. x/parse is its least time as a
// multiple of the least time of parseAll, both taken in turns so that a busy
// machine hits both; allocs/delta its allocations a delta, set-up included.
func BenchmarkDecode(b *testing.B) {
	reply := longReply()
	require.Equal(b, parseAll(b, reply), decodeAll(b, reply))
	decode, parse := time.Hour, time.Hour
	b.ReportAllocs()
	for b.Loop() {
		parse = min(parse, timed(func() { parseAll(b, reply) }))
		decode = min(decode, timed(func() { decodeAll(b, reply) }))
	}
	b.ReportMetric(float64(decode)/float64(parse), "x/parse")
	b.ReportMetric(testing.AllocsPerRun(10, func() { decodeAll(b, reply) })/benchDeltas, "allocs/delta")
	b.ReportMetric(float64(decode.Nanoseconds())/benchDeltas, "ns/delta")
}

func timed(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}

// The twin of the benchmark: a delta costs no allocation of its own.
func TestAllocations(t *testing.T) {
	reply := longReply()
	perDelta := testing.AllocsPerRun(10, func() { decodeAll(t, reply) }) / benchDeltas
	require.Less(t, perDelta, 0.1)
}
