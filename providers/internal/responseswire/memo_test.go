package responseswire_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/stream"
)

// runs draws frames that come several times, as those of a stream do, with other
// pieces and padding, under an event name or none.
func runs() *rapid.Generator[[]string] {
	odd := rapid.SampledFrom([]string{
		// The piece is missing where it belongs, or another member has its name.
		`{"type":"response.output_text.delta","output_index":0,"x":{"delta":"b"}}`,
		`{"type":"response.output_text.delta","output_index":0,"x":{"delta":"b"},"delta":"a"}`,
		`{"type":"response.output_te\u0078t.delta","output_index":0,"delta":"b"}`,
		`{"type":"response.function_call_arguments.delta","output_index":2,"delta":"b"}`,
		`{"type":"response.reasoning_text.delta","output_index":3,"delta":"b","sequence_number":1}`,
		// The name of the event says another thing than the type.
		`{"type":"ping","output_index":0,"delta":"b"}`,
		`{"type":"response.news","output_index":0,"delta":"b"}`,
		`{"output_index":0,"delta":"b"}`,
		`{"type":"response.output_text.done","output_index":0,"text":"b"}`,
		`{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","call_id":"c","name":"f","arguments":"b"}}`,
	})
	likely := rapid.Just(`{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"b","logprobs":[],"sequence_number":1,"obfuscation":"x"}`)
	piece := rapid.SampledFrom([]string{"b", "d", " ", "", "\\n", "é", "\t"})
	name := rapid.SampledFrom([]string{"", "", "event: response.output_text.delta\n", "event: news\n"})
	return rapid.Custom(func(t *rapid.T) []string {
		frame := rapid.OneOf(frames(), odd, likely, likely).Draw(t, "frame")
		var run []string
		for n := range rapid.IntRange(1, 4).Draw(t, "times") {
			again := strings.Replace(frame, `"b"`, `"`+piece.Draw(t, "piece")+`"`, 1)
			again = strings.Replace(again, `"sequence_number":1`, `"sequence_number":`+strconv.Itoa(9+n), 1)
			again = strings.Replace(again, `"obfuscation":"x"`, `"obfuscation":"`+piece.Draw(t, "padding")+`"`, 1)
			run = append(run, name.Draw(t, "name")+"data: "+again+"\n\n")
		}
		return run
	})
}

// A frame without a type is what its event is called, and not what the one before was.
func TestMemoMindsTheName(t *testing.T) {
	t.Parallel()
	piece := `{"output_index":0,"content_index":0,"delta":"b"}`
	var reply stream.Reply
	for _, ev := range playBody(t, "event: response.output_text.delta\n"+body(piece)+"event: news\n"+body(piece)+body(completed)) {
		reply.Add(ev)
	}
	assert.Equal(t, "b", reply.Text())
	assert.Len(t, reply.Notices(), 1)
}

// A frame that is only compared means what it means to the parser: with a member
// that is another one in every frame none is compared, and the events are equal.
func TestMemoIsTheParser(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		script := rapid.SliceOfN(runs(), 1, 12).Draw(rt, "script")
		all := []string{body(created)}
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
