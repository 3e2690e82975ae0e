package ollamawire_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An answer is a canned HTTP answer.
type answer struct {
	status int
	body   io.Reader
}

func (a answer) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: a.status, Header: http.Header{"Content-Type": {"application/x-ndjson"}},
		Body: io.NopCloser(a.body), Request: r,
	}, nil
}

// streamOf returns the reply to p that a body on status 200 makes, by way of the
// transport and so held to the grammar.
func streamOf(tb testing.TB, p request.Prepared, body io.Reader) stream.Stream {
	tb.Helper()
	client := &http.Client{Transport: answer{http.StatusOK, body}}
	return transport.Stream(tb.Context(), client, func() (transport.Call, transport.Decoder, error) {
		return transport.Call{
			Provider: "ollama", URL: "http://127.0.0.1:11434/api/chat",
			Framing: transport.NDJSON, Failure: ollamawire.FailureOf,
			Notices: p.Notices,
		}, ollamawire.NewDecoder(p, ollamawire.Profile{Origin: "ollama"}), nil
	})
}

// play returns the events that a body makes.
func play(tb testing.TB, body io.Reader) []events.Event {
	tb.Helper()
	return slices.Collect(streamOf(tb, request.Prepared{FirstMinted: 1}, body))
}

func playBytes(tb testing.TB, body []byte) []events.Event {
	tb.Helper()
	return play(tb, bytes.NewReader(body))
}

// chunks reads at most sizes[0] bytes, then sizes[1], and so on in turn, and
// ends with an error instead of the end when it has one.
type chunks struct {
	rest  []byte
	sizes []int
	turn  int
	err   error
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		if c.err != nil {
			return 0, c.err
		}
		return 0, io.EOF
	}
	n := min(c.sizes[c.turn%len(c.sizes)], len(p), len(c.rest))
	c.turn++
	copy(p, c.rest[:n])
	c.rest = c.rest[n:]
	return n, nil
}

var errReset = errors.New("connection reset by peer")

// jsonl returns events as canonical JSON, one a line.
func jsonl(evs []events.Event) string {
	var b []byte
	for _, ev := range evs {
		b = append(events.AppendJSON(b, ev), '\n')
	}
	return string(b)
}

func terminal(tb testing.TB, evs []events.Event) events.Event {
	tb.Helper()
	if len(evs) == 0 || !evs[len(evs)-1].Kind.IsTerminal() {
		tb.Fatalf("no terminal in %v", evs)
	}
	return evs[len(evs)-1]
}
