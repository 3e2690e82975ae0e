package geminiwire_test

import (
	"io"
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gemini is the profile of the tests.
func gemini() geminiwire.Profile { return geminiwire.Profile{Origin: "gemini"} }

// minting is a request in whose reply the first minted id is call_w1.
func minting() request.Prepared { return request.Prepared{FirstMinted: 1} }

// wire reads the answer to a request.
func wire(p request.Prepared) canned.Wire {
	return canned.Wire{
		Provider: "gemini", Framing: transport.SSEOrJSON, Failure: geminiwire.FailureOf, Notices: p.Notices,
		Decoder: func() transport.Decoder { return geminiwire.NewDecoder(p, gemini()) },
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

func playBody(t testing.TB, body string) []events.Event {
	t.Helper()
	return play(t, answered([]byte(body)), minting())
}

// drive returns the events of a body without any HTTP about it.
func drive(body string, size int) []events.Event { return wire(minting()).Drive([]byte(body), size) }

func lines(evs []events.Event) []byte { return []byte(canned.Lines(evs)) }

// terminal returns the last event.
func terminal(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	return canned.Terminal(t, evs)
}

// A bodyOf is a round tripper whose answer's body is a reader.
type bodyOf struct {
	http.RoundTripper
	body io.ReadCloser
}

func (b bodyOf) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		_ = resp.Body.Close()
		resp.Body = b.body
	}
	return resp, err
}

// playReader returns the events of an answer whose body is a reader.
func playReader(t testing.TB, answer *canned.Transport, body io.ReadCloser) []events.Event {
	t.Helper()
	return wire(minting()).Play(t, bodyOf{answer, body})
}
