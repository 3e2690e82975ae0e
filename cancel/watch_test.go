package cancel_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/cancel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// off is a clock that never fires.
const off = -1

// script is what a transport does before it waits without end.
type script func(w *cancel.Watch)

func pause(d time.Duration) script {
	return func(*cancel.Watch) { time.Sleep(d) }
}

func wait(d time.Duration) script {
	return func(w *cancel.Watch) {
		w.Enter()
		time.Sleep(d)
		w.Leave()
	}
}

func tail(d time.Duration) script {
	return func(w *cancel.Watch) { w.Tail(d) }
}

func TestWatchFires(t *testing.T) {
	t.Parallel()
	short := cancel.Clocks{Call: 100 * time.Second, FirstToken: 30 * time.Second, Idle: 10 * time.Second, Stall: 20 * time.Second}
	for _, tt := range []struct {
		name, why string
		limits    cancel.Clocks
		do        []script
		want      cancel.Reason
		at        time.Duration // after Start
	}{
		{"first token", "nothing came", cancel.Clocks{}, nil, cancel.FirstToken, 3 * time.Minute},
		{"idle", "the body began and went silent", cancel.Clocks{}, []script{wait(time.Second), (*cancel.Watch).Bytes}, cancel.Idle, 61 * time.Second},
		{"call", "with the others off only the call clock is left", cancel.Clocks{FirstToken: off, Idle: off}, nil, cancel.Deadline, 10 * time.Minute},
		{"stall is off by default", "idle comes first, and later the call", cancel.Clocks{Idle: off}, []script{(*cancel.Watch).Content}, cancel.Deadline, 10 * time.Minute},
		{"own limits", "a set clock overrides its default", short, nil, cancel.FirstToken, 30 * time.Second},
		{"stall", "content came, then only pings", short, []script{
			(*cancel.Watch).Bytes, (*cancel.Watch).Content,
			wait(8 * time.Second), (*cancel.Watch).Bytes, wait(8 * time.Second), (*cancel.Watch).Bytes,
		}, cancel.Stall, 20 * time.Second},
		{"content restarts stall", "a stall counts from the last content", short, []script{
			(*cancel.Watch).Content, wait(15 * time.Second), (*cancel.Watch).Content,
		}, cancel.Stall, 35 * time.Second},
		{"pings do not end the first-token clock", "a dead model behind a live gateway", short, []script{
			(*cancel.Watch).Bytes, wait(9 * time.Second), (*cancel.Watch).Bytes, wait(9 * time.Second),
			(*cancel.Watch).Bytes, wait(9 * time.Second), (*cancel.Watch).Bytes,
		}, cancel.FirstToken, 30 * time.Second},
		{"idle does not run before the first byte", "a head may take long", short, []script{wait(29 * time.Second)}, cancel.FirstToken, 30 * time.Second},
		{"a pause does not count", "the consumer works for an hour", short, []script{
			wait(29 * time.Second), pause(time.Hour),
		}, cancel.FirstToken, time.Hour + 30*time.Second},
		{"pauses between waits do not count for idle", "the consumer is slow", short, []script{
			(*cancel.Watch).Content, (*cancel.Watch).Bytes, wait(4 * time.Second), pause(time.Minute), wait(4 * time.Second), pause(time.Minute),
		}, cancel.Idle, 2*time.Minute + 10*time.Second},
		{"call sums up waits", "many waits, each short", cancel.Clocks{Call: 10 * time.Second}, []script{
			wait(4 * time.Second), pause(time.Minute), wait(4 * time.Second), pause(time.Minute),
		}, cancel.Deadline, 2*time.Minute + 10*time.Second},
		{"tail", "usage that never comes", short, []script{wait(time.Second), tail(2 * time.Second)}, cancel.Tail, 3 * time.Second},
		{
			"tail, the rest off", "idle, stall and first token no longer matter",
			cancel.Clocks{FirstToken: time.Second, Idle: time.Second, Stall: time.Second},
			[]script{(*cancel.Watch).Bytes, tail(5 * time.Second), (*cancel.Watch).Bytes, (*cancel.Watch).Content},
			cancel.Tail, 5 * time.Second,
		},
		{"tail, once", "a repeated end puts nothing off", short, []script{tail(2 * time.Second), wait(time.Second), tail(2 * time.Second)}, cancel.Tail, 2 * time.Second},
		{"tail of nothing", "no wait at all is allowed", short, []script{pause(time.Second), tail(-1)}, cancel.Tail, time.Second},
		{"call before tail", "the call clock goes on", cancel.Clocks{Call: 3 * time.Second}, []script{wait(2 * time.Second), tail(2 * time.Second)}, cancel.Deadline, 3 * time.Second},
		{"a tie", "the call clock names the reason", cancel.Clocks{Call: time.Second, FirstToken: time.Second}, nil, cancel.Deadline, time.Second},
		{"enter twice", "waits do not nest", short, []script{(*cancel.Watch).Enter, pause(time.Second), (*cancel.Watch).Enter}, cancel.FirstToken, 30 * time.Second},
		{"leave alone", "nothing to end", short, []script{pause(time.Second), (*cancel.Watch).Leave}, cancel.FirstToken, 31 * time.Second},
		{"bytes in a wait", "a clock that starts in a wait is due before the alarm", short, []script{
			(*cancel.Watch).Enter, pause(time.Second), (*cancel.Watch).Bytes,
		}, cancel.Idle, 11 * time.Second},
		{"a huge limit", "saturates instead of wrapping around", cancel.Clocks{FirstToken: 1<<63 - 1, Idle: 1<<63 - 2, Call: time.Hour}, []script{
			wait(time.Second), (*cancel.Watch).Bytes,
		}, cancel.Deadline, time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, tt.why)
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				ctx, w := cancel.Start(t.Context(), tt.limits)
				defer w.Stop()
				for _, do := range tt.do {
					do(w)
				}
				require.NoError(t, ctx.Err(), "fired too early")
				w.Enter()
				<-ctx.Done()
				assert.Equal(t, tt.at, time.Since(begin))
				assert.Equal(t, error(tt.want), context.Cause(ctx))
				got, ok := w.Fired()
				assert.True(t, ok)
				assert.Equal(t, tt.want, got)
			})
		})
	}
}

func TestWatchOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, w := cancel.Start(t.Context(), cancel.Clocks{Call: off, FirstToken: off, Idle: off, Stall: off})
		defer w.Stop()
		w.Enter()
		w.Bytes()
		w.Content()
		time.Sleep(1000 * time.Hour)
		synctest.Wait()
		assert.NoError(t, ctx.Err())
	})
}

func TestWatchIsExact(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		wait time.Duration
		want bool
	}{
		{"a nanosecond short of due", time.Second - 1, false},
		{"due", time.Second, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, w := cancel.Start(t.Context(), cancel.Clocks{FirstToken: time.Second})
			defer w.Stop()
			wait(tt.wait)(w)
			time.Sleep(time.Hour)
			synctest.Wait()
			w.Enter()
			assert.Equal(t, tt.want, ctx.Err() != nil, tt.why)
		})
	}
}

// A wait that used a clock up without its timer being heard is caught by the
// next wait, without a timer.
func TestWatchFiresInEnter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, w := cancel.Start(t.Context(), cancel.Clocks{FirstToken: time.Second})
		defer w.Stop()
		w.Tail(0)
		w.Enter()
		assert.Equal(t, error(cancel.Tail), context.Cause(ctx))
	})
}

func TestWatchCancelledFromOutside(t *testing.T) {
	t.Parallel()
	for _, reason := range []cancel.Reason{cancel.Superseded, cancel.Tail} {
		synctest.Test(t, func(t *testing.T) {
			scope := cancel.New(t.Context())
			ctx, w := cancel.Start(scope.Context(), cancel.Clocks{Call: off})
			defer w.Stop()
			w.Enter()
			time.Sleep(time.Minute)
			scope.Cancel(reason)
			time.Sleep(time.Hour)
			synctest.Wait()
			w.Leave()
			w.Enter()
			w.Tail(0)
			assert.Equal(t, error(reason), context.Cause(ctx))
			_, fired := w.Fired()
			assert.False(t, fired, "a clock that is due later did not cancel")
		})
	}
}

func TestWatchStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, w := cancel.Start(t.Context(), cancel.Clocks{})
		w.Enter()
		w.Stop()
		w.Stop()
		assert.Equal(t, context.Canceled, context.Cause(ctx))
		w.Enter()
		w.Tail(0)
		time.Sleep(time.Hour)
		synctest.Wait()
		_, fired := w.Fired()
		assert.False(t, fired)
		_, typed := cancel.ReasonOf(ctx)
		assert.False(t, typed)
	})
}

func TestWatchStopKeepsCause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, w := cancel.Start(t.Context(), cancel.Clocks{})
		w.Enter()
		<-ctx.Done()
		w.Stop()
		assert.Equal(t, error(cancel.FirstToken), context.Cause(ctx))
		r, fired := w.Fired()
		assert.True(t, fired)
		assert.Equal(t, cancel.FirstToken, r)
	})
}

func TestWatchInContext(t *testing.T) {
	t.Parallel()
	_, ok := cancel.FromContext(t.Context())
	assert.False(t, ok)
	ctx, outer := cancel.Start(t.Context(), cancel.Clocks{})
	defer outer.Stop()
	got, ok := cancel.FromContext(ctx)
	assert.True(t, ok)
	assert.Same(t, outer, got)
	below, inner := cancel.Start(ctx, cancel.Clocks{})
	got, _ = cancel.FromContext(below)
	assert.Same(t, inner, got)
	inner.Stop()
	assert.NoError(t, ctx.Err(), "the hidden watch is not stopped")
}

// model keeps a plain stopwatch per clock and moves them second by second.
type model struct {
	left    map[cancel.Reason]int // seconds left of the clocks that run
	limits  map[cancel.Reason]int
	waiting bool
	tailing bool
	fired   cancel.Reason
}

func (m *model) second() {
	if !m.waiting || m.fired != "" {
		return
	}
	for r := range m.left {
		m.left[r]--
	}
	m.check()
}

func (m *model) check() {
	if !m.waiting || m.fired != "" {
		return
	}
	for _, r := range []cancel.Reason{cancel.Deadline, cancel.FirstToken, cancel.Idle, cancel.Stall, cancel.Tail} {
		if left, ok := m.left[r]; ok && left <= 0 {
			m.fired = r
			return
		}
	}
}

func (m *model) restart(r cancel.Reason) {
	if !m.tailing {
		m.left[r] = m.limits[r]
	}
}

func (m *model) tail(seconds int) {
	if m.tailing {
		return
	}
	m.tailing = true
	for _, r := range []cancel.Reason{cancel.FirstToken, cancel.Idle, cancel.Stall} {
		delete(m.left, r)
	}
	m.left[cancel.Tail] = seconds
	m.check()
}

// step is one call of a script for watch and model, or a sleep.
type step struct {
	op      string
	seconds int // of a sleep or tail
}

func TestWatchAgreesWithModel(t *testing.T) {
	t.Parallel()
	steps := rapid.Custom(func(rt *rapid.T) step {
		return step{
			rapid.SampledFrom([]string{"enter", "leave", "bytes", "content", "tail", "sleep", "sleep", "sleep"}).Draw(rt, "op"),
			rapid.IntRange(0, 8).Draw(rt, "seconds"),
		}
	})
	rapid.Check(t, func(rt *rapid.T) {
		limits := map[cancel.Reason]int{
			cancel.Deadline: rapid.IntRange(1, 40).Draw(rt, "call"), cancel.FirstToken: rapid.IntRange(1, 20).Draw(rt, "first"),
			cancel.Idle: rapid.IntRange(1, 10).Draw(rt, "idle"), cancel.Stall: rapid.IntRange(1, 15).Draw(rt, "stall"),
		}
		script := rapid.SliceOfN(steps, 1, 40).Draw(rt, "steps")
		// A bubble is no place for rapid's panics: compare in it, fail outside.
		var got, want []string
		synctest.Test(t, func(t *testing.T) { got, want = play(t, limits, script) })
		require.Equal(rt, want, got)
	})
}

// play returns what the watch and the model said after each step and second.
func play(t *testing.T, limits map[cancel.Reason]int, script []step) (got, want []string) {
	seconds := func(r cancel.Reason) time.Duration { return time.Duration(limits[r]) * time.Second }
	ctx, w := cancel.Start(t.Context(), cancel.Clocks{
		Call: seconds(cancel.Deadline), FirstToken: seconds(cancel.FirstToken), Idle: seconds(cancel.Idle), Stall: seconds(cancel.Stall),
	})
	defer w.Stop()
	m := &model{limits: limits, left: map[cancel.Reason]int{
		cancel.Deadline: limits[cancel.Deadline], cancel.FirstToken: limits[cancel.FirstToken],
	}}
	note := func(op string) {
		fired, ok := w.Fired()
		got = append(got, fmt.Sprintln(op, fired, ok, context.Cause(ctx)))
		var cause error
		if m.fired != "" {
			cause = m.fired
		}
		want = append(want, fmt.Sprintln(op, m.fired, m.fired != "", cause))
	}
	for _, s := range script {
		if s.op != "sleep" {
			call(w, s)
			m.call(s)
			note(s.op)
			continue
		}
		for range s.seconds {
			time.Sleep(time.Second)
			synctest.Wait()
			m.second()
			note(s.op)
		}
	}
	return got, want
}

func call(w *cancel.Watch, s step) {
	switch s.op {
	case "enter":
		w.Enter()
	case "leave":
		w.Leave()
	case "bytes":
		w.Bytes()
	case "content":
		w.Content()
	case "tail":
		w.Tail(time.Duration(s.seconds) * time.Second)
	}
}

func (m *model) call(s step) {
	switch s.op {
	case "enter":
		m.waiting = true
		m.check()
	case "leave":
		m.waiting = false
	case "bytes":
		m.restart(cancel.Idle)
	case "content":
		if !m.tailing {
			delete(m.left, cancel.FirstToken)
		}
		m.restart(cancel.Stall)
	case "tail":
		m.tail(s.seconds)
	}
}

// The real clock, for the race detector: timers fire while others call.
func TestWatchRaces(t *testing.T) {
	t.Parallel()
	for range 200 {
		ctx, w := cancel.Start(t.Context(), cancel.Clocks{Call: 200 * time.Microsecond, FirstToken: 100 * time.Microsecond, Idle: 50 * time.Microsecond, Stall: 50 * time.Microsecond})
		var wg sync.WaitGroup
		wg.Go(func() {
			for ctx.Err() == nil {
				w.Enter()
				w.Leave()
				w.Bytes()
			}
		})
		wg.Go(func() {
			for ctx.Err() == nil {
				w.Content()
				_, _ = w.Fired()
			}
		})
		wg.Wait()
		w.Stop()
		r, ok := w.Fired()
		require.True(t, ok)
		require.Equal(t, error(r), context.Cause(ctx))
	}
}

func TestWatchWaitsWithoutAllocation(t *testing.T) {
	_, w := cancel.Start(t.Context(), cancel.Clocks{})
	defer w.Stop()
	w.Enter()
	w.Leave()
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		w.Enter()
		w.Leave()
		w.Bytes()
		w.Content()
	}))
}

func BenchmarkWait(b *testing.B) {
	_, w := cancel.Start(b.Context(), cancel.Clocks{Call: off})
	defer w.Stop()
	b.ReportAllocs()
	for b.Loop() {
		w.Enter()
		w.Leave()
	}
}

func BenchmarkWaitBytesContent(b *testing.B) {
	_, w := cancel.Start(b.Context(), cancel.Clocks{Call: off, Stall: time.Minute})
	defer w.Stop()
	b.ReportAllocs()
	for b.Loop() {
		w.Enter()
		w.Leave()
		w.Bytes()
		w.Content()
	}
}

func BenchmarkStartStop(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, w := cancel.Start(b.Context(), cancel.Clocks{})
		w.Enter()
		w.Leave()
		w.Stop()
	}
}
