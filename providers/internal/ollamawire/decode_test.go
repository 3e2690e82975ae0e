package ollamawire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

const doneLine = `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":4}`

func TestDecodeNotices(t *testing.T) {
	t.Parallel()
	p := request.Prepared{Notices: []events.NoticeInfo{{Code: events.NoticeEffortClamped, Detail: "a"}, {Code: events.NoticeParameterDropped}}}
	var kinds []events.Kind
	for ev := range streamOf(t, p, strings.NewReader(doneLine)) {
		kinds = append(kinds, ev.Kind)
	}
	assert.Equal(t, []events.Kind{events.Started, events.Notice, events.Notice, events.Completed}, kinds, "right after Started")
}

func TestDecodeNamesTheDeclaredTool(t *testing.T) {
	t.Parallel()
	p := prepare(t, request.Request{Messages: []request.Message{request.UserText("hi")}, Tools: []request.Tool{tool(t, "g.h")}})
	wire := p.Names.Wire("g.h")
	require.NotEqual(t, "g.h", wire)
	line := `{"message":{"tool_calls":[{"function":{"name":"` + wire + `"}},{"function":{"name":"else"}}]},"done":true}`
	var names []string
	for ev := range streamOf(t, p, strings.NewReader(line)) {
		if c, ok := ev.Call(); ok && ev.Kind == events.ToolCallCompleted {
			names = append(names, c.Name)
		}
	}
	assert.Equal(t, []string{"g.h", "else"}, names)
}

func TestDecodeMintsOnFromTheRequest(t *testing.T) {
	t.Parallel()
	line := `{"message":{"tool_calls":[{"function":{"name":"f"}},{"function":{"name":"f"}}]},"done":true}`
	var ids []string
	for ev := range streamOf(t, request.Prepared{FirstMinted: 41}, strings.NewReader(line)) {
		if c, ok := ev.Call(); ok && ev.Kind == events.ToolCallCompleted {
			ids = append(ids, c.ID)
		}
	}
	assert.Equal(t, []string{"call_w41", "call_w42"}, ids)
}

func TestDecodeLongText(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("é", 3*transport.MaxDelta/4)
	line, err := json.Marshal(map[string]any{"message": map[string]string{"content": text, "thinking": text}})
	require.NoError(t, err)
	var got, thought strings.Builder
	for _, ev := range playBytes(t, append(append(line, '\n'), doneLine...)) {
		assert.LessOrEqual(t, len(ev.Text), transport.MaxDelta)
		switch ev.Kind {
		case events.TextDelta:
			got.WriteString(ev.Text)
		case events.ThinkingDelta:
			thought.WriteString(ev.Text)
		}
	}
	assert.True(t, got.String() == text && thought.String() == text)
}

// TestDecodeBoundsWhatIsKeptOfThinking keeps the turn's data inside its bound, and its
// beginning, as it is spelled, escapes and all.
func TestDecodeBoundsWhatIsKeptOfThinking(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{`"`, "é"} {
		piece := strings.Repeat(unit, 1<<20/len(unit))
		line, err := json.Marshal(map[string]any{"message": map[string]string{"thinking": piece}})
		require.NoError(t, err)
		small, err := json.Marshal(map[string]any{"message": map[string]string{"thinking": "end"}})
		require.NoError(t, err)
		wire := bytes.Repeat(append(line, '\n'), 6)
		wire = append(append(append(wire, small...), '\n'), doneLine...)
		c, ok := terminal(t, playBytes(t, wire)).Completion()
		require.True(t, ok, unit)
		assert.LessOrEqual(t, len(c.Data.Value), 4<<20, unit)
		var kept struct{ Thinking string }
		require.NoError(t, json.Unmarshal([]byte(c.Data.Value), &kept))
		assert.Greater(t, len(kept.Thinking), 1<<18, unit)
		assert.True(t, strings.HasPrefix(strings.Repeat(piece, 6), kept.Thinking), unit)
	}
}

// TestDecodeKeepsLongThinking: what is kept leaves room for the ids, names and metadata of
// the reply, which are bounded together with it.
func TestDecodeKeepsLongThinking(t *testing.T) {
	t.Parallel()
	calls := `{"model":"m","message":{"tool_calls":[` + strings.Repeat(`{"id":"twice","function":{"name":"f"}},`, 99) + `{"function":{"name":"f"}}]}}` + "\n"
	for _, size := range []int{3<<20 - 20, 3<<20 - 100, 4<<20 - 20, 4<<20 - 100} {
		piece := `{"model":"a-model-of-the-cloud","message":{"thinking":"` + strings.Repeat("t", size) + `"}}` + "\n"
		c, ok := terminal(t, playBytes(t, []byte(piece+calls+doneLine))).Completion()
		require.True(t, ok, size)
		assert.Greater(t, len(c.Data.Value), 1<<20, size)
	}
}

// Calls are bounded in number, in one line and over many.
func TestDecodeBoundsCalls(t *testing.T) {
	t.Parallel()
	const call = `{"function":{"name":"f"}}`
	line := func(n int) string {
		return `{"message":{"tool_calls":[` + strings.Repeat(call+",", n-1) + call + `]}}`
	}
	many := make([]string, 1025)
	for i := range many {
		many[i] = line(1)
	}
	for _, lines := range [][]string{{line(1025)}, many} {
		got := decoded(lines)
		f, ok := terminal(t, got).Failure()
		require.True(t, ok)
		assert.Equal(t, events.InvalidReply, f.Kind)
		assert.Equal(t, events.ReasonTooLarge, f.Reason)
		assert.Len(t, got, 1+2*1024+1)
	}
}

// What is kept is JSON, whatever escapes and control characters it came with.
func TestDecodeKeepsJSON(t *testing.T) {
	t.Parallel()
	lines := []string{
		"{\"message\":{\"thinking\":\"a\tb\\u0007\\q\"}}",
		`{"message":{"tool_calls":[{"id":"a\u0007\u007f","function":{"name":"f"}},{"id":"a\u0007\u007f","function":{"name":"f"}}]}}`,
		doneLine,
	}
	got := decoded(lines)
	c, ok := terminal(t, got).Completion()
	require.True(t, ok)
	assert.JSONEq(t, `{"thinking":"a\tb\u0007\\q"}`, c.Data.Value)
	replays := 0
	for _, ev := range got {
		if call, ok := ev.Call(); ok && call.Replay.Value != "" {
			replays++
			assert.JSONEq(t, `{"id":"a\u0007\u007f"}`, call.Replay.Value)
		}
	}
	assert.Positive(t, replays)
}

// TestDecodeStopsWhenTheConsumerLeaves leaves after each event of a reply that
// has one of every kind.
func TestDecodeStopsWhenTheConsumerLeaves(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"status":"x"}`,
		`{"message":{"content":"` + strings.Repeat("x", 2*transport.MaxDelta) + `","thinking":"t"}}`,
		`{"message":{"tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"a","function":{"name":"f","arguments":[]}}]}}`,
		`{"message":{"content":"y"},"done":true,"done_reason":"stop","prompt_eval_count":1,"prompt_eval_cached_count":2}`,
	}
	decode := func(leave int) (emitted int) {
		d := ollamawire.NewDecoder(request.Prepared{}, ollamawire.Profile{})
		left := false
		for _, l := range lines {
			_, err := d.Frame(transport.Frame{Data: []byte(l)}, func(events.Event) bool {
				assert.False(t, left, "an event after the consumer left at %d", leave)
				emitted++
				left = emitted == leave
				return !left
			})
			require.NoError(t, err)
			if left {
				return emitted
			}
		}
		return emitted
	}
	all := decode(-1)
	require.Equal(t, 12, all)
	for leave := 1; leave <= all; leave++ {
		assert.Equal(t, leave, decode(leave))
	}
}

func TestDecodeStates(t *testing.T) {
	t.Parallel()
	d := ollamawire.NewDecoder(request.Prepared{}, ollamawire.Profile{})
	emit := func(events.Event) bool { return true }
	state, err := d.Frame(transport.Frame{Data: []byte(`{"message":{"content":"a"},"done":false}`)}, emit)
	require.NoError(t, err)
	assert.Equal(t, transport.Open, state)
	state, err = d.Frame(transport.Frame{Data: []byte(doneLine)}, emit)
	require.NoError(t, err)
	assert.Equal(t, transport.Ended, state)
	state, err = d.Frame(transport.Frame{Data: []byte(`{"error":"late"}`)}, func(events.Event) bool {
		t.Error("an event after the end")
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, transport.Ended, state)
	lost := events.NewFailure(events.InvalidReply, events.ReasonLostConnection, "reset")
	assert.Equal(t, events.Completed, d.End(transport.End{Kind: transport.EndBroken, Failure: lost}).Kind, "what breaks after the evidence does not matter")
}

func TestEndKeepsTheTransportsFailure(t *testing.T) {
	t.Parallel()
	for _, f := range []*events.Failure{
		events.NewFailure(events.Cancelled, events.ReasonUser, "stop"),
		events.NewFailure(events.TimedOut, events.ReasonIdle, "idle"),
	} {
		d := ollamawire.NewDecoder(request.Prepared{}, ollamawire.Profile{})
		got, ok := d.End(transport.End{Kind: transport.EndBroken, Failure: f}).Failure()
		require.True(t, ok)
		assert.Equal(t, f.Kind, got.Kind)
		assert.Equal(t, f.Reason, got.Reason)
		assert.False(t, got.Usage.Reported())
	}
}

// TestEndByItself ends a decoder that the transport tells no failure.
func TestEndByItself(t *testing.T) {
	t.Parallel()
	d := ollamawire.NewDecoder(request.Prepared{}, ollamawire.Profile{})
	f, ok := d.End(transport.End{Kind: transport.EndEOF}).Failure()
	require.True(t, ok)
	assert.Equal(t, events.InvalidReply, f.Kind)
	assert.Equal(t, events.ReasonTruncated, f.Reason)
}

// unlike puts a space before the end of every second line, so that none is read by
// comparing it to the one before.
func unlike(wire []byte) []byte {
	var out []byte
	objects := 0
	for line := range bytes.Lines(wire) {
		if end := bytes.LastIndexByte(line, '}'); end >= 0 && len(bytes.TrimSpace(line[end:])) == 1 {
			objects++
			out = append(append(out, line[:end]...), " "[objects%2:]...)
			line = line[end:]
		}
		out = append(out, line...)
	}
	return out
}

func FuzzDecode(f *testing.F) {
	for _, c := range canned.Folders(f, "testdata/decode") {
		if len(c.Body) < 2000 {
			f.Add(c.Body, byte(7))
		}
	}
	f.Fuzz(func(t *testing.T, wire []byte, size byte) {
		family().AnyBody(t, wire, 1+int(size))
		whole := playBytes(t, wire)
		require.Equal(t, jsonl(whole), jsonl(playBytes(t, unlike(wire))), "with and without the parser")
		require.Equal(t, events.Started, whole[0].Kind)
		end := terminal(t, whole)
		if end.Kind == events.Completed {
			require.Contains(t, string(wire), "true", "no success without done true")
		}
	})
}

// A reply has as many blocks as the grammar has indexes.
func TestMoreImagesThanBlocks(t *testing.T) {
	t.Parallel()
	image := `"iVBORw0KGgoAAAANSUhEUg=="`
	wire := func(n int) []byte {
		return []byte(`{"message":{"role":"assistant","content":"","images":[` + strings.TrimSuffix(strings.Repeat(image+",", n), ",") +
			`]},"done":false}` + "\n" + `{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}` + "\n")
	}
	assert.Equal(t, events.Completed, terminal(t, playBytes(t, wire(1024))).Kind)
	f, ok := terminal(t, playBytes(t, wire(1025))).Failure()
	require.True(t, ok)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)
}
