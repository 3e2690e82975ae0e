package ollamawire_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// runs draws lines that come several times, as those of a stream do, with other
// pieces and times.
func runs() *rapid.Generator[[]string] {
	line := rapid.SampledFrom([]string{
		`{"created_at":"c","message":{"role":"assistant","content":"b"},"done":false}`,
		`{"created_at":"c","message":{"role":"assistant","content":"b"},"done":false}`,
		`{"created_at":"c","message":{"thinking":"b"},"done":false}`,
		`{"created_at":"c","message":{"content":"","thinking":"b"},"done":false}`,
		`{"created_at":"c","message":{"content":"a","thinking":"b"}}`,
		`{"created_at":"c","message":{"content":"b","thinking":"a"}}`,
		`{"created_at":"c","message":{"content":"b","tool_calls":[]}}`,
		`{"created_at":"c","message":{"content":"b","tool_calls":[{"id":"a","function":{"name":"f"}}]}}`,
		`{"created_at":"c","content":"b","message":{"content":""}}`,
		`{"created_at":"c","content":"b","message":{}}`,
		`{"created_at":"c","content":"b"}`,
		`{"created_at":"c","message":{"content":"b"},"message":{"thinking":"a"}}`,
		`{"created_at":"c","message":{"c\u006fntent":"a","content":"b"}}`,
		`{"created_at":"c","message":{"created_at":"a","content":"b"}}`,
		`{"created_at":"c","message":{"content":["b"]}}`,
		`{"created_at":"c","message":{"content":"b","thinking":7}}`,
		`{"created_at":"c","message":"b"}`,
		`{"created_at":"c","message":{"content":"b"},"error":""}`,
		`{"created_at":"c","message":{"content":"b"},"eval_count":3}`,
		`{"created_at":"c","message":{"content":"b"},"done":{"created_at":"a"}}`,
	})
	piece := rapid.SampledFrom([]string{"b", "d", "b", "d", " ", "", "\\n", "é", "\t"})
	at := rapid.SampledFrom([]string{`"c"`, `"d"`, `""`, `1`, `null`})
	return rapid.Custom(func(t *rapid.T) []string {
		first := line.Draw(t, "line")
		var run []string
		for range rapid.IntRange(1, 4).Draw(t, "times") {
			again := strings.Replace(first, `"b"`, `"`+piece.Draw(t, "piece")+`"`, 1)
			run = append(run, strings.Replace(again, `"c"`, at.Draw(t, "at"), 1))
		}
		return run
	})
}

// A line that is only compared means what it means to the parser: with a member
// that is another one in every line none is compared, and the events are equal.
func TestMemoIsTheParser(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var lines, parsed []string
		script := rapid.SliceOfN(runs(), 1, 10).Draw(rt, "script")
		script = append(script, []string{rapid.SampledFrom([]string{
			`{"message":{"content":"a"},"done":true,"done_reason":"stop","eval_count":4}`,
			`{"message":{"content":"a"},"error":"b"}`,
			`{"x":1}`,
		}).Draw(rt, "end")})
		for _, run := range script {
			for _, line := range run {
				lines = append(lines, line)
				parsed = append(parsed, `{"nonce":`+strconv.Itoa(len(parsed))+`,`+line[1:])
			}
		}
		require.Equal(rt, jsonl(decoded(parsed)), jsonl(decoded(lines)))
	})
}

// decoded returns the events of lines and of the end, without the transport.
func decoded(lines []string) []events.Event {
	d := ollamawire.NewDecoder(request.Prepared{FirstMinted: 1}, ollamawire.Profile{Origin: "ollama"})
	var got []events.Event
	end := transport.End{Kind: transport.EndEOF}
	for _, line := range lines {
		_, err := d.Frame(transport.Frame{Data: []byte(line)}, func(ev events.Event) bool {
			got = append(got, ev)
			return true
		})
		if f, failed := events.AsFailure(err); failed {
			end = transport.End{Kind: transport.EndError, Failure: f}
			break
		}
	}
	return append(got, d.End(end))
}
