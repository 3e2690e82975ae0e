package transport

import (
	"context"
	"net/http"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// A Framing says how a body is cut into frames.
type Framing uint8

// The framings.
const (
	SSE Framing = iota
	NDJSON
)

// A Call is one HTTP exchange, ready to be sent.
type Call struct {
	// Provider is the name that failures carry.
	Provider string
	// Method is POST when empty.
	Method string
	URL    string
	Header http.Header
	Body   []byte
	// Framing of a successful body.
	Framing Framing
	// Failure maps an answer that is no stream: a status that is not 2xx with
	// its body (bounded), or a JSON body where a stream was due. It returns nil
	// for a 2xx body that is no error envelope, and never nil for other statuses.
	Failure func(status int, header http.Header, body []byte) *events.Failure
	// Secrets are scrubbed from every text of a failure.
	Secrets []string
	// Limits bounds the exchange; zero fields mean the defaults.
	Limits Limits
}

// Stream returns the reply to one HTTP call as a lazy stream. prepare is called
// when the stream is ranged; an error of it becomes Started, Failed, not_sent.
// (to be written)
func Stream(ctx context.Context, client *http.Client, prepare func() (Call, Decoder, error)) stream.Stream {
	panic("to be written")
}

// Limits bounds one exchange. (to be written)
type Limits struct{}
