package responseswire_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/responseswire"
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
	odd := rapid.SampledFrom([]string{"1", "01", "-", "1e", "1.", "+1", "nan"})
	done := false
	rapid.Check(t, func(rt *rapid.T) {
		s := func() string { return text.Draw(rt, "text") }
		extra := func() string {
			return `,"x` + s() + `":{"y` + s() + `":["` + s() + `",` + rapid.OneOf(rapid.Just("1"), odd).Draw(rt, "n") + `]}`
		}
		all := []string{
			`"type":"message","id":"m` + s() + `","content":[{"type":"output_text","text":"a` + s() + `"` + extra() + `}],"phase":"` + s() + `"` + extra(),
			`"type":"reasoning","id":"` + s() + `","encrypted_content":"E` + s() + `"` + extra(),
			`"type":"function_call","id":"f","call_id":"` + s() + `","name":"f","arguments":"{}"` + extra(),
			`"type":"custom_tool_call","id":"f","call_id":"c","name":"f","input":"` + s() + `"`,
			`"type":"x` + s() + `_call","id":"` + s() + `","arguments":"` + s() + `"` + extra(),
			`"type":"odd` + s() + `","data":"` + s() + `"` + extra(),
		}
		frames := []string{created}
		for i := range rapid.IntRange(1, 3).Draw(rt, "items") {
			frames = append(frames, `{"type":"response.output_item.done","output_index":`+strconv.Itoa(i)+`,"item":{`+rapid.SampledFrom(all).Draw(rt, "item")+`}}`)
		}
		frames = append(frames, `{"type":"response.completed","response":{"status":"completed","usage":{"output_tokens":1`+extra()+`}}}`)
		evs := drive(body(frames...), 1<<20)
		done = done || evs[len(evs)-1].Kind == events.Completed
		for _, kept := range canned.KeptTexts(evs) {
			require.True(rt, json.Valid([]byte(kept)), "%q", kept)
		}
		goesBack(t, evs)
	})
	assert.True(t, done, "some replies complete")
}

// An escape in what is read comes back as it was written.
func TestEscapesGoBack(t *testing.T) {
	t.Parallel()
	for _, item := range []string{
		`{"type":"reasoning","id":"i\u0007","encrypted_content":"E\/\u0007\u2028","summary":[]}`,
		`{"type":"x_call","id":"i\u0007","status":"completed\u0007","name":"\u0007","arguments":"\u0007"}`,
		`{"type":"odd\u0007","data":"\/"}`,
	} {
		evs := playBody(t, body(created)+itemDone(0, item)+itemDone(1, `{"type":"x_call","id":"y"}`)+body(completed))
		done, ok := terminal(t, evs).Completion()
		require.True(t, ok, item)
		assert.Equal(t, `{"output":[`+item+`,{"type":"x_call","id":"y"}]}`, done.Data.Value)
	}
}

// What the slots add to what is kept counts too.
func TestSlotsAreBounded(t *testing.T) {
	t.Parallel()
	calls := ""
	for i := range 20 {
		calls += itemDone(i+1, `{"type":"function_call","call_id":"c`+strconv.Itoa(i)+`","name":"f","arguments":"{}"}`)
	}
	fits, refused := 0, 0
	for size := responseswire.MaxData - 4000; size < responseswire.MaxData; size += 100 {
		item := `{"id":"rs","type":"reasoning","encrypted_content":"` + strings.Repeat("E", size) + `","summary":[]}`
		last := terminal(t, drive(body(created)+itemDone(0, item)+calls+body(completed), 1<<20))
		if f, failed := last.Failure(); failed {
			require.Equal(t, events.ReasonTooLarge, f.Reason)
			refused++
			continue
		}
		done, _ := last.Completion()
		require.LessOrEqual(t, len(done.Data.Value), responseswire.MaxData)
		fits++
	}
	assert.Positive(t, fits)
	assert.Positive(t, refused)
}

// A decoder that has ended takes nothing more.
func TestNothingAfterTheEnd(t *testing.T) {
	t.Parallel()
	d := responseswire.NewDecoder(minting(), openai())
	n := 0
	for _, frame := range []string{created, completed, `{"type":"response.output_text.delta","delta":"x"}`, completed, "{"} {
		n = 0
		_, err := d.Frame(transportFrame([]byte(frame)), func(events.Event) bool { n++; return true })
		require.NoError(t, err, frame)
	}
	assert.Zero(t, n)
	assert.Equal(t, events.Completed, d.End(transport.End{Kind: transport.EndDone}).Kind)
}

// An item that could not be sent back is refused when it comes; a usage object is
// only left out.
func TestKeptTextThatIsNoJSON(t *testing.T) {
	t.Parallel()
	for _, item := range []string{
		"{\"type\":\"odd\",\"data\":\"a\tb\"}", `{"type":"odd","data":01}`, `{"type":"x_call","id":"\q"}`,
		"{\"type\":\"reasoning\",\"encrypted_content\":\"a\tb\"}", `{"slot":"x","type":"odd"}`,
	} {
		f, failed := terminal(t, playBody(t, body(created)+itemDone(0, item)+body(completed))).Failure()
		require.True(t, failed, item)
		assert.Equal(t, events.ReasonMalformed, f.Reason, item)
	}
	u, ok := terminal(t, playBody(t, body(created, `{"type":"response.completed","response":{"usage":{"output_tokens":5,"x":01}}}`))).Usage()
	require.True(t, ok)
	assert.Empty(t, u.Raw)
	assert.Equal(t, int64(5), u.Output.Or(-1))
}

// Data that is within the bound as it comes, and grows past it in its slots.
func TestKeptDataIsBoundedAsItIsSent(t *testing.T) {
	t.Parallel()
	item := `{"id":"rs","type":"reasoning","encrypted_content":"` + strings.Repeat("E", 1<<20-100) + `","summary":[]}`
	play := func(n int) events.Event {
		text := body(created)
		for i := range n {
			text += itemDone(i, item)
			text += itemDone(n+i, `{"type":"x_call","id":"`+strconv.Itoa(i)+`"}`)
		}
		return terminal(t, drive(text+body(completed), 1<<20))
	}
	assert.Equal(t, events.Completed, play(3).Kind)
	f, ok := play(5).Failure()
	require.True(t, ok)
	assert.Equal(t, events.InvalidReply, f.Kind)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)
}

// Whatever is kept, or waits for a start that never comes, is bounded.
func TestKeptIsBounded(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", responseswire.MaxData/5)
	done := func(item string) func(int) string {
		return func(i int) string {
			return fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":{%s}}`, i, item)
		}
	}
	for _, c := range []struct {
		why   string
		n     int
		frame func(i int) string
	}{
		{"reasoning", 6, done(`"type":"reasoning","encrypted_content":"` + big + `"`)},
		{"hosted tools", 6, done(`"type":"x_call","x":"` + big + `"`)},
		{"unknown items", 6, done(`"type":"x","x":"` + big + `"`)},
		{"members of calls", 6, done(`"type":"function_call","name":"f","caller":"` + big + `"`)},
		{"annotations", 6, done(`"type":"message","content":[{"type":"output_text","text":"a","x":"` + big + `"}]`)},
		{"items", 1026, done(`"type":"message","content":[]`)},
		{"parts", 1026, func(i int) string {
			return fmt.Sprintf(`{"type":"response.output_text.delta","output_index":0,"content_index":%d,"delta":""}`, i)
		}},
		{"arguments without a name", 3, func(int) string {
			return `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"` + big[:1<<19+1] + `"}`
		}},
		{"arguments without names", 11, func(i int) string {
			return fmt.Sprintf(`{"type":"response.function_call_arguments.delta","output_index":%d,"delta":"%s"}`, i, big)
		}},
		{"ids", 11, func(i int) string {
			return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":{"type":"function_call","call_id":"%s"}}`, i, big)
		}},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			requireTooLarge(t, c.n, func(i int) []byte { return []byte(c.frame(i)) })
		})
	}
}

// requireTooLarge feeds frames to a decoder that nothing else bounds, and wants the
// last of n refused for its size, or the one before.
func requireTooLarge(t *testing.T, n int, frame func(i int) []byte) {
	t.Helper()
	d := responseswire.NewDecoder(minting(), openai())
	for i := range n {
		_, err := d.Frame(transportFrame(frame(i)), func(events.Event) bool { return true })
		if f, failed := events.AsFailure(err); failed {
			assert.Equal(t, events.InvalidReply, f.Kind)
			assert.Equal(t, events.ReasonTooLarge, f.Reason)
			return
		}
	}
	t.Errorf("%d frames were taken", n)
}
