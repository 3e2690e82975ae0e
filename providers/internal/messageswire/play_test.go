package messageswire_test

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
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

// terminal returns the last event.
func terminal(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	require.NotEmpty(t, evs)
	last := evs[len(evs)-1]
	require.True(t, last.Kind.IsTerminal(), "last event %v", last)
	return last
}
