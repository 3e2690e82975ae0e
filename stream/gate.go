package stream

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/weirsdk/weir/events"
)

// A turn says whose code is at work between a run and the consumer's yield, so
// that a panic can be told to be the one's or the other's without a recover
// around yield.
type turn uint8

const (
	// fresh: the run is at work and has emitted nothing yet.
	fresh turn = iota
	// open: the run is at work and may emit.
	open
	// yielding: the consumer's loop body is at work. It stays so when the body
	// does not return.
	yielding
	// shut: the consumer has left or has the terminal, or the run is over.
	shut
)

// relay hands what run emits to yield. When run itself panics, relay returns
// that as a failure and whose turn it was before. The consumer's panic is not
// recovered: a recover, even one that panics again, would lose its stack, turn a
// Goexit into something else, and make a range statement report a fault of the
// iterator.
//
// State and yield are captured variables and not fields of a struct: that halves
// the cost of an event.
func relay(run func(emit func(events.Event) bool), yield func(events.Event) bool) (crashed *events.Failure, before turn) {
	at := fresh
	defer func() {
		if at == yielding {
			return
		}
		if v := recover(); v != nil {
			crashed, before = crashFailure(v), at
		}
		at = shut
	}()
	run(func(ev events.Event) bool {
		if at > open {
			return false
		}
		at = yielding
		if !yield(ev) {
			at = shut
			return false
		}
		at = open
		if ev.Kind.IsTerminal() {
			at = shut
		}
		return true
	})
	return nil, shut
}

// fail yields a failure, after a Started if nothing was yielded before.
func fail(f *events.Failure, before turn, yield func(events.Event) bool) {
	if before > open || before == fresh && !yield(events.NewStarted(events.Start{})) {
		return
	}
	yield(events.NewFailed(f))
}

// crashFailure must be called while the panicking frames are still on the stack.
func crashFailure(v any) *events.Failure {
	text := fmt.Sprintf("panic of type %T", v)
	if err, ok := v.(runtime.Error); ok {
		text = err.Error()
	}
	f := events.NewFailure(events.Crashed, "", text+panicPlace())
	f.Sent = events.MaybeSent
	return f
}

// panicPlace returns " in function (file:line)" of the frame that panicked, or
// nothing.
func panicPlace() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicking := false
	for {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if panicking && !inRuntime && frame.Function != "" {
			return fmt.Sprintf(" in %s (%s:%d)", frame.Function, path.Base(frame.File), frame.Line)
		}
		panicking = panicking || inRuntime && strings.HasPrefix(frame.Function, "runtime.gopanic")
		if !more {
			return ""
		}
	}
}
