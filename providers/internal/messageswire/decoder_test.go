package messageswire_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

const (
	messageStart = `{"type":"message_start","message":{"id":"m1","model":"std-1","content":[],"usage":{"input_tokens":20,"output_tokens":1}}}`
	textStart    = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	textDelta    = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}`
	stopDelta    = `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}`
	messageStop  = `{"type":"message_stop"}`
)

// body returns an event stream of the data.
func body(data ...string) string {
	return "data: " + strings.Join(data, "\n\ndata: ") + "\n\n"
}

// feed gives the frames to a new decoder, collects what it emits, and fails the
// test at the first error.
func feed(t testing.TB, frames ...string) (transport.Decoder, transport.State, []events.Event) {
	t.Helper()
	d := messageswire.NewDecoder(minting(), anthropic())
	var got []events.Event
	state := transport.Open
	for _, f := range frames {
		var err error
		state, err = d.Frame(transport.Frame{Data: []byte(f)}, func(e events.Event) bool {
			got = append(got, e)
			return true
		})
		require.NoError(t, err, f)
	}
	return d, state, got
}

func TestStates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		frames []string
		want   transport.State
	}{
		{"nothing has ended", []string{messageStart, textStart, textDelta}, transport.Open},
		{"a null stop reason is no evidence", []string{messageStart, `{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":5}}`}, transport.Open},
		{"the stop reason is the evidence", []string{messageStart, textStart, textDelta, stopDelta}, transport.Ending},
		{"message_stop is the end", []string{messageStart, textStart, textDelta, stopDelta, messageStop}, transport.Ended},
		{"[DONE] after the evidence is the end", []string{messageStart, stopDelta, "[DONE]"}, transport.Ended},
		{"[DONE] is no evidence", []string{messageStart, "[DONE]"}, transport.Open},
		{"a stop reason in message_start waits for message_stop", []string{`{"type":"message_start","message":{"id":"m","stop_reason":"end_turn"}}`}, transport.Open},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			_, state, _ := feed(t, c.frames...)
			assert.Equal(t, c.want, state)
		})
	}
}

// How the body ended matters only while the evidence is missing.
func TestEnds(t *testing.T) {
	t.Parallel()
	lost := events.NewFailure(events.InvalidReply, events.ReasonLostConnection, "reset")
	cancelled := events.NewFailure(events.Cancelled, events.ReasonUser, "stopped")
	open := []string{messageStart, textStart, textDelta}
	ending := append(open[:3:3], stopDelta)
	for _, c := range []struct {
		why    string
		frames []string
		end    transport.End
		reason events.Reason // "" is Completed
	}{
		{"reset before the evidence", open, transport.End{Kind: transport.EndBroken, Failure: lost}, events.ReasonLostConnection},
		{"cancelled before the evidence", open, transport.End{Kind: transport.EndBroken, Failure: cancelled}, events.ReasonUser},
		{"a clean end before the evidence", open, transport.End{Kind: transport.EndEOF}, events.ReasonTruncated},
		{"a clean end after it", ending, transport.End{Kind: transport.EndEOF}, ""},
		{"reset after it", ending, transport.End{Kind: transport.EndBroken, Failure: lost}, ""},
		{"the end marker was cut", ending, transport.End{Kind: transport.EndInside, Failure: lost}, ""},
		{"done", append(ending[:4:4], messageStop), transport.End{Kind: transport.EndDone}, ""},
		{"an error that the decoder returned", ending, transport.End{Kind: transport.EndError, Failure: lost}, events.ReasonLostConnection},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			d, _, _ := feed(t, c.frames...)
			last := d.End(c.end)
			f, failed := last.Failure()
			usage, _ := last.Usage()
			assert.Equal(t, int64(20), usage.Input.Or(-1), "what was counted is never lost")
			if c.reason == "" {
				assert.Equal(t, events.Completed, last.Kind)
				return
			}
			require.True(t, failed, "%v", last)
			assert.Equal(t, c.reason, f.Reason)
		})
	}
}

// A reset that comes with or after the last bytes of a whole reply does not undo it.
func TestResetAfterTheReply(t *testing.T) {
	t.Parallel()
	answer := answered([]byte(body(messageStart, textStart, textDelta, stopDelta)))
	answer.End = errors.New("connection reset")
	assert.Equal(t, events.Completed, terminal(t, play(t, answer, minting())).Kind)
	answer = answered([]byte(body(messageStart, textStart, textDelta)))
	answer.End = io.ErrUnexpectedEOF
	f, ok := terminal(t, play(t, answer, minting())).Failure()
	require.True(t, ok)
	assert.Equal(t, events.ReasonLostConnection, f.Reason)
}

// Once the consumer has left nothing more is emitted, wherever it left.
func TestConsumerLeaves(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/decode/thinking-then-tool/wire.sse")
	require.NoError(t, err)
	all := len(play(t, answered(raw), minting()))
	for leaveAt := range all - 1 {
		d := messageswire.NewDecoder(minting(), anthropic())
		frames := transport.NewFrameReader(bytes.NewReader(raw), transport.SSE, 0)
		emitted := 0
		for {
			frame, err := frames.Next()
			if err != nil {
				break
			}
			_, err = d.Frame(frame, func(events.Event) bool {
				emitted++
				return emitted <= leaveAt
			})
			require.NoError(t, err)
		}
		require.Equal(t, leaveAt+1, emitted)
	}
}

// What is wrong with the rest of a frame is nothing to a consumer that has left.
func TestConsumerLeavesBeforeAnError(t *testing.T) {
	t.Parallel()
	frame := transport.Frame{Data: []byte(`{"type":"message_start","message":{"id":"m","content":[{"type":"text","text":"a"},{}]}}`)}
	_, err := messageswire.NewDecoder(minting(), anthropic()).Frame(frame, func(events.Event) bool { return false })
	require.NoError(t, err)
	_, err = messageswire.NewDecoder(minting(), anthropic()).Frame(frame, func(events.Event) bool { return true })
	require.Error(t, err)
}

// A ping is passed over by its name, without a look at its data.
func TestPingIsNotParsed(t *testing.T) {
	t.Parallel()
	d := messageswire.NewDecoder(minting(), anthropic())
	state, err := d.Frame(transport.Frame{Name: []byte("ping"), Data: []byte("{broken")}, func(events.Event) bool {
		t.Error("a ping is no event")
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, transport.Open, state)
}

// What the request was made of is told right after Started.
func TestNoticesFollowStarted(t *testing.T) {
	t.Parallel()
	p := minting()
	p.Notices = []events.NoticeInfo{{Code: events.NoticeEffortClamped, Detail: "a"}, {Code: events.NoticeParameterDropped, Detail: "b"}}
	evs := play(t, answered([]byte(body(messageStart, textStart, textDelta, stopDelta))), p)
	require.Greater(t, len(evs), 3)
	first, _ := evs[1].Notice()
	second, _ := evs[2].Notice()
	assert.Equal(t, events.Started, evs[0].Kind)
	assert.Equal(t, []events.NoticeInfo{first, second}, p.Notices)
}

// Ids are minted from where the history ends, and names come back as declared.
func TestMintedIDsAndNames(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("q"), request.Assistant(call("call_w4", "über tool", "{}")), request.Results(request.Result("call_w4", "ok")))
	r.Tools = []request.Tool{tool(t, "über tool", "")}
	p := prepared(t, r)
	start := `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"` + p.Names.Wire("über tool") + `","input":{}}}`
	evs := play(t, answered([]byte(body(messageStart, start, strings.ReplaceAll(stopDelta, "end_turn", "tool_use")))), p)
	var got events.ToolCall
	for _, ev := range evs {
		if ev.Kind == events.ToolCallCompleted {
			got, _ = ev.Call()
		}
	}
	assert.Equal(t, events.ToolCall{ID: "call_w5", Name: "über tool", Arguments: "{}", Minted: true}, got)
}

// A long piece is cut to deltas that the grammar allows.
func TestLongDelta(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("日", 50_000)
	evs := playBody(t, body(messageStart, textStart, strings.ReplaceAll(textDelta, "Hi", long), stopDelta))
	require.Equal(t, events.Completed, terminal(t, evs).Kind)
	var text strings.Builder
	for _, ev := range evs {
		if ev.Kind == events.TextDelta {
			text.WriteString(ev.Text)
		}
	}
	assert.Equal(t, long, text.String())
}

// What must go back with a turn is bounded while it comes.
func TestKeptDataIsBounded(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", messageswire.MaxData/2)
	redacted := `{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"` + big + `"}}`
	f, ok := terminal(t, playBody(t, body(messageStart, redacted, redacted))).Failure()
	require.True(t, ok)
	assert.Equal(t, events.InvalidReply, f.Kind)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)
}

// Notices of unknown things are few, whatever comes.
func TestFewNoticesOfTheUnknown(t *testing.T) {
	t.Parallel()
	frames := []string{messageStart, textStart, textDelta}
	for i := range 100 {
		frames = append(frames, `{"type":"news_`+string(rune('a'+i%26))+`"}`)
	}
	notices := 0
	for _, ev := range playBody(t, body(append(frames, stopDelta)...)) {
		if n, ok := ev.Notice(); ok && n.Code == events.NoticeUnknownFrame {
			notices++
		}
	}
	assert.Equal(t, 8, notices)
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	toolStart := `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`
	for _, c := range []struct{ why, frame string }{
		{"input on a text block", `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}`},
		{"thinking on a text block", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"x"}}`},
		{"a signature on a text block", `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}`},
		{"a block without a type", `{"type":"content_block_start","index":1,"content_block":{}}`},
		{"a block that is no object", `{"type":"content_block_start","index":1,"content_block":7}`},
		{"no block at all", `{"type":"content_block_start","index":1}`},
		{"a call without a name", `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t"}}`},
		{"a hosted tool without a name", `{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"t"}}`},
		{"a summary on a text block", `{"type":"content_block_delta","index":0,"delta":{"type":"compaction_delta","content":"x"}}`},
		{"a summary on a block that is kept as it is", `{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"R"}}` + "\n\ndata: " + `{"type":"content_block_delta","index":1,"delta":{"type":"compaction_delta","content":"x"}}`},
		{"a text that is no string is lost if passed over", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":5}}`},
		{"a first text that is no string", `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":["x"]}}`},
		{"a first thought that is no string", `{"type":"content_block_start","index":1,"content_block":{"type":"thinking","thinking":{}}}`},
		{"a first signature that is no string", `{"type":"content_block_start","index":1,"content_block":{"type":"thinking","signature":1}}`},
		{"an index that no number holds is not block 0", `{"type":"content_block_delta","index":99999999999999999999,"delta":{"type":"text_delta","text":"x"}}`},
		{"an index in quotes", `{"type":"content_block_delta","index":"1","delta":{"type":"text_delta","text":"x"}}`},
		{"a start on an index that is none", `{"type":"content_block_start","index":NaN,"content_block":{"type":"text","text":""}}`},
		{"a stop on an index that is none", `{"type":"content_block_stop","index":0.5}`},
		{"a delta after the block's stop", `{"type":"content_block_stop","index":0}` + "\n\ndata: " + textDelta},
		{"a delta on another index", `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"x"}}`},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			f, ok := terminal(t, playBody(t, body(messageStart, textStart, textDelta, c.frame, stopDelta, messageStop))).Failure()
			require.True(t, ok)
			assert.Equal(t, events.InvalidReply, f.Kind)
			assert.Equal(t, events.ReasonMalformed, f.Reason)
			assert.Equal(t, int64(20), f.Usage.Input.Or(-1))
		})
	}
	cite := `{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"url":"u"}}}`
	f, ok := terminal(t, playBody(t, body(messageStart, toolStart, cite))).Failure()
	require.True(t, ok)
	assert.Equal(t, events.ReasonMalformed, f.Reason)
}
