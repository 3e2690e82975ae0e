package replay_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// TestRecordingFile shows the file as people see it.
func TestRecordingFile(t *testing.T) {
	t.Parallel()
	m := model{"test:m", func(ctx context.Context, _ request.Request) stream.Stream {
		return func(yield func(events.Event) bool) {
			providers.TapOf(ctx)([]byte("data: <b>\r\n"))
			providers.TapOf(ctx)([]byte("\r\n"))
			plays(hello("a <b>")...).stream(ctx, request.Request{})(yield)
		}
	}}
	dir := record(t, m, ask("hi & <bye>"))
	name, text := only(t, dir)
	key, err := replay.KeyOfRequest("test:m", ask("hi & <bye>"))
	require.NoError(t, err)
	assert.Equal(t, key+".json", name)
	assert.Equal(t, `{
  "version": 1,
  "model": "test:m",
  "key": "`+key+`",
  "complete": true,
  "request": {
    "max_output_tokens": 100,
    "messages": [
      {
        "content": [
          {
            "text": "hi & <bye>",
            "type": "text"
          }
        ],
        "role": "user"
      }
    ]
  },
  "events": [
    {"kind":"started","model":"m-1"},
    {"kind":"text_delta","index":0,"text":"a <b>"},
    {"kind":"completed","stop":"end","raw_stop":"raw_end","usage":{"input":null,"cache_read":null,"cache_write":null,"cache_write_long":null,"output":null,"thinking":null}}
  ],
  "reply": {"kind":"reply","outcome":"final","text":"a <b>","thinking":"","refusal":"","tool_calls":[],"stop":"end","raw_stop":"raw_end","usage":null,"executable":false},
  "body": "data: <b>\r\n\r\n"
}
`, text)
	info, err := os.Stat(filepath.Join(dir, name))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestRecorderIsItsInner(t *testing.T) {
	t.Parallel()
	r := &replay.Recorder{Inner: &replay.Scripted{ModelName: "acme:m", ModelSpec: request.Spec{ContextWindow: 7}}}
	assert.Equal(t, "acme:m", r.Name())
	assert.Equal(t, 7, r.Spec().ContextWindow)
}

func TestRecorderMakesItsDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	all(&replay.Recorder{Inner: plays(hello("a")...), Dir: dir}, ask("hi"))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	assert.Len(t, files(t, dir), 1)
}

// TestRecorderWithoutInner is no model, and no end of the process.
func TestRecorderWithoutInner(t *testing.T) {
	t.Parallel()
	r := &replay.Recorder{Dir: t.TempDir()}
	assert.Equal(t, events.Crashed, failure(t, all(r, ask("hi"))).Kind)
	assert.Empty(t, files(t, r.Dir))
}

// TestStoredBeforeTheTerminalIsHandedOn: a consumer that leaves at the terminal, or
// never asks again, has a recording.
func TestStoredBeforeTheTerminalIsHandedOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := &replay.Recorder{Inner: plays(hello("a")...), Dir: dir}
	for ev := range r.Stream(context.Background(), ask("hi")) {
		if !ev.Kind.IsTerminal() {
			assert.Empty(t, files(t, dir))
			continue
		}
		_, text := only(t, dir)
		assert.Contains(t, text, `"complete": true`)
		break
	}
	_, text := only(t, dir)
	assert.Contains(t, text, `"complete": true`, "leaving at the terminal is no cancel")
}

// leave is a way out of the loop.
type leave struct {
	why, reason string
	out         func(s stream.Stream, n int)
}

func leaves() []leave {
	return []leave{
		{"break", "cancelled/abandoned", func(s stream.Stream, n int) {
			for range s {
				if n--; n == 0 {
					break
				}
			}
		}},
		{"panic", "cancelled/consumer_panic", func(s stream.Stream, n int) {
			defer func() { _ = recover() }()
			for range s {
				if n--; n == 0 {
					panic("of the consumer")
				}
			}
		}},
		{"goexit", "cancelled/consumer_panic", func(s stream.Stream, n int) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				for range s {
					if n--; n == 0 {
						runtime.Goexit()
					}
				}
			}()
			<-done
		}},
	}
}

// TestLeaving leaves in every way at every event: the prefix is stored once, as not
// complete, and replays as cancelled and never as Completed.
func TestLeaving(t *testing.T) {
	t.Parallel()
	script := []events.Event{
		started(), events.NewTextDelta(0, "a"), events.NewUsageUpdated(events.Usage{Input: events.Known(3)}),
		events.NewToolCallStarted(1, "x", "f", false), events.NewToolArgumentsDelta(1, "{"), events.NewTextDelta(0, "b"),
		events.NewFailed(events.NewFailure(events.Overloaded, "", "")),
	}
	for _, l := range leaves() {
		for n := 1; n < len(script); n++ {
			dir := t.TempDir()
			r := &replay.Recorder{Inner: plays(script...), Dir: dir}
			l.out(r.Stream(context.Background(), ask("hi")), n)
			require.NoError(t, r.Err())
			_, text := only(t, dir)
			assert.Contains(t, text, `"complete": false`, "%s at %d", l.why, n)
			assert.Contains(t, text, `"reason": "`+l.reason+`"`, "%s at %d", l.why, n)

			evs := all(replayer(dir), ask("hi"))
			require.Len(t, evs, n+1, "%s at %d", l.why, n)
			assert.Equal(t, lines(script[:n]), lines(evs[:n]), "%s at %d", l.why, n)
			f := failure(t, evs)
			assert.Equal(t, l.reason, string(f.Kind)+"/"+string(f.Reason))
			assert.Equal(t, events.Answered, f.Sent)
			assert.Equal(t, n >= 3, f.Usage.Input == events.Known(3), "what was reported until then")
			assert.ErrorIs(t, f, context.Canceled)
		}
	}
}

// TestPanicsOfTheConsumerGoOn: the recorder is on the way and stores, but it
// recovers nothing.
func TestPanicsOfTheConsumerGoOn(t *testing.T) {
	t.Parallel()
	r := &replay.Recorder{Inner: plays(hello("a")...), Dir: t.TempDir()}
	assert.PanicsWithValue(t, "mine", func() {
		for range r.Stream(context.Background(), ask("hi")) {
			panic("mine")
		}
	})
}

// TestEnds tells what the provider had to say from what was cut.
func TestEnds(t *testing.T) {
	t.Parallel()
	fail := func(kind events.FailureKind, reason events.Reason) events.Event {
		return events.NewFailed(events.NewFailure(kind, reason, "d"))
	}
	for _, c := range []struct {
		why      string
		last     events.Event
		complete bool
		reason   string
	}{
		{"the provider refused", fail(events.Rejected, events.ReasonAuth), true, ""},
		{"the provider is busy", fail(events.Overloaded, ""), true, ""},
		{"a timeout that the provider tells", fail(events.TimedOut, events.ReasonHTTP), true, ""},
		{"an answer that cannot be read", fail(events.InvalidReply, events.ReasonMalformed), true, ""},
		{"the adapter refused", fail(events.InvalidRequest, ""), true, ""},
		{"reset", fail(events.InvalidReply, events.ReasonLostConnection), false, "invalid_reply/lost_connection"},
		{"cut", fail(events.InvalidReply, events.ReasonTruncated), false, "invalid_reply/truncated"},
		{"no connection", fail(events.Unreachable, events.ReasonConnect), false, "unreachable/connect"},
		{"our clock", fail(events.TimedOut, events.ReasonIdle), false, "timed_out/idle"},
		{"cancelled", fail(events.Cancelled, events.ReasonUser), false, "cancelled/user"},
		{"the run was over", fail(events.LimitReached, events.ReasonLimitElapsed), false, "limit/limit_elapsed"},
		{"crashed", fail(events.Crashed, ""), false, "crashed"},
		{"no terminal", events.NewTextDelta(0, "b"), false, "invalid_reply/truncated"},
	} {
		dir := record(t, plays(started(), events.NewTextDelta(0, "a"), c.last), ask("hi"))
		_, text := only(t, dir)
		assert.Equal(t, c.complete, strings.Contains(text, `"complete": true`), c.why)
		if c.reason != "" {
			assert.Contains(t, text, `"reason": "`+c.reason+`"`, c.why)
		} else {
			assert.NotContains(t, text, `"reason": `, c.why)
		}
		evs := all(replayer(dir), ask("hi"))
		if c.last.Kind.IsTerminal() {
			assert.Equal(t, lines([]events.Event{started(), events.NewTextDelta(0, "a"), c.last}), lines(evs), c.why)
		} else {
			assert.Equal(t, c.reason, "invalid_reply/"+string(failure(t, evs).Reason), c.why)
		}
	}
}

func TestReplayedReasonsAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f    *events.Failure
		want error
	}{
		{events.NewFailure(events.Cancelled, events.ReasonUser, ""), cancel.User},
		{events.NewFailure(events.TimedOut, events.ReasonIdle, ""), cancel.Idle},
		{events.NewFailure(events.TimedOut, events.ReasonIdle, ""), context.DeadlineExceeded},
		{events.NewFailure(events.LimitReached, events.ReasonLimitElapsed, ""), cancel.Limit},
	} {
		dir := record(t, plays(started(), events.NewFailed(c.f)), ask("hi"))
		assert.ErrorIs(t, failure(t, all(replayer(dir), ask("hi"))), c.want)
	}
}

func TestSequence(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scripted := func(texts ...string) providers.Model {
		m := &replay.Scripted{ModelName: "test:m"}
		for _, text := range texts {
			m.Replies = append(m.Replies, replay.Says(text))
		}
		return m
	}
	text := func(m providers.Model, req request.Request) string {
		reply, _ := stream.Collect(m.Stream(context.Background(), req))
		return reply.Text()
	}
	first := &replay.Recorder{Inner: scripted("1", "2", "3", "other"), Dir: dir}
	for range 3 {
		text(first, ask("hi"))
	}
	text(first, ask("else"))
	p := replayer(dir)
	assert.Equal(t, []string{"1", "2", "3"}, []string{text(p, ask("hi")), text(p, ask("hi")), text(p, ask("hi"))})

	again := &replay.Recorder{Inner: scripted("one", "two"), Dir: dir}
	text(again, ask("hi"))
	assert.Len(t, files(t, dir), 2, "the first one replaces the sequence, and that of its key only")
	text(again, ask("hi"))
	p = replayer(dir)
	assert.Equal(t, []string{"one", "two", "", "other"},
		[]string{text(p, ask("hi")), text(p, ask("hi")), text(p, ask("hi")), text(p, ask("else"))})
}

// TestSequenceIsOfTheStart: the one that began first is the first, though it ends
// last, and by then the old recordings are gone.
func TestSequenceIsOfTheStart(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("old")...), ask("hi"), ask("hi"), ask("hi"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.json"), nil, 0o600))
	r := &replay.Recorder{Inner: &replay.Scripted{ModelName: "test:m", Replies: []replay.Reply{replay.Says("first"), replay.Says("second")}}, Dir: dir}
	for ev := range r.Stream(context.Background(), ask("hi")) {
		if ev.Kind != events.TextDelta {
			continue
		}
		all(r, ask("hi"))
		found := files(t, dir)
		assert.Len(t, found, 2)
		assert.Contains(t, found, "notes.json", "other files are nobody's business")
	}
	p := replayer(dir)
	for _, want := range []string{"first", "second"} {
		reply, err := stream.Collect(p.Stream(context.Background(), ask("hi")))
		require.NoError(t, err)
		assert.Equal(t, want, reply.Text())
	}
}

// TestWriteFailures: the stream is the same and the call costs the same; who asks is
// told.
func TestWriteFailures(t *testing.T) {
	t.Parallel()
	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	for _, c := range []struct {
		why, dir string
		req      request.Request
		onError  func(error)
	}{
		{"the directory is a file", blocked, ask("hi"), nil},
		{"it cannot be made", filepath.Join(blocked, "sub"), ask("hi"), nil},
		{"there is none", "", ask("hi"), nil},
		{"the request has no key", t.TempDir(), request.Request{Extra: map[string]string{"chat": "?"}}, nil},
		{"who is told panics", blocked, ask("hi"), func(error) { panic("of the test") }},
	} {
		var told []error
		r := &replay.Recorder{Inner: plays(hello("a")...), Dir: c.dir, OnError: func(err error) {
			told = append(told, err)
			if c.onError != nil {
				c.onError(err)
			}
		}}
		assert.Equal(t, lines(hello("a")), lines(all(r, c.req)), c.why)
		require.Len(t, told, 1, c.why)
		assert.ErrorIs(t, told[0], &events.Failure{Kind: events.Other}, c.why)
		assert.Same(t, told[0], r.Err(), c.why)
		all(r, c.req)
		assert.Len(t, told, 2, c.why)
		assert.Same(t, told[0], r.Err(), "the first: "+c.why)
	}
}

// TestWhatACrashLeft is no recording, and the next Recorder removes it.
func TestWhatACrashLeft(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("a")...), ask("hi"))
	_, text := only(t, dir)
	for name, age := range map[string]time.Duration{".tape-1.tmp": 2 * time.Hour, ".tape-2.tmp": 0} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		at := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(path, at, at))
	}
	p := replayer(dir)
	assert.Equal(t, lines(hello("a")), lines(all(p, ask("hi"))))
	left, err := p.Unused()
	require.NoError(t, err)
	assert.Empty(t, left)
	missed(t, all(p, ask("hi")))

	r := &replay.Recorder{Inner: plays(hello("a")...), Dir: dir}
	all(r, ask("else"))
	require.NoError(t, r.Err())
	found := files(t, dir)
	assert.NotContains(t, found, ".tape-1.tmp")
	assert.Contains(t, found, ".tape-2.tmp", "another Recorder may be at work")
	assert.Len(t, found, 3)
}

// TestPanicsOfTheModel become what they become without the recorder, and are stored.
func TestPanicsOfTheModel(t *testing.T) {
	t.Parallel()
	dir := record(t, model{"test:m", func(context.Context, request.Request) stream.Stream {
		return func(yield func(events.Event) bool) {
			yield(started())
			panic(errors.New("of the model"))
		}
	}}, ask("hi"))
	_, text := only(t, dir)
	assert.Contains(t, text, `"reason": "crashed"`)
	assert.Equal(t, events.Crashed, failure(t, all(replayer(dir), ask("hi"))).Kind)
}

func TestBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why   string
		parts []string
		max   int
		want  string
	}{
		{"none", nil, 0, ""},
		{"text", []string{"a\u2028", "\x00\"é"}, 0, `"body": "a\u2028\u0000\"é"`},
		{"a rune in two parts", []string{"\xc3", "\xa9"}, 0, `"body": "é"`},
		{"no text", []string{"\xff\xfe"}, 0, `"body_base64": "//4="`},
		{"as much as may be", []string{"ab", "cd"}, 4, `"body": "abcd"`},
		{"too much", []string{"ab", "cd", "e"}, 4, `"body_left_out": "5 bytes are more than the 4 that are kept"`},
	} {
		dir := t.TempDir()
		m := model{"test:m", func(ctx context.Context, _ request.Request) stream.Stream {
			return func(yield func(events.Event) bool) {
				for _, part := range c.parts {
					providers.TapOf(ctx)([]byte(part))
				}
				plays(hello("a")...).stream(ctx, request.Request{})(yield)
			}
		}}
		outer := ""
		ctx := providers.WithTap(context.Background(), func(body []byte) { outer += string(body) })
		allOf(ctx, &replay.Recorder{Inner: m, Dir: dir, MaxBody: c.max}, ask("hi"))
		_, text := only(t, dir)
		if c.want == "" {
			assert.NotContains(t, text, `"body`, c.why)
		}
		assert.Contains(t, text, c.want, c.why)
		assert.Equal(t, strings.Join(c.parts, ""), outer, "an outer tap hears it too: "+c.why)
	}
}

func TestNothingHappensBeforeAStreamIsRanged(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "none")
	called := false
	r := &replay.Recorder{Dir: dir, Inner: model{"test:m", func(context.Context, request.Request) stream.Stream {
		called = true
		return nil
	}}}
	_ = r.Stream(context.Background(), ask("hi"))
	assert.False(t, called)
	assert.NoDirExists(t, dir)
}
