package stream

import (
	"iter"

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
