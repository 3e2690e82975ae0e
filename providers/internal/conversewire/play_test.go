package conversewire_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

// bedrock is the profile of the tests.
func bedrock() conversewire.Profile { return conversewire.Profile{Origin: "bedrock"} }

// framed returns a body that is written as server-sent events, for people to read,
// as an event stream. Names that end in Exception are exceptions.
func framed(text string) []byte {
	frames := transport.NewFrameReader(strings.NewReader(text), transport.SSE, 0)
	var body []byte
	for {
		f, err := frames.Next()
		if err != nil {
			return body
		}
		f.Exception = bytes.HasSuffix(f.Name, []byte("Exception"))
		body = transport.AppendMessage(body, f)
	}
}

// answered returns a transport that gives the body as an event stream.
func answered(body []byte) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"application/vnd.amazon.eventstream"}}, Body: body}
}

// play returns the events of one answer, by way of the real transport, so that
// they are held to the grammar.
func play(t testing.TB, answer *canned.Transport, p request.Prepared) []events.Event {
	t.Helper()
	client := transport.NewClient(&http.Client{Transport: answer})
	s := transport.Stream(context.Background(), client, func() (transport.Call, transport.Decoder, error) {
		return transport.Call{
			Provider: "bedrock", URL: "http://127.0.0.1/model/m/converse-stream", Framing: transport.EventStream,
			Failure: conversewire.FailureOf, Notices: p.Notices,
		}, conversewire.NewDecoder(p, bedrock()), nil
	})
	return slices.Collect(s)
}

// minting is a request in whose reply the first minted id is call_w1.
func minting() request.Prepared { return request.Prepared{FirstMinted: 1} }

// drive returns the events of a body without any HTTP about it: frames, decoder,
// guard, on one goroutine.
func drive(d transport.Decoder, body []byte, size int) []events.Event {
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
	frames := transport.NewFrameReader(r, transport.EventStream, 0)
	watched := func(e events.Event) bool {
		left = left || !emit(e)
		return !left
	}
	for {
		frame, err := frames.Next()
		if f, failed := events.AsFailure(err); failed {
			return transport.End{Kind: transport.EndBroken, Failure: f}, left
		}
		if err != nil {
			return transport.End{Kind: transport.EndEOF}, left
		}
		if len(frame.Data) == 0 && !frame.Exception {
			continue
		}
		state, err := d.Frame(frame, watched)
		switch f, _ := events.AsFailure(err); {
		case left:
			return transport.End{}, true
		case err != nil:
			return transport.End{Kind: transport.EndError, Failure: f}, false
		case state == transport.Ended:
			return transport.End{Kind: transport.EndDone}, false
		}
	}
}

// pieces reads a body at most size bytes at a time.
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

// terminal returns the last event.
func terminal(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	require.NotEmpty(t, evs)
	last := evs[len(evs)-1]
	require.True(t, last.Kind.IsTerminal(), "last event %v", last)
	return last
}
