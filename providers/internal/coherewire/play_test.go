package coherewire_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// profile is that of the tests.
func profile() coherewire.Profile { return coherewire.Profile{Origin: "cohere"} }

// minting is a request in whose reply the first minted id is call_w1.
func minting() request.Prepared { return request.Prepared{FirstMinted: 1} }

// wire reads the answer to such a request.
func wire() canned.Wire {
	return canned.Wire{
		Provider: "cohere", Framing: transport.SSE, Failure: coherewire.FailureOf,
		Decoder: func() transport.Decoder { return coherewire.NewDecoder(minting(), profile()) },
	}
}

// answered returns a transport that gives the body as an event stream.
func answered(body []byte) *canned.Transport { return wire().Answer(body) }

// play returns the events of one answer, by way of the real transport, so that
// they are held to the grammar.
func play(t testing.TB, answer *canned.Transport) []events.Event {
	t.Helper()
	return wire().Play(t, answer)
}

// drive returns the events of a body without any HTTP about it.
func drive(body string, size int) []events.Event { return wire().Drive([]byte(body), size) }

// lines is the canonical JSON of events, one a line.
func lines(evs []events.Event) string { return canned.Lines(evs) }

// terminal returns the last event.
func terminal(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	return canned.Terminal(t, evs)
}
