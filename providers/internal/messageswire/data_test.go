package messageswire_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
)

func transportFrame(data []byte) transport.Frame { return transport.Frame{Data: data} }

// dirty draws what may stand between the quotes of a JSON string as careless
// servers write it: escapes, bare control characters, escapes that are none.
func dirty() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{"a", "é", `\u0007`, "\u0007", `\n`, "\t", "\x7f", `\"`, `\\`, `\q`, `\u12`, "\u2028"})
	return rapid.Custom(func(t *rapid.T) string {
		text := ""
		for range rapid.IntRange(0, 2).Draw(t, "parts") {
			text += part.Draw(t, "part")
		}
		return text
	})
}

// What is kept is JSON, whatever the frames hold that a lenient parser takes.
func TestKeptTextsAreJSON(t *testing.T) {
	t.Parallel()
	text := dirty()
	number := rapid.SampledFrom([]string{"1", "01", "-", "1e", "1.", "+1", "nan"})
	completed := false
	rapid.Check(t, func(rt *rapid.T) {
		s := func() string { return text.Draw(rt, "text") }
		extra := func() string {
			return `,"x` + s() + `":{"y` + s() + `":["` + s() + `",` + rapid.OneOf(rapid.Just("1"), number).Draw(rt, "n") + `]}`
		}
		start := `{"type":"message_start","message":{"id":"m` + s() + `","usage":{"input_tokens":1,"service_tier":"` + s() + `"` + extra() + `}}}`
		blocks := []string{
			`"type":"odd` + s() + `","data":"` + s() + `"` + extra(),
			`"type":"` + s() + `_tool_use","id":"` + s() + `","name":"f` + s() + `","input":{"a":"` + s() + `"}` + extra(),
			`"type":"` + s() + `_tool_result","tool_use_id":"` + s() + `","content":[{"url":"u` + s() + `","title":"` + s() + `"}]` + extra(),
			`"type":"tool_use","id":"c","name":"f","input":{},"caller":{"type":"k` + s() + `"` + extra() + `}`,
			`"type":"tool_use","id":"` + s() + `","name":"f","input":{"a":"` + s() + `"}`,
			`"type":"thinking","thinking":"` + s() + `","signature":"` + s() + `"`,
			`"type":"text","text":"` + s() + `","citations":[{"url":"u` + s() + `"` + extra() + `}]`,
			`"type":"text","text":"hi"`,
		}
		frames := []string{start}
		for i := range rapid.IntRange(1, 3).Draw(rt, "blocks") {
			key := strconv.Itoa(i)
			frames = append(frames,
				`{"type":"content_block_start","index":`+key+`,"content_block":{`+rapid.SampledFrom(blocks).Draw(rt, "block")+`}}`,
				`{"type":"content_block_stop","index":`+key+`}`)
		}
		stop := rapid.SampledFrom([]string{"end_turn", "tool_use"}).Draw(rt, "stop")
		frames = append(frames, `{"type":"message_delta","delta":{"stop_reason":"`+stop+`"},"usage":{"output_tokens":1`+extra()+`}}`)
		evs := drive(body(frames...), 1<<20)
		completed = completed || evs[len(evs)-1].Kind == events.Completed
		for _, kept := range canned.KeptTexts(evs) {
			require.True(rt, json.Valid([]byte(kept)), "%q", kept)
		}
	})
	// Of the few that are drawn in short runs perhaps none.
	assert.True(t, completed || testing.Short(), "some replies complete")
}

// An escape in what is read comes back as an escape of JSON.
func TestEscapesGoBack(t *testing.T) {
	t.Parallel()
	start := `{"type":"message_start","message":{"id":"m","usage":{"input_tokens":1,"service_tier":"a\u0007"}}}`
	for block, want := range map[string]string{
		`{"type":"odd\u0007","data":"x"}`:                                    `{"type":"odd\u0007","data":"x"}`,
		`{"type":"\u0007_tool_use","id":"i\u0007","name":"f","input":{}}`:    `{"type":"\u0007_tool_use","id":"i\u0007","name":"f","input":{}}`,
		`{"type":"\u0007_tool_result","tool_use_id":"i\u0007","k\u0007":[]}`: `{"type":"\u0007_tool_result","tool_use_id":"i\u0007","k\u0007":[]}`,
	} {
		evs := playBody(t, body(start, `{"type":"content_block_start","index":0,"content_block":`+block+`}`, blockStop, stopDelta))
		done, ok := terminal(t, evs).Completion()
		require.True(t, ok, block)
		assert.Equal(t, `{"content":[`+want+`]}`, done.Data.Value)
		u, _ := evs[1].Usage()
		assert.Equal(t, `{"input_tokens":1,"service_tier":"a\u0007"}`, u.Raw)
	}
}

// A block that could not be sent back is refused when it comes; a usage object is
// only left out.
func TestKeptTextThatIsNoJSON(t *testing.T) {
	t.Parallel()
	for _, block := range []string{
		"{\"type\":\"odd\",\"data\":\"a\tb\"}", `{"type":"odd","data":01}`, `{"type":"odd","data":"\q"}`,
		`{"type":"x_tool_use","name":"f","input":{},"y":01}`, "{\"type\":\"x_tool_result\",\"data\":\"a\tb\"}",
		`{"type":"tool_use","name":"f","caller":{"type":"x","y":01}}`, `{"type":"text","text":"a","citations":[{"url":"\q"}]}`,
	} {
		f, failed := terminal(t, playBody(t, body(messageStart, `{"type":"content_block_start","index":0,"content_block":`+block+`}`, stopDelta))).Failure()
		require.True(t, failed, block)
		assert.Equal(t, events.ReasonMalformed, f.Reason, block)
	}
	u, ok := terminal(t, playBody(t, body(messageStart, textStart, textDelta,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5,"x":01}}`))).Usage()
	require.True(t, ok)
	assert.Empty(t, u.Raw)
	assert.Equal(t, int64(5), u.Output.Or(-1))
}
