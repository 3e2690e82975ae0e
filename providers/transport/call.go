package transport

import (
	"net/http"

	"github.com/weirsdk/weir/events"
)

// A Framing says how a body is cut into frames.
type Framing uint8

// The framings.
const (
	// SSE is a stream of server-sent events.
	SSE Framing = iota
	// NDJSON is one JSON object a line.
	NDJSON
	// EventStream is the binary framing of AWS, a message a frame.
	EventStream
	// SSEOrJSON is a stream of server-sent events in whose place, or between which,
	// JSON objects stand bare in the body: one array of them, which is what Google's
	// APIs send unless they are asked for events, or an error after the events. Each
	// is a frame.
	SSEOrJSON
)

func (f Framing) mediaType() string {
	switch f {
	case NDJSON:
		return "application/x-ndjson"
	case EventStream:
		return "application/vnd.amazon.eventstream"
	default:
		return "text/event-stream"
	}
}

// A Call is one HTTP exchange, ready to be sent. Provider and URL are required.
type Call struct {
	// Provider is the name that failures carry.
	Provider string
	// Method is POST when empty.
	Method string
	URL    string
	// Header is sent as it is; Content-Type (application/json) and Accept are
	// added where absent. Leave Accept-Encoding alone: net/http then asks for
	// gzip and decodes it. The map is not changed.
	Header http.Header
	Body   []byte
	// Framing of a successful body.
	Framing Framing
	// Failure maps an answer that is no stream: a status that is not 2xx with
	// its body (bounded), or a JSON body where a stream was due. For a 2xx body
	// that is no error envelope it returns nil. Status, RetryAfter, advice,
	// request id, rate limits and evidence are filled in by the transport. When
	// Failure is nil, or returns nil for an error status, [FailureOfStatus] is
	// used.
	Failure func(status int, header http.Header, body []byte) *events.Failure
	// Notices are what preparing the request had to tell; they follow Started,
	// whatever comes of the call.
	Notices []events.NoticeInfo
	// Secrets are scrubbed from every text of a failure and of its causes, which
	// errors.Is and errors.As still find, and told to the scrubbers of
	// providers.WithScrubber before anything is sent. They count beside an error of
	// prepare too.
	Secrets []string
	// Limits bounds the exchange.
	Limits Limits
}
