package messageswire_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

// anthropic is the profile of the tests.
func anthropic() messageswire.Profile { return messageswire.Profile{Origin: "anthropic"} }

// answered returns a transport that gives the body as an event stream.
func answered(body []byte) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body}
}

// play returns the events of one answer, by way of the real transport, so that
// they are held to the grammar.
func play(t testing.TB, answer *canned.Transport, p request.Prepared) []events.Event {
	t.Helper()
	client := transport.NewClient(&http.Client{Transport: answer})
	s := transport.Stream(context.Background(), client, func() (transport.Call, transport.Decoder, error) {
		return transport.Call{
			Provider: "anthropic", URL: "http://127.0.0.1/v1/messages", Failure: messageswire.FailureOf,
			Notices: p.Notices,
		}, messageswire.NewDecoder(p, anthropic()), nil
	})
	return slices.Collect(s)
}

// minting is a request in whose reply the first minted id is call_w1.
func minting() request.Prepared { return request.Prepared{FirstMinted: 1} }

func playBody(t testing.TB, body string) []events.Event {
	t.Helper()
	return play(t, answered([]byte(body)), minting())
}

// drive returns the events of a body without any HTTP about it: frames, decoder,
// guard, on one goroutine.
func drive(body string, size int) []events.Event { return driveFor(minting(), body, size) }

func driveFor(p request.Prepared, body string, size int) []events.Event {
	d := messageswire.NewDecoder(p, anthropic())
	return slices.Collect(validator.Guard(func(yield func(events.Event) bool) {
		started := false
		emit := func(e events.Event) bool {
			started = started || e.Kind == events.Started
			return yield(e)
		}
		end, left := decodeBody(d, &pieces{body, size}, emit)
		if left {
			return
		}
		last := d.End(end)
		if started || yield(events.NewStarted(events.Start{})) {
			yield(last)
		}
	}))
}

func decodeBody(d transport.Decoder, r io.Reader, emit func(events.Event) bool) (end transport.End, left bool) {
	frames := transport.NewFrameReader(r, transport.SSE, 0)
	watched := func(e events.Event) bool {
		left = left || !emit(e)
		return !left
	}
	for {
		frame, err := frames.Next()
		if err != nil {
			return transport.End{Kind: transport.EndEOF}, left
		}
		if len(frame.Data) == 0 {
			continue
		}
		state, err := d.Frame(frame, watched)
		switch f, _ := events.AsFailure(err); {
		case left:
			return transport.End{}, true
		case err != nil && frames.Unterminated():
			return transport.End{Kind: transport.EndInside}, false
		case err != nil:
			return transport.End{Kind: transport.EndError, Failure: f}, false
		case state == transport.Ended:
			return transport.End{Kind: transport.EndDone}, false
		}
	}
}

// pieces reads a text at most size bytes at a time.
type pieces struct {
	rest string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.rest == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// terminal returns the last event.
func terminal(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	require.NotEmpty(t, evs)
	last := evs[len(evs)-1]
	require.True(t, last.Kind.IsTerminal(), "last event %v", last)
	return last
}
