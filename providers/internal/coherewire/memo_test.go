package coherewire_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/providers/transport"
)

const textStart = `{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}`

// runs draws frames that come several times, as those of a stream do, with other
// pieces, under an event name or none.
func runs() *rapid.Generator[[]string] {
	odd := rapid.SampledFrom([]string{
		// The piece is missing where it belongs, or another member has its name.
		`{"type":"content-delta","index":0,"text":"b","delta":{"message":{"content":{}}}}`,
		`{"type":"content-delta","index":0,"text":"b","delta":{"message":{"content":{"text":""}}}}`,
		`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"b","type":"c"}}}}`,
		`{"type":"content-delta","index":0,"delta":{"message":{"content":{"te\u0078t":"b"}}}}`,
		`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":"b"}}}}`,
		`{"type":"citation-start","index":0,"delta":{"message":{"citations":{"text":"b","sources":[{"id":"d"}]}}}}`,
		`{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"b"}}}`,
		`{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"b"}}}}}`,
		`{"type":"news","index":0,"delta":{"message":{"content":{"text":"b"}}}}`,
		`{"index":0,"delta":{"message":{"content":{"text":"b"}}}}`,
	})
	likely := rapid.Just(`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"b"}}}}`)
	piece := rapid.SampledFrom([]string{"b", "d", " ", "", "\\n", "é", "\t"})
	name := rapid.SampledFrom([]string{"", "", "event: content-delta\n", "event: news\n"})
	return rapid.Custom(func(t *rapid.T) []string {
		frame := rapid.OneOf(frames(), odd, likely).Draw(t, "frame")
		var run []string
		for range rapid.IntRange(1, 4).Draw(t, "times") {
			again := strings.Replace(frame, `"b"`, `"`+piece.Draw(t, "piece")+`"`, 1)
			run = append(run, name.Draw(t, "name")+"data: "+again+"\n\n")
		}
		return run
	})
}

// A frame that is only compared means what it means to the parser: with a member
// that is another one in every frame none is compared, and the events are equal.
func TestMemoIsTheParser(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		script := rapid.SliceOfN(runs(), 1, 12).Draw(rt, "script")
		all := []string{"data: " + textStart + "\n\n"}
		for _, run := range script {
			all = append(all, run...)
		}
		parsed := make([]string, len(all))
		for i, frame := range all {
			parsed[i] = strings.Replace(frame, "data: {", `data: {"nonce":`+strconv.Itoa(i)+`,`, 1)
		}
		with, without := drive(strings.Join(all, ""), 1<<20), drive(strings.Join(parsed, ""), 1<<20)
		require.Equal(rt, lines(without), lines(with))
	})
}

// A piece of text costs no allocation but, now and then, a chunk for many of them.
func TestPiecesAllocateNothing(t *testing.T) {
	d := coherewire.NewDecoder(minting(), profile())
	emit := func(events.Event) bool { return true }
	frame := func(data string) transport.Frame {
		return transport.Frame{Name: []byte("content-delta"), Data: []byte(data)}
	}
	_, err := d.Frame(transport.Frame{Data: []byte(textStart)}, emit)
	require.NoError(t, err)
	pieces := []transport.Frame{
		frame(`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"a"}}}}`),
		frame(`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":" piece"}}}}`),
	}
	allocs := testing.AllocsPerRun(1000, func() {
		for _, f := range pieces {
			_, _ = d.Frame(f, emit)
		}
	})
	assert.Less(t, allocs, 0.5)
}

// BenchmarkDecode is a stream of many pieces, each frame a repetition or none.
func BenchmarkDecode(b *testing.B) {
	for name, nonce := range map[string]bool{"repeated": false, "parsed": true} {
		b.Run(name, func(b *testing.B) {
			frames := make([]transport.Frame, 1000)
			for i := range frames {
				data := `{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":" piece ` + strconv.Itoa(i) + `"}}}}`
				if nonce {
					data = `{"nonce":` + strconv.Itoa(i) + `,` + data[1:]
				}
				frames[i] = transport.Frame{Data: []byte(data)}
			}
			b.ReportAllocs()
			for b.Loop() {
				d := coherewire.NewDecoder(minting(), profile())
				emit := func(events.Event) bool { return true }
				_, _ = d.Frame(transport.Frame{Data: []byte(textStart)}, emit)
				for _, f := range frames {
					_, _ = d.Frame(f, emit)
				}
			}
		})
	}
}
