package transport

import "github.com/weirsdk/weir/events"

// A Frame is one unit of a streamed body: an SSE event, an NDJSON line, or a
// message of an AWS event stream.
type Frame struct {
	// Name is the event name of an SSE event; empty when it has none, and for
	// NDJSON. Of a message it is the event type, the type of the exception, or the
	// code of the error.
	Name []byte
	// Data is the data of the SSE event, the line, the payload of the message, or
	// the text of the error. Never empty, but for an exception.
	Data []byte
	// Exception: the message is of type exception or error instead of event.
	Exception bool
}

// A State says what a decoder expects after a frame.
type State uint8

const (
	// Open: the reply goes on.
	Open State = iota
	// Ending: the provider's terminal evidence was read; only usage or the end
	// marker can follow. The transport reads on for at most Limits.TailWait.
	Ending
	// Ended: nothing more is expected; the transport stops reading.
	Ended
)

// A Decoder turns one reply's frames into events. It is pure: no context, clock,
// goroutine or socket. It is made for one reply and used from one goroutine.
type Decoder interface {
	// Frame decodes one frame and hands its events to emit, in order. Name and
	// Data are valid until Frame returns. When emit returns false the consumer
	// has left: return at once, with any state and a nil error. The first event
	// of a decoder is Started; it never emits a terminal, and no empty delta (see
	// [EmitDelta]). What preparing the request had to tell is Call.Notices.
	//
	// An error ends the reading: an in-band error of the provider, or
	// invalid_reply/malformed for what cannot be read. It should be or wrap an
	// *events.Failure and comes back in End. The transport fills in provider,
	// request id, rate limits and evidence; usage is the decoder's.
	Frame(frame Frame, emit func(events.Event) bool) (State, error)
	// End returns the terminal event: Completed when the terminal evidence was
	// read, else Failed as end says.
	End(end End) events.Event
}

// An End says how the body of a reply ended.
type End struct {
	// Kind says how.
	Kind EndKind
	// Failure is the failure that the transport would report for this end, the
	// decoder's own to change; nil with EndDone, which a decoder without terminal
	// evidence never brings about. A decoder that is given one sets its Usage to what
	// it has seen and returns it as events.NewFailed.
	Failure *events.Failure
}

// EndKind says how a body ended.
type EndKind uint8

const (
	// EndDone: the decoder said Ended, or said Ending, and then the body ended in
	// any way, or nothing came any more.
	EndDone EndKind = iota
	// EndEOF: the body ended cleanly at a frame's edge.
	EndEOF
	// EndInside: the body ended cleanly inside a frame that could not be read.
	EndInside
	// EndBroken: the body broke, or a clock fired, or the user cancelled.
	EndBroken
	// EndError: Frame returned an error.
	EndError
)
