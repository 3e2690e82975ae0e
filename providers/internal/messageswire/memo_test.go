package messageswire_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// runs draws frames that come several times, as those of a stream do, with other
// pieces, under an event name or none.
func runs() *rapid.Generator[[]string] {
	odd := rapid.SampledFrom([]string{
		// The piece is missing where it belongs, or another member has its name.
		`{"type":"content_block_delta","index":0,"text":"b","delta":{"type":"text_delta"}}`,
		`{"type":"content_block_delta","index":0,"text":"b","delta":{"type":"text_delta","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b","thinking":"c"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","text":"b","thinking":"c"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","text":"b","citation":{"url":"u"}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"},"usage":{"output_tokens":3}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"te\u0078t_delta","text":"b"}}`,
		// The name of the event says another thing than the type.
		`{"type":"ping","index":0,"delta":{"type":"text_delta","text":"b"}}`,
		`{"type":"news","index":0,"delta":{"type":"text_delta","text":"b"}}`,
		`{"index":0,"delta":{"type":"text_delta","text":"b"}}`,
	})
	likely := rapid.Just(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}}`)
	piece := rapid.SampledFrom([]string{"b", "d", " ", "", "\\n", "é", "\t"})
	name := rapid.SampledFrom([]string{"", "", "event: content_block_delta\n", "event: news\n"})
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
		all := []string{"data: " + messageStart + "\n\n", "data: " + textStart + "\n\n"}
		for _, run := range script {
			all = append(all, run...)
		}
		parsed := make([]string, len(all))
		for i, frame := range all {
			parsed[i] = strings.Replace(frame, "data: {", `data: {"nonce":`+strconv.Itoa(i)+`,`, 1)
		}
		with, without := drive(strings.Join(all, ""), 1<<20), drive(strings.Join(parsed, ""), 1<<20)
		require.Equal(rt, string(lines(without)), string(lines(with)))
	})
}
