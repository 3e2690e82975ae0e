package ollamawire_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// minting is a request in whose reply the first minted id is call_w1.
func minting() request.Prepared { return request.Prepared{FirstMinted: 1} }

// wire reads the answer to a request.
func wire(p request.Prepared) canned.Wire {
	return canned.Wire{
		Provider: "ollama", Framing: transport.NDJSON, Failure: ollamawire.FailureOf, Notices: p.Notices,
		Decoder: func() transport.Decoder { return ollamawire.NewDecoder(p, ollamawire.Profile{Origin: "ollama"}) },
	}
}

// streamOf returns the reply to p that a body on status 200 makes, by way of the
// transport and so held to the grammar.
func streamOf(tb testing.TB, p request.Prepared, body io.Reader) stream.Stream {
	tb.Helper()
	text, err := io.ReadAll(body)
	require.NoError(tb, err)
	return wire(p).Stream(tb, wire(p).Answer(text))
}

// playBytes returns the events that a body makes.
func playBytes(tb testing.TB, body []byte) []events.Event {
	tb.Helper()
	return wire(minting()).Play(tb, wire(minting()).Answer(body))
}

// jsonl returns events as canonical JSON, one a line.
func jsonl(evs []events.Event) string { return canned.Lines(evs) }

func terminal(tb testing.TB, evs []events.Event) events.Event {
	tb.Helper()
	return canned.Terminal(tb, evs)
}
