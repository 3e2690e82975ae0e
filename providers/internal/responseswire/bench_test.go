package responseswire_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/providers/transport"
)

const benchDeltas = 1000

// longReply is a reply of many deltas of the recorded shape.
func longReply() []byte {
	text := body(created)
	for i := range benchDeltas {
		text += "event: response.output_text.delta\n" + body(fmt.Sprintf(
			`{"type":"response.output_text.delta","sequence_number":%d,"item_id":"msg_0ca3f598125653cf01693c1f21bf8c81","output_index":0,"content_index":0,"delta":" token %d","logprobs":[],"obfuscation":"g%dXy"}`, i+4, i, i*7919))
	}
	return []byte(text + body(completed))
}

func decodeAll(tb testing.TB, profile responseswire.Profile, reply []byte) (n int) {
	d := responseswire.NewDecoder(minting(), profile)
	emit := func(e events.Event) bool {
		n += len(e.Text)
		return true
	}
	reader := transport.NewFrameReader(bytes.NewReader(reply), transport.SSE, 0)
	for {
		f, err := reader.Next()
		if err == io.EOF {
			return n
		}
		if err == nil {
			_, err = d.Frame(f, emit)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkDecode decodes a reply of 1,000 deltas.
func BenchmarkDecode(b *testing.B) {
	reply, profile := longReply(), openai()
	b.ReportAllocs()
	b.SetBytes(int64(len(reply)))
	for b.Loop() {
		decodeAll(b, profile, reply)
	}
}

// A delta costs no allocation of its own.
func TestAllocations(t *testing.T) {
	reply, profile := longReply(), openai()
	perDelta := testing.AllocsPerRun(10, func() { decodeAll(t, profile, reply) }) / benchDeltas
	require.Less(t, perDelta, 0.1)
}
