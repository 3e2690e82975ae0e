package canned

import (
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// A Wire reads the answer to one request as a wire family does. It holds no
// state: every method begins with a new decoder.
type Wire struct {
	// Provider is whose answer it is, for failures.
	Provider string
	// Framing is how the body is cut into frames.
	Framing transport.Framing
	// Failure reads an answer that is no stream, see transport.Call.
	Failure func(status int, header http.Header, body []byte) *events.Failure
	// Notices are what preparing the request had to tell.
	Notices []events.NoticeInfo
	// Decoder returns a new decoder for the reply to the request.
	Decoder func() transport.Decoder
}

// Answer returns a transport that gives the body as a stream of this wire.
func (w Wire) Answer(body []byte) *Transport {
	kind := "text/event-stream"
	switch w.Framing {
	case transport.NDJSON:
		kind = "application/x-ndjson"
	case transport.EventStream:
		kind = "application/vnd.amazon.eventstream"
	case transport.SSE, transport.SSEOrJSON:
	}
	return &Transport{Header: http.Header{"Content-Type": {kind}}, Body: body}
}

// Stream returns the reply that an answer makes, by way of the real transport
// and so held to the grammar. The test's context governs it.
func (w Wire) Stream(tb testing.TB, answer http.RoundTripper) stream.Stream {
	tb.Helper()
	client := transport.NewClient(&http.Client{Transport: answer})
	return transport.Stream(tb.Context(), client, func() (transport.Call, transport.Decoder, error) {
		return transport.Call{
			Provider: w.Provider, URL: "http://127.0.0.1/", Framing: w.Framing, Failure: w.Failure, Notices: w.Notices,
		}, w.Decoder(), nil
	})
}

// Play returns the events of [Wire.Stream].
func (w Wire) Play(tb testing.TB, answer http.RoundTripper) []events.Event {
	tb.Helper()
	return slices.Collect(w.Stream(tb, answer))
}

// Drive returns the events of a body that is read at most size bytes at a time,
// without any HTTP about it: frames, decoder, guard, on one goroutine.
func (w Wire) Drive(body []byte, size int) []events.Event {
	return slices.Collect(validator.Guard(func(yield func(events.Event) bool) {
		w.Decode(&pieces{body, size}, yield)
	}))
}

// Decode hands on the events of a body, from Started to the terminal, as the
// transport would and without its guard. It ends when emit returns false.
func (w Wire) Decode(body io.Reader, emit func(events.Event) bool) {
	d, started := w.Decoder(), false
	end, left := Feed(d, transport.NewFrameReader(body, w.Framing, 0), func(ev events.Event) bool {
		started = started || ev.Kind == events.Started
		return emit(ev)
	})
	if left {
		return
	}
	last := d.End(end)
	if started || emit(events.NewStarted(events.Start{})) {
		emit(last)
	}
}

// Feed gives a decoder its frames and returns how the body ended; left is true
// when emit returned false before.
func Feed(d transport.Decoder, frames *transport.FrameReader, emit func(events.Event) bool) (end transport.End, left bool) {
	watched := func(ev events.Event) bool {
		left = left || !emit(ev)
		return !left
	}
	for {
		frame, err := frames.Next()
		if err == io.EOF {
			return transport.End{Kind: transport.EndEOF}, left
		}
		if err != nil {
			return transport.End{Kind: transport.EndBroken, Failure: failureOr(events.ReasonLostConnection, err)}, left
		}
		if len(frame.Data) == 0 && !frame.Exception {
			continue
		}
		state, err := d.Frame(frame, watched)
		switch {
		case left:
			return transport.End{}, true
		case err != nil:
			f := failureOr(events.ReasonMalformed, err)
			if f.Reason == events.ReasonMalformed && frames.Unterminated() {
				return transport.End{Kind: transport.EndInside}, false // the last frame was cut, not garbled
			}
			return transport.End{Kind: transport.EndError, Failure: f}, false
		case state == transport.Ended:
			return transport.End{Kind: transport.EndDone}, false
		}
	}
}

// failureOr returns the failure that err is, or else one of that reason.
func failureOr(reason events.Reason, err error) *events.Failure {
	if f, ok := events.AsFailure(err); ok {
		return f
	}
	return events.NewFailure(events.InvalidReply, reason, err.Error())
}

// pieces reads a text at most size bytes at a time.
type pieces struct {
	rest []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
