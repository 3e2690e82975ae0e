package replay_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/replay/wire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func fileOf(name string, text []byte) fs.FS { return fstest.MapFS{name: {Data: text}} }

// missed returns why a request was not answered.
func missed(tb testing.TB, evs []events.Event) *replay.NotRecorded {
	tb.Helper()
	f := failure(tb, evs)
	assert.Equal(tb, []events.Kind{events.Started, events.Failed}, kinds(evs))
	assert.ErrorIs(tb, f, &events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded})
	assert.ErrorIs(tb, f, replay.ErrNotRecorded)
	assert.ErrorIs(tb, f, wire.ErrNotRecorded, "one for both depths")
	assert.Equal(tb, events.NotSent, f.Sent)
	assert.False(tb, f.Retryable())
	var n *replay.NotRecorded
	require.ErrorAs(tb, f, &n)
	assert.Contains(tb, f.Detail, n.Key[:12], "people see the key")
	return n
}

func TestMisses(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("f", "Does f.", `{"type":"object"}`)
	require.NoError(t, err)
	long := strings.Repeat("long ", 500)
	for _, c := range []struct {
		why  string
		ask  func(*request.Request)
		want replay.Difference
	}{
		{"a parameter", func(r *request.Request) { r.Temperature = new(1.0) }, replay.Difference{Path: "temperature", Recorded: "0", Asked: "1"}},
		{"one that is gone", func(r *request.Request) { r.Temperature = nil }, replay.Difference{Path: "temperature", Recorded: "0", Asked: "(absent)"}},
		{
			"the prompt", func(r *request.Request) { r.Messages[0] = request.UserText("hello") },
			replay.Difference{Path: "messages[0].content[0].text", Recorded: `"hi"`, Asked: `"hello"`},
		},
		{
			"a tool more", func(r *request.Request) { r.Tools = []request.Tool{tool} },
			replay.Difference{Path: "tools", Recorded: "(absent)", Asked: `[{"description":"Does f.","name":"f","schema":{"type":"object"}}]`},
		},
		{"a long one is cut", func(r *request.Request) { r.System = long }, replay.Difference{Path: "system", Recorded: "(absent)"}},
	} {
		base := ask("hi")
		base.Temperature = new(0.0)
		far := ask("something else")
		far.System = "of its own"
		dir := record(t, plays(hello("a")...), far, base)
		req := base
		req.Messages = slices.Clone(base.Messages)
		c.ask(&req)
		n := missed(t, all(replayer(dir), req))
		key, err := replay.KeyOfRequest("test:m", base)
		require.NoError(t, err)
		assert.Equal(t, key+".json", n.Nearest, c.why)
		assert.LessOrEqual(t, len(n.Difference.Asked), 200, c.why)
		if c.want.Asked == "" {
			n.Difference.Asked = ""
		}
		assert.Equal(t, c.want, n.Difference, c.why)
		assert.Equal(t, 0, n.Recorded, c.why)
		assert.Equal(t, 1, n.Asked, c.why)
		assert.Contains(t, n.Error(), c.want.Path, c.why)
		assert.Contains(t, n.Error(), c.want.Asked, c.why)
	}
}

func TestMissesOfAKnownRequest(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("a")...), ask("hi"), ask("hi"))
	p := replayer(dir)
	all(p, ask("hi"))
	all(p, ask("hi"))
	n := missed(t, all(p, ask("hi")))
	assert.Equal(t, []int{2, 3}, []int{n.Recorded, n.Asked})
	assert.Empty(t, n.Nearest)
	assert.Contains(t, n.Error(), "recorded 2 times and was asked for 3 times")

	key, err := replay.KeyOfRequest("test:m", ask("hi"))
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(dir, key+".json")))
	n = missed(t, all(replayer(dir), ask("hi")))
	assert.Contains(t, n.Error(), "it has 1 recording, and number 1 is missing")
}

// TestEndedContextsAreNotCounted: what was never sent is no exchange, in a recording
// and in its replay.
func TestEndedContextsAreNotCounted(t *testing.T) {
	t.Parallel()
	inner := &replay.Scripted{ModelName: "test:m", Replies: []replay.Reply{replay.Says("one"), replay.Says("two")}}
	r := &replay.Recorder{Inner: inner, Dir: t.TempDir()}
	p := replayer(r.Dir)
	for _, m := range []providers.Model{r, p} {
		scope := cancel.New(context.Background())
		scope.Cancel(cancel.Superseded)
		for _, want := range []string{"one", "two"} {
			evs := allOf(scope.Context(), m, ask("hi"))
			assert.Equal(t, []events.Kind{events.Started, events.Failed}, kinds(evs))
			f := failure(t, evs)
			assert.ErrorIs(t, f, cancel.Superseded)
			assert.Equal(t, events.NotSent, f.Sent)
			reply, err := stream.Collect(m.Stream(context.Background(), ask("hi")))
			require.NoError(t, err)
			assert.Equal(t, want, reply.Text())
		}
	}
	require.NoError(t, r.Err())
	require.NoError(t, p.Err(), "that a test cancels is no miss")
	assert.Len(t, files(t, r.Dir), 2)
	left, err := p.Unused()
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestMissesOfAnotherModel(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("a")...), ask("hi"))
	n := missed(t, all(&replay.Replayer{ModelName: "acme:m", Dir: dir}, ask("hi")))
	assert.Equal(t, replay.Difference{Path: "(model)", Recorded: `"test:m"`, Asked: `"acme:m"`}, n.Difference)

	other := plays(hello("a")...)
	other.name = "acme:m"
	far := ask("quite")
	far.System = "different"
	all(&replay.Recorder{Inner: other, Dir: dir}, far)
	n = missed(t, all(&replay.Replayer{ModelName: "acme:m", Dir: dir}, ask("hi")))
	assert.Equal(t, "messages[0].content[0].text", n.Difference.Path, "its own model is nearer, however far")
}

func TestMissesWithoutRecordings(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		p := replayer(dir)
		n := missed(t, all(p, ask("hi")))
		assert.Equal(t, dir, n.Dir)
		assert.Contains(t, n.Error(), "no recordings in "+dir)
		unused, err := p.Unused()
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded})
		assert.ErrorIs(t, err, replay.ErrNotRecorded)
		assert.ErrorContains(t, err, dir)
		assert.Empty(t, unused)
	}
	p := &replay.Replayer{ModelName: "test:m", FS: fstest.MapFS{}}
	assert.Contains(t, missed(t, all(p, ask("hi"))).Error(), "no recordings in the FS")
}

// TestFoldersThatCannotBeRead are told by name, as no miss.
func TestFoldersThatCannotBeRead(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	p := replayer(file)
	f := failure(t, all(p, ask("hi")))
	_, err := p.Unused()
	for _, err := range []error{f, p.Err(), err} {
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Other})
		assert.NotErrorIs(t, err, replay.ErrNotRecorded)
		var cause *fs.PathError
		assert.ErrorAs(t, err, &cause)
		assert.ErrorContains(t, err, file, "people look for it there")
	}
	assert.Equal(t, events.NotSent, f.Sent)
	assert.False(t, f.Retryable())
}

func TestBadConfig(t *testing.T) {
	t.Parallel()
	for _, p := range []*replay.Replayer{{}, {ModelName: "m"}, {Dir: "testdata"}} {
		f := failure(t, all(p, ask("hi")))
		assert.ErrorIs(t, f, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
		assert.Equal(t, events.NotSent, f.Sent)
		_, err := p.Unused()
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest})
	}
	f := failure(t, all(replayer(t.TempDir()), request.Request{Extra: map[string]string{"chat": "?"}}))
	assert.Equal(t, events.InvalidRequest, f.Kind)
	assert.Equal(t, events.NotSent, f.Sent)
}

// TestBadRecordings: a file that was damaged or edited fails with what to do.
func TestBadRecordings(t *testing.T) {
	t.Parallel()
	replace := func(old, by string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, by, 1) }
	}
	for _, c := range []struct {
		why    string
		change func(string) string
		says   string
	}{
		{"cut", func(s string) string { return s[:len(s)/2] }, "record it again"},
		{"more after it", func(s string) string { return s + "{}" }, "record it again"},
		{"no UTF-8", replace("hi", "\xff"), "UTF-8"},
		{"a later version", replace(`"version": 1`, `"version": 2`), "update weir"},
		{"no version", replace(`"version": 1,`, ``), "no version"},
		{"a version that is none", replace(`"version": 1`, `"version": "1"`), "record it again"},
		{"an edited prompt", replace(`"hi"`, `"ho"`), "edited"},
		{"an edited model", replace(`"test:m"`, `"test:n"`), "edited"},
		{"an edited key", replace(`"key": "`, `"key": "0`), "name of its key"},
		{"no request", replace(`"request"`, `"asked"`), "no request"},
		{"an event that is none", replace(`"text":"a"`, `"text":7`), "event 2"},
		{"an event without a kind", replace(`"kind":"text_delta"`, `"kond":"text_delta"`), "event 2"},
		{"no terminal", replace(`"kind":"completed"`, `"kind":"later"`), "no terminal"},
		{"Completed though not complete", replace(`"complete": true`, `"complete": false, "reason":"cancelled/user"`), "not complete"},
		{"not complete for no reason", func(s string) string {
			return strings.Replace(replace(`"complete": true`, `"complete": false`)(s), `"kind":"completed"`, `"kind":"later"`, 1)
		}, "no reason"},
		{"too few delays", replace(`"reply"`, `"delays_ms":[1],"reply"`), "3 events and 1 delay:"},
		{"a negative delay", replace(`"reply"`, `"delays_ms":[1,-1,1],"reply"`), "negative"},
		{"an edited event, and the reply as it was", replace(`"text":"a"}`, `"text":"b"}`), `reply.text: "a", events "b"`},
		{"an edited text of the reply", replace(`"final","text":"a"`, `"final","text":"b"`), `reply.text: "b", events "a"`},
		{"an edited stop of the reply", replace(`"stop":"end","raw_stop":"raw_end","usage":null`, `"stop":"length","usage":null`), "reply.stop"},
		{"a call that no event tells", replace(`"tool_calls":[]`, `"tool_calls":[{"id":"x","name":"f","arguments":"{}"}]`), "reply.tool_calls[0]"},
		{"usage that no event tells", replace(`"usage":null,"exec`, `"usage":{"input":5},"exec`), "reply.usage"},
		{"a reply of another kind", replace(`"reply": {`, `"reply": "a", "rest": {`), "reply: "},
		{"an index is left out", replace(`"index":0`, `"index":1`), "G05"},
		{"no start", replace(`{"kind":"started","model":"m-1"},`, ``), "G01"},
		{"a second terminal", replace(`{"kind":"text_delta","index":0,"text":"a"}`, `{"kind":"failed","failure":{"kind":"other"}}`), "G03"},
		{"a call that is not ended", replace(`{"kind":"text_delta","index":0,"text":"a"}`, `{"kind":"tool_call_started","index":0,"id":"x","name":"f"}`), "G12"},
		{"a later version, of which the rest is no stream", func(s string) string {
			return replace(`"index":0`, `"index":0,"id":"x","name":"f"`)(replace(`"kind":"text_delta"`, `"kind":"tool_call_started"`)(replace(`"events": [`, `"events": [{"kind":"later"},`)(s)))
		}, "update weir"},
		{"a body that is no base64", replace(`"reply"`, `"body_base64":"?","reply"`), "base64"},
	} {
		dir := record(t, plays(hello("a")...), ask("hi"))
		edit(t, dir, c.change)
		name, _ := only(t, dir)
		evs := all(replayer(dir), ask("hi"))
		assert.Equal(t, []events.Kind{events.Started, events.Failed}, kinds(evs), c.why)
		f := failure(t, evs)
		assert.ErrorIs(t, f, &events.Failure{Kind: events.Other, Reason: events.ReasonMalformed}, c.why)
		assert.Equal(t, events.NotSent, f.Sent, c.why)
		assert.False(t, f.Retryable(), c.why)
		var bad *replay.BadRecording
		require.ErrorAs(t, f, &bad, c.why)
		assert.Equal(t, name, bad.File, c.why)
		assert.Contains(t, bad.Problem, c.says, c.why)
	}
}

// TestAnEditedRecordingCanBeRenamed does what the failure says.
func TestAnEditedRecordingCanBeRenamed(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("a")...), ask("hi"))
	edit(t, dir, func(s string) string { return strings.Replace(s, `"hi"`, `"ho"`, 1) })
	name, text := only(t, dir)
	key, err := replay.KeyOfRequest("test:m", ask("ho"))
	require.NoError(t, err)
	f := failure(t, all(replayer(dir), ask("hi")))
	assert.Contains(t, f.Detail, key+".json")
	text = strings.ReplaceAll(text, strings.TrimSuffix(name, ".json"), key)
	require.NoError(t, os.WriteFile(filepath.Join(dir, key+".json"), []byte(text), 0o600))
	assert.Equal(t, lines(hello("a")), lines(all(replayer(dir), ask("ho"))))
}

// TestNewKindsArePassedOver: with a block of its own, too.
func TestNewKindsArePassedOver(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(started(), events.NewTextDelta(0, "a"), events.NewTextDelta(1, "b"), completed(events.StopEnd)), ask("hi"))
	edit(t, dir, func(s string) string {
		s = strings.Replace(s, `{"kind":"text_delta","index":0,"text":"a"}`, `{"kind":"smell_delta","index":0,"molecules":["x"]}`, 1)
		return strings.Replace(s, `"request":`, `"mood": "new member", "request":`, 1)
	})
	want := []events.Event{started(), events.NewTextDelta(0, "b"), completed(events.StopEnd)}
	assert.Equal(t, lines(want), lines(all(replayer(dir), ask("hi"))))
}

func TestLargeLimitsAreTheRecordedModels(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 100<<10)
	dir := record(t, plays(hello(long)...), ask("hi"))
	assert.Equal(t, lines(hello(long)), lines(all(replayer(dir), ask("hi"))))
}

func TestUnused(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("a")...), ask("hi"), ask("hi"), ask("ho"))
	other := plays(hello("a")...)
	other.name = "acme:m"
	all(&replay.Recorder{Inner: other, Dir: dir}, ask("hi"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.json"), []byte("?"), 0o600))
	for _, other := range []string{"chat-0123456789ab.json", "0123456789ab.json", strings.Repeat("x", 64) + ".json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, other), []byte("?"), 0o600))
	}
	name := func(text, number string) string {
		key, err := replay.KeyOfRequest("test:m", ask(text))
		require.NoError(t, err)
		return key + number + ".json"
	}
	p := replayer(dir)
	unused := func() []string {
		names, err := p.Unused()
		require.NoError(t, err)
		return names
	}
	everything := []string{name("hi", ""), name("hi", ".2"), name("ho", "")}
	slices.Sort(everything)
	got := unused()
	slices.Sort(got)
	assert.Equal(t, everything, got, "of this model")
	_ = p.Stream(context.Background(), ask("ho"))
	assert.Len(t, unused(), 3, "a stream that is not ranged plays nothing")
	all(p, ask("hi"))
	all(p, ask("ho"))
	assert.Equal(t, []string{name("hi", ".2")}, unused())
	all(p, ask("hi"))
	assert.Empty(t, unused())

	require.NoError(t, os.WriteFile(filepath.Join(dir, name("never", "")), []byte("?"), 0o600))
	_, err := p.Unused()
	var bad *replay.BadRecording
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, name("never", ""), bad.File)
}

func TestReplayerIsRead(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("a")...), ask("hi"))
	p := &replay.Replayer{ModelName: "test:m", FS: os.DirFS(dir), ModelSpec: request.Spec{ContextWindow: 9}}
	assert.Equal(t, "test:m", p.Name())
	assert.Equal(t, 9, p.Spec().ContextWindow)
	assert.Equal(t, lines(hello("a")), lines(all(p, ask("hi"))), "from an fs.FS")
}

func TestReplayHonoursTheContext(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(started(), events.NewTextDelta(0, "a"), events.NewTextDelta(0, "b"), completed(events.StopEnd)), ask("hi"))
	p := replayer(dir)
	scope := cancel.New(context.Background())
	scope.Cancel(cancel.Shutdown)
	f := failure(t, allOf(scope.Context(), p, ask("hi")))
	assert.ErrorIs(t, f, cancel.Shutdown)
	assert.Equal(t, events.NotSent, f.Sent)

	scope = cancel.New(context.Background())
	var evs []events.Event
	for ev := range p.Stream(scope.Context(), ask("hi")) {
		if evs = append(evs, ev); ev.Kind == events.TextDelta {
			scope.Cancel(cancel.User)
		}
	}
	assert.Equal(t, []events.Kind{events.Started, events.TextDelta, events.Failed}, kinds(evs))
	f = failure(t, evs)
	assert.ErrorIs(t, f, cancel.User)
	assert.Equal(t, events.Answered, f.Sent)
	missed(t, all(p, ask("hi"))) // the one that had begun was taken
}

// TestConcurrency plays and records a hundred at once.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	dir, again := t.TempDir(), t.TempDir()
	each := func(do func(i int)) {
		var wait sync.WaitGroup
		for i := range 100 {
			wait.Go(func() { do(i) })
		}
		wait.Wait()
	}
	m := model{"test:m", func(_ context.Context, req request.Request) stream.Stream {
		return plays(hello("to "+req.System)...).stream(context.Background(), req)
	}}
	prompt := func(i int) request.Request {
		req := ask("hi")
		req.System = fmt.Sprint(i / 2)
		return req
	}
	r := &replay.Recorder{Inner: m, Dir: dir}
	each(func(i int) { all(r, prompt(i)) })
	require.NoError(t, r.Err())
	assert.Len(t, files(t, dir), 100)

	p := replayer(dir)
	copied := &replay.Recorder{Inner: p, Dir: again}
	each(func(i int) {
		reply, err := stream.Collect(copied.Stream(context.Background(), prompt(i)))
		assert.NoError(t, err)
		assert.Equal(t, "to "+fmt.Sprint(i/2), reply.Text())
	})
	unused, err := p.Unused()
	require.NoError(t, err)
	assert.Empty(t, unused)
	assert.Equal(t, files(t, dir), files(t, again))
}
