package responseswire_test

import (
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// openai is the profile of the tests.
func openai() responseswire.Profile { return responseswire.ProfileFor("openai") }

// minting is a request in whose reply the first minted id is call_w1.
func minting() request.Prepared { return request.Prepared{FirstMinted: 1} }

// wire reads the answer of a host to a request.
func wire(profile responseswire.Profile, p request.Prepared) canned.Wire {
	return canned.Wire{
		Provider: "openai", Framing: transport.SSE, Failure: responseswire.FailureOf, Notices: p.Notices,
		Decoder: func() transport.Decoder { return responseswire.NewDecoder(p, profile) },
	}
}

// answered returns a transport that gives the body as an event stream.
func answered(body []byte) *canned.Transport { return wire(openai(), minting()).Answer(body) }

// play returns the events of one answer, by way of the real transport, so that
// they are held to the grammar.
func play(t testing.TB, answer *canned.Transport, p request.Prepared) []events.Event {
	t.Helper()
	return wire(openai(), p).Play(t, answer)
}

func playBody(t testing.TB, body string) []events.Event {
	t.Helper()
	return play(t, answered([]byte(body)), minting())
}

// drive returns the events of a body without any HTTP about it.
func drive(body string, size int) []events.Event {
	return wire(openai(), minting()).Drive([]byte(body), size)
}

func lines(evs []events.Event) []byte { return []byte(canned.Lines(evs)) }

// terminal returns the last event.
func terminal(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	return canned.Terminal(t, evs)
}
