package messageswire_test

import (
	"bytes"
	"encoding/json"
	"errors"
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

func notJSON(text []byte) error {
	if !json.Valid(text) {
		return errors.New("not JSON")
	}
	return nil
}

const benchDeltas = 1000

// longReply is a reply of many deltas of the recorded shape, as frames.
func longReply(tb testing.TB) []transport.Frame {
	tb.Helper()
	frames := []string{messageStart, textStart}
	for i := range benchDeltas {
		frames = append(frames, fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" token %d"}          }`, i))
	}
	text := strings.ReplaceAll(body(append(frames, stopDelta, messageStop)...),
		`data: {"type":"content_block_delta"`, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\"")
	var out []transport.Frame
	reader := transport.NewFrameReader(bytes.NewReader([]byte(text)), transport.SSE, 0)
	for {
		f, err := reader.Next()
		if err == io.EOF {
			return out
		}
		require.NoError(tb, err)
		out = append(out, transport.Frame{Name: bytes.Clone(f.Name), Data: bytes.Clone(f.Data)})
	}
}

func decodeAll(tb testing.TB, frames []transport.Frame) (n int) {
	d := messageswire.NewDecoder(minting(), anthropic())
	emit := func(e events.Event) bool {
		n += len(e.Text)
		return true
	}
	for _, f := range frames {
		if _, err := d.Frame(f, emit); err != nil {
			tb.Fatal(err)
		}
	}
	return n
}

// parseAll is the least that anybody pays: one reused parser and a look at the
// text.
func parseAll(tb testing.TB, frames []transport.Frame) (n int) {
	var p fastjson.Parser
	for _, f := range frames {
		v, err := p.ParseBytes(f.Data)
		if err != nil {
			tb.Fatal(err)
		}
		n += len(v.GetStringBytes("delta", "text"))
	}
	return n
}

// BenchmarkDecode decodes a reply of 1,000 deltas. x/parse is its time as a
// multiple of parsing the same frames with a reused parser, allocs/delta its
// allocations a delta.
func BenchmarkDecode(b *testing.B) {
	frames := longReply(b)
	require.Equal(b, parseAll(b, frames), decodeAll(b, frames))
	var decode, parse time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		parseAll(b, frames)
		parse += time.Since(start)
		start = time.Now()
		decodeAll(b, frames)
		decode += time.Since(start)
	}
	b.ReportMetric(float64(decode)/float64(parse), "x/parse")
	b.ReportMetric(testing.AllocsPerRun(10, func() { decodeAll(b, frames) })/benchDeltas, "allocs/delta")
	b.ReportMetric(float64(decode.Nanoseconds())/float64(b.N)/benchDeltas, "ns/delta")
}

// The twin of the benchmark: a delta costs no allocation of its own.
func TestAllocations(t *testing.T) {
	frames := longReply(t)
	perDelta := testing.AllocsPerRun(10, func() { decodeAll(t, frames) }) / benchDeltas
	require.Less(t, perDelta, 0.1)
}
