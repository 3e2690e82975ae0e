package geminiwire_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// frame returns a frame with parts and other members of the candidate, and of the
// frame.
func frame(parts, candidate, members string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"}` + candidate + `}]` + members + `}`
}

const (
	stopped = `,"finishReason":"STOP"`
	counted = `,"usageMetadata":{"promptTokenCount":20,"candidatesTokenCount":5,"totalTokenCount":25}`
	hi      = `{"text":"Hi"}`
)

// body returns an event stream of the data.
func body(data ...string) string {
	return "data: " + strings.Join(data, "\n\ndata: ") + "\n\n"
}

// feed gives the frames to a new decoder, collects what it emits, and fails the
// test at the first error.
func feed(t testing.TB, frames ...string) (transport.Decoder, transport.State, []events.Event) {
	t.Helper()
	d := geminiwire.NewDecoder(minting(), gemini())
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
		{"nothing has ended", []string{frame(hi, "", counted)}, transport.Open},
		{"the finish reason is the evidence", []string{frame(hi, stopped, counted)}, transport.Ending},
		{"without counts too", []string{frame(hi, stopped, "")}, transport.Ending},
		{"STOP of an empty answer with its counts", []string{frame("", stopped, counted)}, transport.Ending},
		{"STOP before anything came is not sure", []string{frame("", stopped, "")}, transport.Open},
		{"and comes to be sure", []string{frame("", stopped, ""), frame("", stopped, counted)}, transport.Ending},
		{"another reason is sure", []string{frame("", `,"finishReason":"SAFETY"`, "")}, transport.Ending},
		{"a blocked prompt", []string{`{"promptFeedback":{"blockReason":"SAFETY"}}`}, transport.Ending},
		{"[DONE] after the evidence is the end", []string{frame(hi, stopped, ""), "[DONE]"}, transport.Ended},
		{"[DONE] is no evidence", []string{frame(hi, "", ""), "[DONE]"}, transport.Open},
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
	open := []string{frame(hi, "", counted)}
	ending := append(open[:1:1], frame("", stopped, ""))
	unsure := []string{frame("", stopped, "")}
	for _, c := range []struct {
		why    string
		frames []string
		end    transport.End
		reason events.Reason // "" is Completed
	}{
		{"reset before the evidence", open, transport.End{Kind: transport.EndBroken, Failure: lost}, events.ReasonLostConnection},
		{"cancelled before the evidence", open, transport.End{Kind: transport.EndBroken, Failure: cancelled}, events.ReasonUser},
		{"a clean end before the evidence", open, transport.End{Kind: transport.EndEOF}, events.ReasonTruncated},
		{"done", ending, transport.End{Kind: transport.EndDone}, ""},
		{"an error that the decoder returned", ending, transport.End{Kind: transport.EndError, Failure: lost}, events.ReasonLostConnection},
		{"content after the evidence", append(ending[:2:2], frame(hi, "", ""), frame("", stopped, "")), transport.End{Kind: transport.EndDone}, events.ReasonMalformed},
		{"content after an unsure STOP, and no other", append(unsure[:1:1], frame(hi, "", counted)), transport.End{Kind: transport.EndEOF}, events.ReasonTruncated},
		{"an unsure STOP at a clean end", unsure, transport.End{Kind: transport.EndEOF}, ""},
		{"an unsure STOP at a broken one", unsure, transport.End{Kind: transport.EndBroken, Failure: lost}, events.ReasonLostConnection},
		{"an unsure STOP inside a frame", unsure, transport.End{Kind: transport.EndInside}, events.ReasonTruncated},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			d, _, _ := feed(t, c.frames...)
			last := d.End(c.end)
			f, failed := last.Failure()
			if c.reason == "" {
				assert.Equal(t, events.Completed, last.Kind)
				return
			}
			require.True(t, failed, "%v", last)
			assert.Equal(t, c.reason, f.Reason)
			usage, _ := last.Usage()
			assert.Equal(t, len(c.frames) > 1 || c.frames[0] != unsure[0], usage.Input == events.Known(20), "what was counted is never lost")
		})
	}
}

// An answer that seems to end before it began is waited for under the clocks of a
// stream, not for the moment that accounting gets.
func TestEarlyStopIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		go func() {
			_, _ = io.WriteString(w, body(frame("", stopped, "")))
			time.Sleep(20 * time.Second) // the clock of the bubble
			_, _ = io.WriteString(w, body(frame(hi, stopped, counted)))
			_ = w.Close()
		}()
		client := answered(nil)
		evs := playReader(t, client, r)
		assert.Equal(t, events.Completed, terminal(t, evs).Kind)
		assert.Equal(t, events.TextDelta, evs[1].Kind)
	})
}

// A reset that comes with or after the last bytes of a whole reply does not undo it.
func TestResetAfterTheReply(t *testing.T) {
	t.Parallel()
	answer := answered([]byte(body(frame(hi, stopped, counted))))
	answer.End = errors.New("connection reset")
	assert.Equal(t, events.Completed, terminal(t, play(t, answer, minting())).Kind)
	answer = answered([]byte(body(frame(hi, "", counted))))
	answer.End = io.ErrUnexpectedEOF
	f, ok := terminal(t, play(t, answer, minting())).Failure()
	require.True(t, ok)
	assert.Equal(t, events.ReasonLostConnection, f.Reason)
}

// Once the consumer has left nothing more is emitted, wherever it left.
func TestConsumerLeaves(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"thinking-then-calls", "partial-arguments", "google-search", "code-execution"} {
		raw, err := os.ReadFile("testdata/decode/" + name + "/wire.sse")
		require.NoError(t, err)
		all := len(play(t, answered(raw), minting()))
		for leaveAt := range all - 1 {
			d := geminiwire.NewDecoder(minting(), gemini())
			frames := transport.NewFrameReader(bytes.NewReader(raw), transport.SSEOrJSON, 0)
			emitted := 0
			for {
				f, err := frames.Next()
				if err != nil {
					break
				}
				_, err = d.Frame(f, func(events.Event) bool {
					emitted++
					return emitted <= leaveAt
				})
				require.NoError(t, err)
			}
			require.Equal(t, leaveAt+1, emitted, name)
		}
	}
}

// What is wrong with the rest of a frame is nothing to a consumer that has left.
func TestConsumerLeavesBeforeAnError(t *testing.T) {
	t.Parallel()
	f := transport.Frame{Data: []byte(frame(hi+`,{"inlineData":{"data":"%"}}`, "", ""))}
	_, err := geminiwire.NewDecoder(minting(), gemini()).Frame(f, func(events.Event) bool { return false })
	require.NoError(t, err)
	_, err = geminiwire.NewDecoder(minting(), gemini()).Frame(f, func(events.Event) bool { return true })
	require.Error(t, err)
}

// Ids are minted from where the history ends, and names come back as declared.
func TestMintedIDsAndNames(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("q"), request.Assistant(call("call_w4", "über tool", "{}")), request.Results(request.Result("call_w4", "ok")))
	r.Tools = []request.Tool{tool(t, "über tool", "")}
	p := prepared(t, r)
	evs := play(t, answered([]byte(body(frame(`{"functionCall":{"name":"`+p.Names.Wire("über tool")+`"}}`, stopped, "")))), p)
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
	for kind, part := range map[events.Kind]string{
		events.TextDelta:          `{"text":"` + long + `"}`,
		events.ThinkingDelta:      `{"thought":true,"text":"` + long + `"}`,
		events.ToolArgumentsDelta: `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"` + long + `"}]}}`,
	} {
		evs := playBody(t, body(frame(part, stopped, "")))
		require.Equal(t, events.Completed, terminal(t, evs).Kind, kind)
		var text strings.Builder
		for _, ev := range evs {
			if ev.Kind == kind {
				text.WriteString(ev.Text)
			}
		}
		assert.Contains(t, text.String(), long, kind)
	}
}

// What must go back with a turn is bounded while it comes.
func TestKeptDataIsBounded(t *testing.T) {
	t.Parallel()
	big := `{"text":"","thoughtSignature":"` + strings.Repeat("x", geminiwire.MaxData/2) + `"}`
	f, ok := terminal(t, playBody(t, body(frame(big, "", ""), frame(big, "", ""), frame(hi, stopped, "")))).Failure()
	require.True(t, ok)
	assert.Equal(t, events.InvalidReply, f.Kind)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)
}

// Media that is too large to go back is shown, told, and left out of the turn;
// what it stood between goes back.
func TestMediaTooLargeToKeep(t *testing.T) {
	t.Parallel()
	data := make([]byte, geminiwire.MaxData)
	image := `{"inlineData":{"mimeType":"image/png","data":"` + base64.StdEncoding.EncodeToString(data) + `"}}`
	evs := playBody(t, body(frame(`{"text":"a","thoughtSignature":"S"}`, "", ""), frame(image, "", ""), frame(image, "", ""), frame(`{"text":"b"}`, stopped, "")))
	done, ok := terminal(t, evs).Completion()
	require.True(t, ok, "%v", terminal(t, evs))
	assert.Equal(t, `{"parts":[{"slot":"text","thoughtSignature":"S"},{"slot":"text"}]}`, done.Data.Value)
	shown, told := 0, 0
	for _, ev := range evs {
		if ev.Kind == events.MediaCompleted {
			shown += ev.MediaSize()
		}
		if n, ok := ev.Notice(); ok && n.Code == events.NoticeMediaNotKept {
			told++
		}
	}
	assert.Equal(t, 2*len(data), shown)
	assert.Equal(t, 1, told, "of the first alone")
}

// Parts and sources are bounded, and so are notices of unknown things.
func TestFloods(t *testing.T) {
	t.Parallel()
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	f, ok := terminal(t, playBody(t, body(frame(many(2000, `{"text":"a","thoughtSignature":"S"}`), stopped, "")))).Failure()
	require.True(t, ok)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)

	var searches []string
	for i := range 2000 {
		searches = append(searches, frame("", `,"groundingMetadata":{"webSearchQueries":["`+strings.Repeat("q", i+1)+`"]}`, ""))
	}
	evs := playBody(t, body(append(append(searches, frame(hi, "", "")), frame("", stopped, ""))...))
	f, ok = terminal(t, evs).Failure()
	require.True(t, ok, "no index is left for the text")
	assert.Equal(t, events.ReasonTooLarge, f.Reason)

	notices := 0
	var odd []string
	for i := range 100 {
		odd = append(odd, frame(`{"news`+strings.Repeat("x", i)+`":1}`, "", ""))
	}
	for _, ev := range playBody(t, body(append(odd, frame(hi, stopped, ""))...)) {
		if n, ok := ev.Notice(); ok && n.Code == events.NoticeUnknownFrame {
			notices++
		}
	}
	assert.Equal(t, 8, notices)
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, part string }{
		{"media that is not base64", `{"inlineData":{"mimeType":"image/png","data":"=a"}}`},
		{"a hosted tool without a name", `{"toolCall":{"args":{}}}`},
		{"a kept part with a control character", "{\"executableCode\":{\"code\":\"a\tb\"}}"},
		{"a kept part with a bad number", `{"news":01}`},
		{"a signature with a bad escape", `{"text":"a","thoughtSignature":"\q"}`},
		{"a call's too", `{"functionCall":{"name":"f"},"thoughtSignature":"\q"}`},
		{"an argument at no path", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"x","numberValue":1}]}}`},
		{"at the whole", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$","numberValue":1}]}}`},
		{"an array at the top", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$[0]","numberValue":1}]}}`},
		{"an index that is none", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a[x]","numberValue":1}]}}`},
		{"a name without its end", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$['a","numberValue":1}]}}`},
		{"an empty name", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$..a","numberValue":1}]}}`},
		{"a member of an array", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a[0]","numberValue":1},{"jsonPath":"$.a.b","numberValue":1}]}}`},
		{"an element left out", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a[0]","numberValue":1},{"jsonPath":"$.a[2]","numberValue":1}]}}`},
		{"an element again", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a[0]","numberValue":1},{"jsonPath":"$.a[0]","numberValue":1}]}}`},
		{"a path without an end", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$` + strings.Repeat(".a", 100) + `","numberValue":1}]}}`},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			f, ok := terminal(t, playBody(t, body(frame(hi, "", counted), frame(c.part, stopped, "")))).Failure()
			require.True(t, ok)
			assert.Contains(t, []events.FailureKind{events.InvalidReply}, f.Kind)
			assert.Contains(t, []events.Reason{events.ReasonMalformed, events.ReasonBadToolArguments}, f.Reason)
			assert.Equal(t, int64(20), f.Usage.Input.Or(-1))
		})
	}
}
