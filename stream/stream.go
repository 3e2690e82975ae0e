package stream

import (
	"iter"
	"sync/atomic"

	"github.com/weirsdk/weir/events"
)

// A Stream is one reply in progress: a sequence of events that ends with exactly
// one terminal. The failure, if any, is the last event, so a plain range cannot
// drop it:
//
//	for ev := range s {
//		...
//	}
//
// A Stream is lazy and single-use: making one does nothing, ranging it does the
// work on the ranging goroutine, leaving the loop closes everything. Ranging it
// a second time yields Started and Failed{invalid_request/stream_used, not_sent}
// and does nothing else. It is not for concurrent use.
type Stream = iter.Seq[events.Event]

// New returns the stream that run makes. Nothing happens until the stream is
// ranged; then run is called once, on the ranging goroutine, and what it hands
// to emit is yielded. A second range, at any time and from any goroutine, does
// not call run: it yields Started and Failed{invalid_request/stream_used,
// not_sent}.
//
// emit reports whether to go on. It returns false, and yields nothing, once the
// consumer has left the loop in any way, run has emitted a terminal, or run has
// returned. Call it from the goroutine that run was called on, never from two
// at once. run closes what it opens with defer, so that it is closed on every
// exit.
//
// A panic of run itself becomes Failed with kind crashed, after a Started if
// nothing was emitted yet; its detail names the place, the type of the value
// and, of runtime errors, the text. Other values are not printed: they may hold
// a secret. When the consumer has left already, or has the terminal, such a
// panic is contained and there is nobody to tell.
//
// A panic or runtime.Goexit that comes out of emit is the consumer's. New
// leaves it alone: it unwinds through run's defers with its own value and stack.
// A run that recovers it nevertheless cannot emit any more.
//
// New does not check the grammar: a run that returns without a terminal gives a
// stream without one. validator.Guard and [Collect] turn that into a failure.
func New(run func(emit func(events.Event) bool)) Stream {
	var used atomic.Bool
	return func(yield func(events.Event) bool) {
		if used.Swap(true) {
			fail(usedFailure(), fresh, yield)
			return
		}
		if crashed, before := relay(run, yield); crashed != nil {
			fail(crashed, before, yield)
		}
	}
}

// Fail returns a stream that yields Started and Failed with a copy of f. A nil f
// fails with kind other.
func Fail(f *events.Failure) Stream {
	failed := events.NewFailed(f)
	return New(func(emit func(events.Event) bool) {
		if emit(events.NewStarted(events.Start{})) {
			emit(failed)
		}
	})
}

func usedFailure() *events.Failure {
	f := events.NewFailure(events.InvalidRequest, events.ReasonStreamUsed, "a stream can be ranged once")
	f.Sent = events.NotSent
	return f
}
