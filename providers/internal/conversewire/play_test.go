package conversewire_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
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

// minting is a request in whose reply the first minted id is call_w1.
func minting() request.Prepared { return request.Prepared{FirstMinted: 1} }

// wire reads the answer to a request.
func wire(p request.Prepared) canned.Wire {
	return canned.Wire{
		Provider: "bedrock", Framing: transport.EventStream, Failure: conversewire.FailureOf, Notices: p.Notices,
		Decoder: func() transport.Decoder { return conversewire.NewDecoder(p, bedrock()) },
	}
}

// answered returns a transport that gives the body as an event stream.
func answered(body []byte) *canned.Transport { return wire(minting()).Answer(body) }

// play returns the events of one answer, by way of the real transport, so that
// they are held to the grammar.
func play(t testing.TB, answer *canned.Transport, p request.Prepared) []events.Event {
	t.Helper()
	return wire(p).Play(t, answer)
}

// terminal returns the last event.
func terminal(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	return canned.Terminal(t, evs)
}
