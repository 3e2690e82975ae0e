package replay_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// A drawer draws a grammatical stream: of any events it keeps those that the
// validator takes.
type drawer struct {
	rt    *rapid.T
	v     validator.Validator
	evs   []events.Event
	calls map[int]*events.ToolCall // open ones
	next  int
}

func (d *drawer) take(ev events.Event) bool {
	if d.v.Observe(ev) != nil {
		return false
	}
	d.evs = append(d.evs, ev)
	return true
}

func (d *drawer) text() string {
	return rapid.SampledFrom([]string{"a", " b", "é🙂", "\u2028", "\x00", `"\`, "<&>", "[redacted]", "ca", "nary", "\r\n"}).Draw(d.rt, "text")
}

func (d *drawer) count() events.Count {
	return rapid.SampledFrom([]events.Count{{}, events.Known(0), events.Known(5), events.Known(events.MaxCount)}).Draw(d.rt, "count")
}

func (d *drawer) usage() events.Usage {
	return events.Usage{
		Input: d.count(), CacheRead: d.count(), CacheWrite: d.count(), Output: d.count(), Thinking: d.count(), OutputAudio: d.count(),
		Final: rapid.Bool().Draw(d.rt, "final"), Inconsistent: rapid.Bool().Draw(d.rt, "inconsistent"), Raw: d.text(),
	}
}

func (d *drawer) data() events.ProviderData {
	if rapid.Bool().Draw(d.rt, "data") {
		return events.ProviderData{}
	}
	return events.ProviderData{Format: "chat.v1", Origin: "acme", Value: d.text()}
}

func (d *drawer) step() {
	index := rapid.IntRange(0, d.next).Draw(d.rt, "index")
	taken := false
	switch rapid.IntRange(0, 11).Draw(d.rt, "kind") {
	case 0, 1:
		taken = d.take(events.NewTextDelta(index, d.text()))
	case 2:
		taken = d.take(events.NewThinkingDelta(index, d.text()))
	case 3:
		taken = d.take(events.NewRefusalDelta(index, d.text()))
	case 4:
		call := &events.ToolCall{ID: "id" + d.text(), Name: "f", Minted: rapid.Bool().Draw(d.rt, "minted"), Replay: d.data()}
		if taken = d.take(events.NewToolCallStarted(d.next, call.ID, call.Name, call.Minted)); taken {
			d.calls[d.next] = call
			index = d.next
		}
	case 5, 6:
		d.goOn(index)
	case 7:
		if taken = d.take(events.NewHostedToolStarted(d.next, "h", "search")); taken {
			h := events.HostedTool{ID: "h", Name: "search", Arguments: d.text(), Outcome: "ok", Sources: []events.Source{{URL: d.text(), Title: d.text()}}, Replay: d.data()}
			d.take(events.NewHostedToolCompleted(d.next, h))
			index = d.next
		}
	case 8:
		d.take(events.NewCitationAdded(index, events.Citation{URL: d.text(), Text: d.text(), Start: 1, End: 3, SourceStart: 2, SourceEnd: 5}))
	case 9:
		taken = d.take(events.NewMediaCompleted(d.next, "image/png", rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(d.rt, "media")))
		index = d.next
	case 10:
		d.take(events.NewUsageUpdated(d.usage()))
	case 11:
		d.take(events.NewNotice(events.NoticeUnknownFrame, d.text()))
	}
	if taken && index == d.next {
		d.next++
	}
}

// goOn goes on with an open call.
func (d *drawer) goOn(index int) {
	call, ok := d.calls[index]
	if !ok {
		return
	}
	piece := rapid.SampledFrom([]string{`{"a":`, `"é<"}`, " ", "{}", `12345678901234567890}`}).Draw(d.rt, "piece")
	switch {
	case rapid.Bool().Draw(d.rt, "piece"):
		if d.take(events.NewToolArgumentsDelta(index, piece)) {
			call.Arguments += piece
		}
	case d.take(events.NewToolCallCompleted(index, *call)):
		delete(d.calls, index)
	case d.take(events.NewToolCallInvalid(index, *call, events.Issue{Kind: events.IssueTruncated, Detail: d.text()})):
		delete(d.calls, index)
	}
}

func (d *drawer) terminal() events.Event {
	if rapid.Bool().Draw(d.rt, "failed") {
		f := events.NewFailure(
			rapid.SampledFrom([]events.FailureKind{events.Overloaded, events.Rejected, events.Cancelled, events.InvalidReply}).Draw(d.rt, "failure"),
			rapid.SampledFrom([]events.Reason{"", events.ReasonUser, events.ReasonTruncated, events.ReasonServer}).Draw(d.rt, "reason"), d.text())
		f.Provider, f.Status, f.ProviderCode, f.RequestID, f.Feature = "acme", rapid.SampledFrom([]int{0, 429}).Draw(d.rt, "status"), d.text(), d.text(), "tools"
		f.Sent = rapid.SampledFrom([]events.Sent{"", events.NotSent, events.MaybeSent, events.Answered, events.Served}).Draw(d.rt, "sent")
		f.RetryAfter = time.Duration(rapid.IntRange(0, 3_000_000).Draw(d.rt, "wait")) * time.Microsecond
		f.ShouldRetry = rapid.SampledFrom([]*bool{nil, new(true), new(false)}).Draw(d.rt, "advice")
		f.Usage = d.usage()
		f.RateLimits = &events.RateLimits{Tokens: events.RateWindow{Limit: d.count(), Reset: time.Minute}}
		return events.NewFailed(f)
	}
	stops := []events.Stop{events.StopEnd, events.StopToolUse, events.StopLength, events.StopRefusal, events.StopOther}
	return events.NewCompleted(events.Completion{
		Stop: rapid.SampledFrom(stops).Draw(d.rt, "stop"), RawStop: d.text(), Usage: d.usage(), Data: d.data(),
		Cost: rapid.SampledFrom([]*events.Cost{nil, {Micros: 3, Text: "0.000003"}}).Draw(d.rt, "cost"),
	})
}

// grammatical draws a whole reply.
func grammatical(rt *rapid.T) []events.Event {
	d := &drawer{rt: rt, calls: map[int]*events.ToolCall{}}
	d.take(events.NewStarted(events.Start{ResponseID: d.text(), Model: "m", Metadata: map[string]string{d.text(): d.text()}}))
	for range rapid.IntRange(0, 30).Draw(rt, "events") {
		d.step()
	}
	for !d.take(d.terminal()) {
		if d.take(events.NewFailed(events.NewFailure(events.Other, "", ""))) {
			break
		}
	}
	return d.evs
}

func anyRequest(rt *rapid.T) request.Request {
	req := ask(rapid.SampledFrom([]string{"hi", "<b>&\u2028", "é🙂\x00"}).Draw(rt, "prompt"))
	req.System = rapid.StringN(0, 5, -1).Draw(rt, "system")
	req.Temperature = rapid.SampledFrom([]*float64{nil, new(0.1), new(1e21)}).Draw(rt, "temperature")
	return req
}

// TestReplayIsTheRecordedStream: any grammatical stream comes back byte for byte, and
// recording the replay gives the same file.
func TestReplayIsTheRecordedStream(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		dir, again := root+"/a"+time.Duration(n).String(), root+"/b"+time.Duration(n).String()
		evs, req := grammatical(rt), anyRequest(rt)
		r := &replay.Recorder{Inner: plays(evs...), Dir: dir}
		require.Equal(rt, lines(evs), lines(all(r, req)), "the recorder changes nothing")
		require.NoError(rt, r.Err())
		p := replayer(dir)
		require.Equal(rt, lines(evs), lines(all(p, req)))
		unused, err := p.Unused()
		require.NoError(rt, err)
		require.Empty(rt, unused)

		all(&replay.Recorder{Inner: replayer(dir), Dir: again}, req)
		require.Equal(rt, files(t, dir), files(t, again))

		_, text := only(t, dir)
		printed, problem := replay.Reprint(text)
		require.Empty(rt, problem)
		require.Equal(rt, text, printed, "read and printed it is the same file")
	})
}

// TestFilesSurviveReadingAndPrinting with any body and delays.
func TestFilesSurviveReadingAndPrinting(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		dir := root + "/" + time.Duration(n).String()
		parts := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 1, 9)).Draw(rt, "body")
		m := model{"test:m", func(ctx context.Context, _ request.Request) stream.Stream {
			return func(yield func(events.Event) bool) {
				for _, part := range parts {
					providers.TapOf(ctx)(part)
				}
				plays(hello("a")...).stream(ctx, request.Request{})(yield)
			}
		}}
		r := &replay.Recorder{
			Inner: m, Dir: dir, Timing: rapid.Bool().Draw(rt, "timing"),
			MaxBody: rapid.SampledFrom([]int{0, 5}).Draw(rt, "max"), Secrets: []providers.Secret{"no such secret"},
		}
		leave := rapid.IntRange(1, 4).Draw(rt, "leave")
		for range r.Stream(context.Background(), ask("hi")) {
			if leave--; leave == 0 {
				break
			}
		}
		require.NoError(rt, r.Err())
		_, text := only(t, dir)
		printed, problem := replay.Reprint(text)
		require.Empty(rt, problem)
		require.Equal(rt, text, printed)
	})
}

// TestScrubbedReplayIsGrammatical: with a secret in the reply, however it is split,
// the recording has none of it, is grammatical, and is the same text but for that; or
// there is none and the recorder says so.
func TestScrubbedReplayIsGrammatical(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	n := 0
	secrets := []providers.Secret{"canary", "acme", "12345678901", `"é<"`, "[red"}
	rapid.Check(t, func(rt *rapid.T) {
		n++
		dir := root + "/" + time.Duration(n).String()
		evs := grammatical(rt)
		r := &replay.Recorder{Inner: plays(evs...), Dir: dir, Secrets: secrets[:rapid.IntRange(1, len(secrets)).Draw(rt, "secrets")]}
		all(r, ask("hi canary"))
		if r.Err() != nil {
			return
		}
		_, text := only(t, dir)
		for _, secret := range r.Secrets[:min(len(r.Secrets), 3)] {
			require.NotContains(rt, text, string(secret))
		}
		var v validator.Validator
		replayed := all(replayer(dir), ask("hi canary"))
		for _, ev := range replayed {
			require.NoError(rt, v.Observe(ev))
		}
		require.Equal(rt, evs[len(evs)-1].Kind, replayed[len(replayed)-1].Kind)
		if !says(evs, "canary") && len(r.Secrets) == 1 {
			require.Equal(rt, foldText(evs), foldText(replayed))
		}
	})
}

// says reports whether a text is in the fold, or in a block between whose deltas come
// those of others.
func says(evs []events.Event, text string) bool {
	blocks := map[int32]string{}
	for _, ev := range evs {
		if ev.Kind == events.TextDelta {
			blocks[ev.Index] += ev.Text
		}
		if strings.Contains(blocks[ev.Index], text) {
			return true
		}
	}
	return strings.Contains(foldText(evs), text)
}

func foldText(evs []events.Event) string {
	var reply stream.Reply
	for _, ev := range evs {
		reply.Add(ev)
	}
	return reply.Text()
}

// FuzzReadRecording: no file makes a Replayer panic, call anybody, or fail without a
// type; and what it plays is grammatical.
func FuzzReadRecording(f *testing.F) {
	key, err := replay.KeyOfRequest("test:m", ask("hi"))
	require.NoError(f, err)
	_, good := only(f, record(f, plays(hello("a")...), ask("hi")))
	f.Add([]byte(good))
	f.Add([]byte(strings.Replace(good, `"version": 1`, `"version": 2`, 1)))
	f.Add([]byte(strings.Replace(good, `"text_delta"`, `"new_delta"`, 1)))
	f.Add([]byte(strings.Replace(good, `"complete": true`, `"complete": false, "reason": "cancelled/user"`, 1)))
	f.Add([]byte(strings.Replace(good, `"reply"`, `"delays_ms":[1,2,3],"reply"`, 1)))
	f.Add([]byte(`{"version":1}`))
	f.Add([]byte("\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if json.Valid(text) && strings.Contains(string(text), "delays_ms") && len(text) > 1<<16 {
			t.Skip()
		}
		p := &replay.Replayer{ModelName: "test:m", FS: fileOf(key+".json", text)}
		evs := all(p, ask("hi"))
		var v validator.Validator
		v.Limits.DeltaBytes = 1 << 30
		for _, ev := range evs {
			require.NoError(t, v.Observe(ev))
		}
		_, err := v.Finish()
		require.NoError(t, err)
		if _, err := p.Unused(); err != nil {
			_, ok := events.AsFailure(err)
			require.True(t, ok)
		}
		_, _ = stream.Collect(p.Stream(context.Background(), ask("other")))
	})
}
