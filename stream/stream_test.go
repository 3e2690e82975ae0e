package stream_test

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// kinds returns the kinds of what s yields.
func kinds(s stream.Stream) []events.Kind {
	var found []events.Kind
	for ev := range s {
		found = append(found, ev.Kind)
	}
	return found
}

func requireFailure(t *testing.T, err error) *events.Failure {
	t.Helper()
	f, ok := events.AsFailure(err)
	require.True(t, ok, "a failure is due, got %v", err)
	return f
}

func TestNewIsLazyAndSingleUse(t *testing.T) {
	t.Parallel()
	runs := 0
	s := stream.New(func(emit func(events.Event) bool) {
		runs++
		play(started(), text(0, "a"), completed(events.StopEnd))(emit)
	})
	require.Zero(t, runs, "making a stream does nothing")
	require.Equal(t, []events.Kind{events.Started, events.TextDelta, events.Completed}, kinds(s))

	again := slices.Collect(s)
	require.Len(t, again, 2)
	assert.Equal(t, events.Started, again[0].Kind)
	f := requireFailure(t, again[1].Err())
	assert.Equal(t, events.InvalidRequest, f.Kind)
	assert.Equal(t, events.ReasonStreamUsed, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.Equal(t, 1, runs)
}

func TestSecondRangeInsideTheFirst(t *testing.T) {
	t.Parallel()
	s := stream.New(play(started(), completed(events.StopEnd)))
	for range s {
		require.Equal(t, []events.Kind{events.Started, events.Failed}, kinds(s))
	}
}

func TestConcurrentRangesRunOnce(t *testing.T) {
	t.Parallel()
	var runs, used atomic.Int32
	s := stream.New(func(emit func(events.Event) bool) {
		runs.Add(1)
		play(started(), completed(events.StopEnd))(emit)
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := stream.Collect(s); errors.Is(err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonStreamUsed}) {
				used.Add(1)
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, 1, runs.Load())
	assert.EqualValues(t, 7, used.Load())
}

func TestEmitAfterTheEnd(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why string
		run       func(emit func(events.Event) bool) bool
		take      int
		want      []events.Kind
	}{
		{"after completed", "nothing follows a terminal", func(emit func(events.Event) bool) bool {
			return emit(completed(events.StopEnd)) && !emit(text(0, "late")) && !emit(failed(events.Other, ""))
		}, 9, []events.Kind{events.Completed}},
		{"after failed", "nothing follows a terminal", func(emit func(events.Event) bool) bool {
			return emit(failed(events.Other, "")) && !emit(completed(events.StopEnd))
		}, 9, []events.Kind{events.Failed}},
		{"after break", "the consumer has left", func(emit func(events.Event) bool) bool {
			return !emit(started()) && !emit(text(0, "late")) && !emit(completed(events.StopEnd))
		}, 1, []events.Kind{events.Started}},
		{"no terminal", "the grammar is not New's matter", func(emit func(events.Event) bool) bool {
			return emit(started())
		}, 9, []events.Kind{events.Started}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			answered := false
			var got []events.Kind
			for ev := range stream.New(func(emit func(events.Event) bool) { answered = row.run(emit) }) {
				if got = append(got, ev.Kind); len(got) == row.take {
					break
				}
			}
			assert.Equal(t, row.want, got, row.why)
			assert.True(t, answered, "emit says whether to go on")
		})
	}
}

func TestEmitAfterReturn(t *testing.T) {
	t.Parallel()
	var kept func(events.Event) bool
	require.Empty(t, kinds(stream.New(func(emit func(events.Event) bool) { kept = emit })))
	assert.False(t, kept(started()), "a range function that yields after its end is a fault of the runtime")
}

func TestCrash(t *testing.T) {
	t.Parallel()
	var none []int
	for _, row := range []struct {
		name, why string
		before    []events.Event
		crash     func()
		want      []events.Kind
		detail    string
	}{
		{"before anything", "Started comes first", nil, func() { panic("x") }, []events.Kind{events.Started, events.Failed}, "panic of type string in"},
		{"in the middle", "no second Started", []events.Event{started(), text(0, "a")}, func() { panic("x") }, []events.Kind{events.Started, events.TextDelta, events.Failed}, "string"},
		{"runtime error", "its text holds no data", []events.Event{started()}, func() { _ = none[3] }, []events.Kind{events.Started, events.Failed}, "index out of range [3]"},
		{"the place", "the stack is lost, so its top is told", []events.Event{started()}, func() { panic("x") }, []events.Kind{events.Started, events.Failed}, "stream_test.go:"},
		{"error value", "its text may hold anything", []events.Event{started()}, func() { panic(errors.New("sk-live-0123456789")) }, []events.Kind{events.Started, events.Failed}, "panic of type *errors.errorString"},
		{"nil", "panic(nil) is a panic", []events.Event{started()}, func() { panic(any(nil)) }, []events.Kind{events.Started, events.Failed}, "nil"}, //nolint:govet // this very panic is tested
		{"after the terminal", "there is one terminal", []events.Event{started(), completed(events.StopEnd)}, func() { panic("x") }, []events.Kind{events.Started, events.Completed}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := slices.Collect(stream.New(func(emit func(events.Event) bool) {
				play(row.before...)(emit)
				row.crash()
			}))
			require.Equal(t, row.want, kinds(play(got...)), row.why)
			if row.detail == "" {
				return
			}
			f := requireFailure(t, got[len(got)-1].Err())
			assert.Equal(t, events.Crashed, f.Kind)
			assert.Equal(t, events.MaybeSent, f.Sent)
			assert.Contains(t, f.Detail, row.detail, row.why)
			assert.NotContains(t, f.Detail, "sk-live", "a panic value is not printed")
		})
	}
}

func TestCrashAfterBreakIsContained(t *testing.T) {
	t.Parallel()
	for range stream.New(func(emit func(events.Event) bool) {
		defer func() { panic("in clean-up") }()
		emit(started())
	}) {
		break
	}
}

// consumerScript is what the loop bodies below leave at each event of.
func consumerScript() []events.Event {
	return []events.Event{started(), think(0, "h"), text(1, "a"), text(1, "b"), usage(1, 2), completed(events.StopEnd)}
}

// watched is a stream that tells what happened to its run.
type watched struct {
	stream.Stream
	closed, extra int
}

// watch makes a run that goes on emitting although it was told to stop, and that
// emits in its clean-up.
func watch(evs []events.Event) *watched {
	w := new(watched)
	w.Stream = stream.New(func(emit func(events.Event) bool) {
		defer func() {
			w.closed++
			if emit(failed(events.Other, "")) {
				w.extra++
			}
		}()
		stopped := false
		for _, ev := range evs {
			if ok := emit(ev); ok && stopped {
				w.extra++
			} else if !ok {
				stopped = true
			}
		}
	})
	return w
}

func (w *watched) check(t *testing.T) {
	t.Helper()
	assert.Equal(t, 1, w.closed, "closed once")
	assert.Zero(t, w.extra, "nothing is yielded after the consumer left")
}

// layers are the ways to pass a stream on; each must leave exits alone.
func layers() map[string]func(stream.Stream) stream.Stream {
	return map[string]func(stream.Stream) stream.Stream{
		"bare":     func(s stream.Stream) stream.Stream { return s },
		"tap":      func(s stream.Stream) stream.Stream { return stream.Tap(s, func(events.Event) {}) },
		"coalesce": func(s stream.Stream) stream.Stream { return stream.Coalesce(s, 1) },
		"nested": func(s stream.Stream) stream.Stream {
			return stream.New(func(emit func(events.Event) bool) { s(emit) })
		},
	}
}

func TestExitsAtEveryEvent(t *testing.T) {
	t.Parallel()
	for name, layer := range layers() {
		for at := range consumerScript() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				t.Run("break", func(t *testing.T) { breakAt(t, layer, at) })
				t.Run("panic", func(t *testing.T) { panicAt(t, layer, at) })
				t.Run("goexit", func(t *testing.T) { goexitAt(t, layer, at) })
			})
		}
	}
}

func breakAt(t *testing.T, layer func(stream.Stream) stream.Stream, at int) {
	t.Helper()
	w := watch(consumerScript())
	n := 0
	for range layer(w.Stream) {
		if n++; n > at {
			break
		}
	}
	assert.Equal(t, at+1, n)
	w.check(t)
}

// aPanic is a value of its own type, to be found unchanged.
type aPanic struct{ at int }

func panicAt(t *testing.T, layer func(stream.Stream) stream.Stream, at int) {
	t.Helper()
	w := watch(consumerScript())
	n := 0
	v, trace := caught(func() {
		for range layer(w.Stream) {
			if n++; n > at {
				panicDeep(at)
			}
		}
	})
	assert.Equal(t, aPanic{at}, v, "the value is the consumer's own")
	assert.Contains(t, trace, "stream_test.panicDeep", "the stack is the one of the panic")
	assert.Equal(t, at+1, n)
	w.check(t)
}

//go:noinline
func panicDeep(at int) { panic(aPanic{at}) }

// caught returns the panic of f and the stack that it unwinds from.
func caught(f func()) (v any, trace string) {
	defer func() {
		v = recover()
		buf := make([]byte, 1<<16)
		trace = string(buf[:runtime.Stack(buf, false)])
	}()
	f()
	return nil, ""
}

func goexitAt(t *testing.T, layer func(stream.Stream) stream.Stream, at int) {
	t.Helper()
	w := watch(consumerScript())
	n, returned, panicked := 0, false, any(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		for range layer(w.Stream) {
			if n++; n > at {
				runtime.Goexit()
			}
		}
		returned = true
	}()
	<-done
	assert.False(t, returned, "a Goexit ends the goroutine")
	assert.Nil(t, panicked, "a Goexit is no panic")
	assert.Equal(t, at+1, n)
	w.check(t)
}

func TestRunThatRecoversTheConsumersPanic(t *testing.T) {
	t.Parallel()
	extra, after := 0, 0
	s := stream.New(func(emit func(events.Event) bool) {
		func() {
			defer func() { _ = recover() }()
			emit(started())
		}()
		for range 3 {
			if emit(text(0, "again")) {
				extra++
			}
		}
		panic("and a panic of its own")
	})
	v, _ := caught(func() {
		s(func(events.Event) bool {
			after++
			panic(aPanic{1})
		})
	})
	assert.Equal(t, "and a panic of its own", v, "whose turn it is cannot be told any more, so nothing is contained")
	assert.Zero(t, extra)
	assert.Equal(t, 1, after)
}

func TestPanicOnTheCrashEvent(t *testing.T) {
	t.Parallel()
	v, trace := caught(func() {
		for ev := range stream.New(func(func(events.Event) bool) { panic("adapter") }) {
			if ev.Kind == events.Failed {
				panicDeep(7)
			}
		}
	})
	assert.Equal(t, aPanic{7}, v)
	assert.Contains(t, trace, "panicDeep")
	assert.NotContains(t, trace, "stream.relay", "the crash is told outside of its own defer")
}

func TestGoexitOfTheRun(t *testing.T) {
	t.Parallel()
	done, closed := make(chan struct{}), false
	go func() {
		defer close(done)
		for range stream.New(func(emit func(events.Event) bool) {
			defer func() { closed = true }()
			emit(started())
			runtime.Goexit()
		}) {
			continue
		}
	}()
	<-done
	assert.True(t, closed)
}

func TestFail(t *testing.T) {
	t.Parallel()
	given := events.NewFailure(events.Rejected, events.ReasonAuth, "no key")
	s := stream.Fail(given)
	given.Kind = events.Other
	r, err := stream.Collect(s)
	f := requireFailure(t, err)
	assert.Equal(t, events.Rejected, f.Kind, "the failure was copied")
	assert.Equal(t, stream.OutcomeFailed, r.Outcome())
	_, err = stream.Collect(s)
	assert.Equal(t, events.ReasonStreamUsed, requireFailure(t, err).Reason)

	_, err = stream.Collect(stream.Fail(nil))
	assert.Equal(t, events.Other, requireFailure(t, err).Kind)
}
