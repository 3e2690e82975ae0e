package replay_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// scripted plays one list of events after the other.
func scripted(replies ...[]events.Event) model {
	n := 0
	return model{"test:m", func(context.Context, request.Request) stream.Stream {
		return func(yield func(events.Event) bool) {
			n++
			plays(replies[n-1]...).stream(context.Background(), request.Request{})(yield)
		}
	}}
}

func fails(kind events.FailureKind, reason events.Reason) []events.Event {
	return []events.Event{started(), failed(kind, reason)}
}

func failed(kind events.FailureKind, reason events.Reason) events.Event {
	f := events.NewFailure(kind, reason, "d")
	f.Sent = events.Answered
	return events.NewFailed(f)
}

// heldBack returns why an exchange is held back.
func heldBack(tb testing.TB, err error) *replay.HeldBack {
	tb.Helper()
	assert.ErrorIs(tb, err, &events.Failure{Kind: events.Other})
	var h *replay.HeldBack
	require.ErrorAs(tb, err, &h)
	return h
}

// TestWhatIsAnAnswer records over good recordings: what says nothing of the request
// leaves them, and is told.
func TestWhatIsAnAnswer(t *testing.T) {
	t.Parallel()
	unsent := events.NewFailure(events.Rejected, events.ReasonBadRequest, "")
	unsent.Sent = events.NotSent
	text := events.NewTextDelta(0, "b")
	for _, c := range []struct {
		why    string
		evs    []events.Event
		answer bool
	}{
		{"the provider is down", fails(events.Unreachable, events.ReasonConnect), false},
		{"a wrong key", fails(events.Rejected, events.ReasonAuth), false},
		{"a key without the right", fails(events.Rejected, events.ReasonPermission), false},
		{"nobody paid", fails(events.Rejected, events.ReasonBilling), false},
		{"all was used", fails(events.Rejected, events.ReasonQuota), false},
		{"a wrong model or address", fails(events.Rejected, events.ReasonNotFound), false},
		{"a wrong address", fails(events.Rejected, events.ReasonRedirect), false},
		{"nothing was sent", []events.Event{started(), events.NewFailed(unsent)}, false},
		{"the adapter refused", fails(events.InvalidRequest, events.ReasonBadConfig), false},
		{"our clock", fails(events.TimedOut, events.ReasonFirstToken), false},
		{"that of the provider", fails(events.TimedOut, events.ReasonHTTP), false},
		{"too many requests", fails(events.RateLimited, events.ReasonRateLimit), false},
		{"busy", fails(events.Overloaded, ""), false},
		{"stopped", fails(events.Cancelled, events.ReasonUser), false},
		{"the run was over", fails(events.LimitReached, events.ReasonLimitElapsed), false},
		{"the adapter crashed", fails(events.Crashed, ""), false},
		{"a page of a proxy", fails(events.InvalidReply, events.ReasonBadContent), false},
		{"cut before it began", fails(events.InvalidReply, events.ReasonLostConnection), false},
		{"anything", fails(events.Other, ""), false},
		{"usage is no content", []events.Event{started(), events.NewUsageUpdated(events.Usage{Input: events.Known(1)}), failed(events.Overloaded, "")}, false},
		{"no terminal", []events.Event{started()}, false},
		{"nothing", nil, false},

		{"nothing to say", []events.Event{started(), completed(events.StopEnd)}, true},
		{"refused for what it asks", fails(events.Rejected, events.ReasonContentBlocked), true},
		{"too long", fails(events.Rejected, events.ReasonContextOverflow), true},
		{"refused for no reason", fails(events.Rejected, ""), true},
		{"stopped in the middle", []events.Event{started(), text, failed(events.Cancelled, events.ReasonUser)}, true},
		{"a clock in the middle", []events.Event{started(), text, failed(events.TimedOut, events.ReasonIdle)}, true},
		{"a call began", []events.Event{started(), events.NewToolCallStarted(0, "x", "f", false), failed(events.Overloaded, "")}, true},
		{"cut in the middle", []events.Event{started(), text}, true},
	} {
		dir := record(t, plays(hello("a")...), ask("hi"), ask("hi"))
		before := files(t, dir)
		var told []error
		r := &replay.Recorder{Inner: plays(c.evs...), Dir: dir, OnError: func(err error) { told = append(told, err) }}
		assert.Equal(t, lines(c.evs), lines(all(r, ask("hi"))), "the stream is as it is: "+c.why)
		if c.answer {
			assert.NoError(t, r.Err(), c.why)
			assert.Empty(t, told, c.why)
			assert.Len(t, files(t, dir), 1, c.why)
			r = &replay.Recorder{Inner: plays(fails(events.Unreachable, "")...), Dir: dir}
			all(r, ask("hi"))
			assert.Len(t, heldBack(t, r.Err()).Kept, 1, "it is kept, too: "+c.why)
			continue
		}
		assert.Equal(t, before, files(t, dir), c.why)
		require.Len(t, told, 1, c.why)
		require.Error(t, r.Err(), c.why)
		assert.Same(t, told[0], r.Err(), c.why)
		h := heldBack(t, r.Err())
		assert.Equal(t, slices.Sorted(maps.Keys(before)), slices.Sorted(slices.Values(h.Kept)), c.why)
		assert.Equal(t, "test:m", h.Model)
		assert.Contains(t, h.Error(), "2 recordings, key "+h.Key[:12])

		fresh := record(t, plays(c.evs...), ask("hi"))
		assert.Len(t, files(t, fresh), 1, "where nothing can be lost it is stored: "+c.why)
		r = &replay.Recorder{Inner: plays(fails(events.Unreachable, "")...), Dir: fresh}
		all(r, ask("hi"))
		require.NoError(t, r.Err(), "and may be replaced by the like: "+c.why)
		assert.Equal(t, events.Unreachable, failure(t, all(replayer(fresh), ask("hi"))).Kind, c.why)
	}
}

// TestHeldBackTellsWhy with nothing that a provider said.
func TestHeldBackTellsWhy(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("a")...), ask("hi"))
	f := events.NewFailure(events.Rejected, events.ReasonAuth, "hunter22 is no key")
	f.Status, f.ProviderCode, f.Sent = 401, "hunter22", events.Answered
	r := &replay.Recorder{Inner: plays(started(), events.NewFailed(f)), Dir: dir}
	all(r, ask("hi"))
	assert.ErrorIs(t, r.Err(), &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth})
	assert.Equal(t, &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth, Status: 401}, heldBack(t, r.Err()).Failure)
	assert.ErrorContains(t, r.Err(), "rejected/auth")
	assert.ErrorContains(t, r.Err(), "1 recording,")

	r = &replay.Recorder{Inner: plays(started(), events.NewFailed(events.NewFailure("hunter22 odd", "hunter22", ""))), Dir: dir, Secrets: []providers.Secret{"hunter22"}}
	all(r, ask("hi"))
	assert.NotContains(t, r.Err().Error(), "hunter22")

	r = &replay.Recorder{Inner: plays(hello("a")...), Dir: dir}
	for range r.Stream(context.Background(), ask("hi")) {
		break
	}
	assert.ErrorIs(t, r.Err(), &events.Failure{Kind: events.Cancelled, Reason: events.ReasonAbandoned}, "one without a terminal")

	scope := cancel.New(context.Background())
	defer scope.Close()
	r = &replay.Recorder{Dir: dir, Inner: &replay.Scripted{ModelName: "test:m", Replies: []replay.Reply{replay.Waits().OnWait(func() { scope.Cancel(cancel.User) })}}}
	allOf(scope.Context(), r, ask("hi"))
	assert.ErrorIs(t, r.Err(), &events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser})
}

// TestAnAnswerBringsWhatWasHeldBack: a run that was retried is recorded as it was,
// whether there was a recording or none.
func TestAnAnswerBringsWhatWasHeldBack(t *testing.T) {
	t.Parallel()
	run := func(dir string) *replay.Recorder {
		r := &replay.Recorder{Dir: dir, Inner: scripted(
			fails(events.Unreachable, ""), fails(events.Overloaded, ""), fails(events.Unreachable, ""), hello("new"), fails(events.Overloaded, ""))}
		for _, text := range []string{"hi", "hi", "ho", "hi", "hi"} {
			all(r, ask(text))
		}
		return r
	}
	fresh := t.TempDir()
	require.NoError(t, run(fresh).Err())
	require.Len(t, files(t, fresh), 5)

	dir := record(t, plays(hello("old")...), ask("hi"), ask("ho"), ask("hi"), ask("hi"), ask("hi"), ask("hi"), ask("hi"))
	r := run(dir)
	h := heldBack(t, r.Err())
	ho, err := replay.KeyOfRequest("test:m", ask("ho"))
	require.NoError(t, err)
	assert.Equal(t, ho, h.Key, "the one of the other request is what is left")
	got, want := files(t, dir), files(t, fresh)
	assert.Contains(t, got[ho+".json"], "old")
	delete(got, ho+".json")
	delete(want, ho+".json")
	assert.Equal(t, want, got, "each in its own number")

	all(&replay.Recorder{Inner: plays(hello("new")...), Dir: dir}, ask("ho"))
	assert.Contains(t, files(t, dir)[ho+".json"], "new")
}

// TestAnAnswerThatBeganBefore is the first, though it ends last.
func TestAnAnswerThatBeganBefore(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("old")...), ask("hi"), ask("hi"), ask("hi"))
	before := files(t, dir)
	r := &replay.Recorder{Inner: scripted(hello("new"), fails(events.Unreachable, "")), Dir: dir}
	for ev := range r.Stream(context.Background(), ask("hi")) {
		if ev.Kind == events.TextDelta {
			all(r, ask("hi"))
			assert.Equal(t, before, files(t, dir))
			assert.Error(t, r.Err())
		}
	}
	require.NoError(t, r.Err())
	p := replayer(dir)
	assert.Equal(t, lines(hello("new")), lines(all(p, ask("hi"))))
	assert.Equal(t, events.Unreachable, failure(t, all(p, ask("hi"))).Kind)
	assert.Len(t, files(t, dir), 2)
}

// TestWhatCannotBeReadIsKept: it may be an answer, of a later version for instance.
func TestWhatCannotBeReadIsKept(t *testing.T) {
	t.Parallel()
	for _, change := range []func(string) string{
		func(s string) string { return s[:9] },
		func(s string) string { return strings.Replace(s, `"version": 1`, `"version": 2`, 1) },
		func(s string) string { return strings.Replace(s, `"kind":"started"`, `"kind":"later"`, 1) },
		func(s string) string { return strings.Replace(s, `{"kind":"started","model":"m-1"}`, `{"kind":7}`, 1) },
	} {
		dir := record(t, plays(fails(events.Unreachable, "")...), ask("hi"))
		edit(t, dir, change)
		before := files(t, dir)
		r := &replay.Recorder{Inner: plays(fails(events.Unreachable, "")...), Dir: dir}
		all(r, ask("hi"))
		assert.Equal(t, before, files(t, dir))
		heldBack(t, r.Err())
	}
}

// TestRemovedRecordingsAreNotKept: a person has done what the error says, in the
// middle of a run.
func TestRemovedRecordingsAreNotKept(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("old")...), ask("hi"))
	r := &replay.Recorder{Inner: plays(fails(events.Unreachable, "")...), Dir: dir}
	all(r, ask("hi"))
	name, _ := only(t, dir)
	require.NoError(t, os.Remove(filepath.Join(dir, name)))
	all(r, ask("hi"))
	assert.Len(t, files(t, dir), 2)
	assert.NoError(t, r.Err())
}

// TestHoldingBackIsBounded: what there is no room for is lost, and told for good.
func TestHoldingBackIsBounded(t *testing.T) {
	t.Parallel()
	req := ask("hi")
	dir := record(t, plays(hello("old")...), req, ask("ho"))
	_, text := only(t, record(t, plays(fails(events.Unreachable, "")...), req))
	down := fails(events.Unreachable, "")
	r := &replay.Recorder{Inner: scripted(down, down, down, hello("new"), down), Dir: dir}
	replay.HoldAtMost(r, 3*len(text)-1)
	for range 3 {
		all(r, req)
	}
	lost := r.Err()
	assert.ErrorContains(t, lost, "no room")
	heldBack(t, lost)
	all(r, req)
	assert.Same(t, lost, r.Err())
	assert.Len(t, files(t, dir), 3+1)
	r.OnError = func(err error) { lost = err }
	all(r, ask("ho"))
	heldBack(t, lost)
	assert.NotContains(t, lost.Error(), "no room", "what was stored makes room")
	p := replayer(dir)
	for range 2 {
		assert.Equal(t, events.Unreachable, failure(t, all(p, req)).Kind)
	}
	assert.Equal(t, 3, missed(t, all(p, req)).Recorded, "a place is missing, and nothing stands in it")
}

// TestWhatIsHeldBackMayFailToBeStored later.
func TestWhatIsHeldBackMayFailToBeStored(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("old")...), ask("hi"))
	name, _ := only(t, dir)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, strings.TrimSuffix(name, ".json")+".2.json", "blocked"), 0o700))
	down := fails(events.Unreachable, "")
	var told []error
	r := &replay.Recorder{Inner: scripted(down, down, hello("new")), Dir: dir, OnError: func(err error) { told = append(told, err) }}
	for range 3 {
		all(r, ask("hi"))
	}
	require.Len(t, told, 3, "two are held back, and one of them cannot be stored")
	assert.Same(t, told[2], r.Err())
	p := replayer(dir)
	assert.Equal(t, events.Unreachable, failure(t, all(p, ask("hi"))).Kind)
}

// TestAFullDiskTakesNothing: where the answer finds no room, the failures that it
// would bring are not put in the place of the earlier ones; the next answer is.
func TestAFullDiskTakesNothing(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("old")...), ask("hi"), ask("hi"))
	before := files(t, dir)
	down := fails(events.Unreachable, "")
	r := &replay.Recorder{Inner: scripted(down, hello("large"), down, hello("new")), Dir: dir}
	full := errors.New("no space left")
	var wrote []string
	replay.FillDisk(r, func(text string) error {
		if strings.Contains(text, "large") {
			return full
		}
		wrote = append(wrote, text)
		return nil
	})
	all(r, ask("hi"))
	all(r, ask("hi"))
	assert.ErrorIs(t, r.Err(), full)
	assert.Equal(t, before, files(t, dir))
	all(r, ask("hi"))
	assert.Equal(t, before, files(t, dir))
	all(r, ask("hi"))
	assert.ErrorIs(t, r.Err(), full)
	assert.Len(t, files(t, dir), 3, "the second place stays empty")
	require.Len(t, wrote, 3)
	assert.Contains(t, wrote[0], "new", "the answer is the first on the disk")
}

func TestCloseTellsWhatWasKept(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("a")...), ask("hi"))
	m, err := replay.Open(dir, "test:m", true, func() (providers.Model, error) { return plays(fails(events.Unreachable, events.ReasonConnect)...), nil })
	require.NoError(t, err)
	for range 3 {
		all(m, ask("hi"))
	}
	heldBack(t, m.Close())
	m, err = replay.Open(dir, "test:m", false, nil)
	require.NoError(t, err)
	assert.Equal(t, lines(hello("a")), lines(all(m, ask("hi"))))
	assert.NoError(t, m.Close())
}

// TestRecordingOverRecordings against a slow, obvious model of what is then in the
// folder.
func TestRecordingOverRecordings(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		dir := filepath.Join(root, fmt.Sprint(n))
		require.NoError(rt, os.Mkdir(dir, 0o700))
		want := map[string]map[int]string{"a": {}, "b": {}} // what is said, by prompt and number
		runs := rapid.IntRange(1, 3).Draw(rt, "runs")
		for run := range runs {
			kept := map[string][]string{} // by prompt, what is said in this run
			var replies [][]events.Event
			var prompts []string
			for i := range rapid.IntRange(0, 6).Draw(rt, "exchanges") {
				prompt := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "prompt")
				said := fmt.Sprintf("down %d.%d", run, i)
				if rapid.Bool().Draw(rt, "answer") {
					said = fmt.Sprintf("up %d.%d", run, i)
				}
				prompts, kept[prompt] = append(prompts, prompt), append(kept[prompt], said)
				replies = append(replies, saying(said))
			}
			r := &replay.Recorder{Inner: scripted(replies...), Dir: dir}
			for _, prompt := range prompts {
				all(r, ask(prompt))
			}
			told := false
			for prompt, said := range kept {
				if hasUp(maps.Values(want[prompt])) && !hasUp(slices.Values(said)) {
					told = true
					continue // the earlier ones stay
				}
				want[prompt] = map[int]string{}
				for i, text := range said {
					want[prompt][i+1] = text
				}
			}
			require.Equal(rt, told, r.Err() != nil)
		}
		for prompt, said := range want {
			p := replayer(dir)
			for i := range len(said) {
				require.Equal(rt, lines(saying(said[i+1])), lines(all(p, ask(prompt))))
			}
			f := failure(t, all(p, ask(prompt)))
			require.ErrorIs(rt, f, replay.ErrNotRecorded)
		}
	})
}

func saying(text string) []events.Event {
	if strings.HasPrefix(text, "up") {
		return hello(text)
	}
	return []events.Event{started(), events.NewFailed(events.NewFailure(events.Unreachable, "", text))}
}

func hasUp(texts func(func(string) bool)) bool {
	for text := range texts {
		if strings.HasPrefix(text, "up") {
			return true
		}
	}
	return false
}
