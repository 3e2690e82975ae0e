package replay_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// slow takes a second for the first event and 1.5 for each other one.
func slow(evs ...events.Event) model {
	return model{"test:m", func(context.Context, request.Request) stream.Stream {
		return func(yield func(events.Event) bool) {
			d := time.Second
			for _, ev := range evs {
				time.Sleep(d)
				d = 1500 * time.Millisecond
				if !yield(ev) {
					return
				}
			}
		}
	}}
}

func TestTiming(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		r := &replay.Recorder{Inner: slow(hello("a")...), Dir: dir, Timing: true}
		for range r.Stream(context.Background(), ask("hi")) {
			time.Sleep(time.Minute) // the consumer's time is its own
		}
		_, text := only(t, dir)
		assert.Contains(t, text, `"delays_ms": [1000,1500,1500]`)

		at := func(p *replay.Replayer) (times []time.Duration) {
			began := time.Now()
			for range p.Stream(context.Background(), ask("hi")) {
				times = append(times, time.Since(began))
			}
			return times
		}
		assert.Equal(t, []time.Duration{0, 0, 0}, at(replayer(dir)))
		paced := &replay.Replayer{ModelName: "test:m", Dir: dir, Pace: true}
		assert.Equal(t, []time.Duration{time.Second, 2500 * time.Millisecond, 4 * time.Second}, at(paced))
	})
}

func TestPaceRunsTheClocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		clocks cancel.Clocks
		want   []events.Kind
		reason events.Reason
		sent   events.Sent
	}{
		{"the first token is late", cancel.Clocks{FirstToken: 2 * time.Second}, []events.Kind{events.Started, events.Failed}, events.ReasonFirstToken, events.Answered},
		{"nothing came at all", cancel.Clocks{FirstToken: time.Second / 2}, []events.Kind{events.Started, events.Failed}, events.ReasonFirstToken, events.MaybeSent},
		{"silence", cancel.Clocks{Idle: 1200 * time.Millisecond}, []events.Kind{events.Started, events.Failed}, events.ReasonIdle, events.Answered},
		{"no progress", cancel.Clocks{Stall: 1200 * time.Millisecond}, []events.Kind{events.Started, events.TextDelta, events.Failed}, events.ReasonStall, events.Answered},
		{"in time", cancel.Clocks{FirstToken: 3 * time.Second, Idle: 2 * time.Second}, []events.Kind{events.Started, events.TextDelta, events.Completed}, "", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			dir := t.TempDir()
			all(&replay.Recorder{Inner: slow(hello("a")...), Dir: dir, Timing: true}, ask("hi"))
			paced := &replay.Replayer{ModelName: "test:m", Dir: dir, Pace: true}
			evs := allOf(cancel.WithClocks(context.Background(), c.clocks), paced, ask("hi"))
			assert.Equal(t, c.want, kinds(evs), c.why)
			if c.reason != "" {
				f := failure(t, evs)
				assert.Equal(t, c.reason, f.Reason, c.why)
				assert.Equal(t, c.sent, f.Sent, c.why)
			}
		})
	}
}

// TestPaceRunsTheIdleClockFromTheFirstEvent: what comes at once comes with bytes too,
// and what was reported until then is in the failure.
func TestPaceRunsTheIdleClockFromTheFirstEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		told := events.Usage{Input: events.Known(9)}
		m := model{"test:m", func(context.Context, request.Request) stream.Stream {
			return func(yield func(events.Event) bool) {
				_ = yield(started()) && yield(events.NewUsageUpdated(told))
				time.Sleep(5 * time.Second)
				_ = yield(events.NewTextDelta(0, "a")) && yield(completed(events.StopEnd))
			}
		}}
		dir := t.TempDir()
		all(&replay.Recorder{Inner: m, Dir: dir, Timing: true}, ask("hi"))
		paced := &replay.Replayer{ModelName: "test:m", Dir: dir, Pace: true}
		began := time.Now()
		f := failure(t, allOf(cancel.WithClocks(t.Context(), cancel.Clocks{Idle: 2 * time.Second}), paced, ask("hi")))
		assert.Equal(t, events.ReasonIdle, f.Reason)
		assert.Equal(t, 2*time.Second, time.Since(began))
		assert.Equal(t, told, f.Usage)
		assert.Equal(t, events.Answered, f.Sent)
	})
}

// TestPaceCountsArgumentsAsProgress, as a transport does: they are no content.
func TestPaceCountsArgumentsAsProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		script := []events.Event{
			started(), events.NewToolCallStarted(0, "x", "f", false), events.NewToolArgumentsDelta(0, "{"), events.NewToolArgumentsDelta(0, "}"),
			events.NewToolCallCompleted(0, events.ToolCall{ID: "x", Name: "f", Arguments: "{}"}), completed(events.StopToolUse),
		}
		all(&replay.Recorder{Inner: slow(script...), Dir: dir, Timing: true}, ask("hi"))
		paced := &replay.Replayer{ModelName: "test:m", Dir: dir, Pace: true}
		evs := allOf(cancel.WithClocks(t.Context(), cancel.Clocks{Stall: 2 * time.Second}), paced, ask("hi"))
		f := failure(t, evs)
		assert.Equal(t, events.ReasonStall, f.Reason)
		assert.Equal(t, lines(script[:5]), lines(evs[:5]), "the last of them restarted the clock, and the end of the call does not")
	})
}

func TestWaits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		reply  replay.Reply
		clocks cancel.Clocks
		want   events.Reason
		after  time.Duration
		said   string
	}{
		{"the first token", replay.Waits(), cancel.Clocks{FirstToken: 3 * time.Second}, events.ReasonFirstToken, 3 * time.Second, ""},
		{"the whole call", replay.Says("It rains").ThenWaits(), cancel.Clocks{Call: 5 * time.Second}, events.ReasonDeadline, 5 * time.Second, "It rains"},
		{"of a script of events", replay.Events(hello("a")...).ThenWaits(), cancel.Clocks{Call: time.Second}, events.ReasonDeadline, time.Second, "a"},
		{"stopped", replay.Waits(), cancel.Clocks{}, events.ReasonUser, time.Minute, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			scope := cancel.New(cancel.WithClocks(context.Background(), c.clocks))
			defer scope.Close()
			timer := time.AfterFunc(time.Minute, func() { scope.Cancel(cancel.User) })
			defer timer.Stop()
			began := time.Now()
			reply, err := stream.Collect((&replay.Scripted{Replies: []replay.Reply{c.reply}}).Stream(scope.Context(), ask("hi")))
			f, ok := events.AsFailure(err)
			require.True(t, ok, c.why)
			assert.Equal(t, c.want, f.Reason, c.why)
			assert.Equal(t, c.after, time.Since(began), c.why)
			assert.Equal(t, c.said, reply.Text(), c.why)
		})
	}
}

// TestWaitsRunTheClocks: a wait is one for the provider, and what was delivered before
// it counts as over a network.
func TestWaitsRunTheClocks(t *testing.T) {
	t.Parallel()
	const s = time.Second
	usage := replay.Events(started(), events.NewUsageUpdated(events.Usage{Input: events.Known(9)}), events.NewTextDelta(0, "It"))
	told := events.Usage{Input: events.Known(9)}
	for _, c := range []struct {
		why    string
		reply  replay.Reply
		clocks cancel.Clocks
		want   events.Reason
		after  time.Duration
		sent   events.Sent
		usage  events.Usage
	}{
		{"text came: silence", replay.Says("It").ThenWaits(), cancel.Clocks{FirstToken: s, Idle: 4 * s, Call: 9 * s}, events.ReasonIdle, 4 * s, events.Answered, events.Usage{}},
		{"text came: no progress", replay.Says("It").ThenWaits(), cancel.Clocks{FirstToken: s, Stall: 3 * s, Idle: 4 * s}, events.ReasonStall, 3 * s, events.Answered, events.Usage{}},
		{"a call came: no progress", replay.Calls(replay.Call("f", "{}")).ThenWaits(), cancel.Clocks{FirstToken: s, Stall: 3 * s}, events.ReasonStall, 3 * s, events.Answered, events.Usage{}},
		{"events came", usage.ThenWaits(), cancel.Clocks{FirstToken: s, Idle: 4 * s}, events.ReasonIdle, 4 * s, events.Answered, told},
		{"only the start came: no content", replay.Says("").ThenWaits(), cancel.Clocks{FirstToken: 2 * s, Idle: 4 * s, Stall: s}, events.ReasonFirstToken, 2 * s, events.Answered, events.Usage{}},
		{"only the start came: silence", replay.Says("").ThenWaits(), cancel.Clocks{FirstToken: 5 * s, Idle: 4 * s}, events.ReasonIdle, 4 * s, events.Answered, events.Usage{}},
		{"nothing came: no byte to count from", replay.Waits(), cancel.Clocks{FirstToken: 5 * s, Idle: s, Stall: s}, events.ReasonFirstToken, 5 * s, events.MaybeSent, events.Usage{}},
		{"text before it came", replay.Waits().WithText("It"), cancel.Clocks{FirstToken: s, Idle: 4 * s}, events.ReasonIdle, 4 * s, events.Answered, events.Usage{}},
		{"usage came", replay.Waits().WithUsage(7, 0), cancel.Clocks{FirstToken: 5 * s, Idle: s}, events.ReasonIdle, s, events.Answered, known(7, 0)},
		{"text and usage came", replay.Says("It").WithUsage(7, 2).ThenWaits(), cancel.Clocks{Idle: s}, events.ReasonIdle, s, events.Answered, known(7, 2)},
		{"usage of a script of events is its own", usage.WithUsage(7, 2).ThenWaits(), cancel.Clocks{Idle: s}, events.ReasonIdle, s, events.Answered, told},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			evs := allOf(cancel.WithClocks(t.Context(), c.clocks), &replay.Scripted{Replies: []replay.Reply{c.reply}}, ask("hi"))
			f := failure(t, evs)
			assert.Equal(t, events.TimedOut, f.Kind, c.why)
			assert.Equal(t, c.want, f.Reason, c.why)
			assert.Equal(t, c.after, time.Since(began), c.why)
			assert.Equal(t, c.sent, f.Sent, c.why)
			assert.Equal(t, c.usage, f.Usage, c.why)
		})
	}
}

// known is what Reply.WithUsage reports.
func known(input, output int64) events.Usage {
	none := events.Known(0)
	return events.Usage{
		Input: events.Known(input), CacheRead: none, CacheWrite: none, CacheWriteLong: none,
		Output: events.Known(output), Thinking: none, Final: true,
	}
}

// TestWaitsAreOfTheCall: several attempts share the call clock, and a consumer that
// takes its time uses none of it up.
func TestWaitsAreOfTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, call := cancel.Start(t.Context(), cancel.Clocks{Call: 5 * time.Second, FirstToken: time.Second, Idle: 3 * time.Second})
		defer call.Stop()
		m := &replay.Scripted{Replies: []replay.Reply{replay.Waits(), replay.Says("a b").ThenWaits(), replay.Says("a").ThenWaits()}}
		for _, want := range []events.Reason{events.ReasonFirstToken, events.ReasonIdle, events.ReasonDeadline} {
			var last events.Event
			for last = range m.Stream(ctx, ask("hi")) {
				time.Sleep(time.Hour)
			}
			assert.ErrorIs(t, last.Err(), &events.Failure{Kind: events.TimedOut, Reason: want})
		}
		assert.Equal(t, 5*time.Second, call.Waited())
	})
}

func TestOnWait(t *testing.T) {
	t.Parallel()
	scope := cancel.New(t.Context())
	defer scope.Close()
	waits, said := 0, ""
	reply := replay.Says("It").ThenWaits().OnWait(func() { waits++; scope.Cancel(cancel.User) })
	for ev := range (&replay.Scripted{Replies: []replay.Reply{reply}}).Stream(scope.Context(), ask("hi")) {
		said += ev.Text
		if ev.Kind == events.Failed {
			assert.ErrorIs(t, ev.Err(), cancel.User)
		} else {
			assert.Zero(t, waits, "not before the wait")
		}
	}
	assert.Equal(t, 1, waits)
	assert.Equal(t, "It", said)

	all(&replay.Scripted{Replies: []replay.Reply{replay.Says("It").OnWait(func() { waits++ })}}, ask("hi"))
	assert.Equal(t, 1, waits, "a reply that does not wait has no wait")

	f := failure(t, all(&replay.Scripted{Replies: []replay.Reply{replay.Waits().OnWait(func() { panic("mine") })}}, ask("hi")))
	assert.Equal(t, events.Crashed, f.Kind)
}

// TestOnWaitLetsAnotherGoroutineAct without a poll and without a sleep.
func TestOnWaitLetsAnotherGoroutineAct(t *testing.T) {
	t.Parallel()
	scope := cancel.New(t.Context())
	defer scope.Close()
	waiting := make(chan struct{})
	m := &replay.Scripted{Replies: []replay.Reply{replay.Waits().OnWait(func() { close(waiting) })}}
	go func() {
		<-waiting
		scope.Cancel(cancel.User)
	}()
	f := failure(t, allOf(scope.Context(), m, ask("hi")))
	assert.ErrorIs(t, f, cancel.User)
	assert.Equal(t, events.MaybeSent, f.Sent)
}

func TestSpentScripts(t *testing.T) {
	t.Parallel()
	for n, want := range []string{"the script has no replies", "the script has one reply, which was given", "the script has 2 replies, and all of them were given"} {
		m := &replay.Scripted{Replies: slices.Repeat([]replay.Reply{replay.Says("a")}, n)}
		for range n {
			all(m, ask("hi"))
		}
		assert.Equal(t, want, failure(t, all(m, ask("hi"))).Detail)
	}
}
