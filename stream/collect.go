package stream

import (
	"iter"

	"github.com/weirsdk/weir/events"
)

// Collect ranges s to its terminal and returns the fold. The Reply is never nil.
// The error is an *events.Failure when the stream ended with Failed, and nil when
// it ended with Completed, whatever the outcome: a refusal is a reply. Beside an
// error the Reply has what came before it.
//
// A stream without a terminal fails as invalid_reply/truncated, in the Reply too.
func Collect(s Stream) (*Reply, error) {
	r := new(Reply)
	for ev := range s {
		r.Add(ev)
		if ev.Kind.IsTerminal() {
			return r, r.Err()
		}
	}
	f := unfinished()
	f.Usage = r.Usage()
	r.Add(events.NewFailed(f))
	return r, r.Err()
}

// Text returns the pieces of the visible answer as they arrive. When the stream
// fails, the last pair is an empty text with the *events.Failure; a stream
// without a terminal fails as invalid_reply/truncated. Thinking, refusals and
// tool calls are passed over. Like the stream it is lazy and can be ranged once.
func Text(s Stream) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for ev := range s {
			switch ev.Kind {
			case events.TextDelta:
				if !yield(ev.Text, nil) {
					return
				}
			case events.Completed:
				return
			case events.Failed:
				yield("", ev.Err())
				return
			default:
			}
		}
		yield("", unfinished())
	}
}

func unfinished() *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonTruncated, "the stream ended without a terminal")
}
