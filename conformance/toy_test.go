package conformance

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A toy is an adapter for an invented wire, honest but for its fault. What the
// wire looks like is best read in testdata/toy: each frame is an object whose t
// says what it is; stop is the terminal evidence, bye the end, and between them
// there may be a count.
type toy struct {
	fault fault
	// byHand: the exchange is the toy's own and not that of package transport.
	byHand bool
	ndjson bool
	// eventStream: the reply is in binary messages.
	eventStream bool

	rt     http.RoundTripper
	key    func() string // a function: fmt prints fields
	client *http.Client
}

// A fault is what is wrong with a toy, as a sentence about it.
type fault string

const toyFormat = "toy.v1"

func newToy(rt http.RoundTripper, f fault) *toy {
	return &toy{
		fault: f, rt: rt, key: func() string { return Canary },
		client: transport.NewClient(&http.Client{Transport: rt}),
	}
}

const toyModel = "toy-1"

func (m *toy) Name() string { return "toy:" + toyModel }
func (m *toy) Spec() request.Spec {
	s := request.Spec{
		ThinkingBudget: request.No, TopP: request.No, Seed: request.No, ParallelTools: request.No, Images: request.No,
		CacheMarkers: request.No, WebSearch: request.WebSearchSupport{Tool: request.No},
	}
	switch m.fault {
	case dropsPictures:
		s.Images = request.Unknown
	case dropsMarkers:
		s.CacheMarkers = request.Unknown
	case dropsSearches:
		s.WebSearch.Tool = request.Unknown
	}
	return s
}

const toyURL = "https://toy.example/v1/say"

func (m *toy) Stream(ctx context.Context, req request.Request) stream.Stream {
	if m.byHand {
		return m.stream(ctx, req)
	}
	return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
		if m.fault == staysForTheContext {
			go func() { <-ctx.Done() }()
		}
		body, d, err := m.prepare(req)
		call := transport.Call{
			Provider: "toy", URL: toyURL, Body: body, Header: http.Header{"Toy-Key": {m.key()}},
			Failure: m.failureOf, Secrets: []string{m.key()},
		}
		if m.ndjson {
			call.Framing = transport.NDJSON
		}
		if m.eventStream {
			call.Framing = transport.EventStream
		}
		if m.fault == keepsTheKey {
			call.Secrets = nil
		}
		if m.fault == readsWithoutBound {
			call.Limits.MaxFrame = 2 * tooMuchBytes
		}
		if m.fault == waitsLong {
			call.Limits.TailWait = time.Minute
		}
		if d != nil {
			call.Notices = d.notices
		}
		return call, d, err
	})
}

// prepare spells the request and makes the decoder of its reply.
func (m *toy) prepare(req request.Request) ([]byte, *toyDecoder, error) {
	if m.fault == writesToTheRequest {
		req.Messages[0].Blocks[0].Text += " "
	}
	if m.fault == ignoresStrict {
		req.Strict = false
	}
	if m.fault == dropsForeignTools {
		req.HostedTools = slices.DeleteFunc(slices.Clone(req.HostedTools), func(h request.HostedTool) bool { return h.WebSearch == nil })
	}
	p, err := req.Prepare(request.Target{Spec: m.Spec(), Format: toyFormat, Origin: "toy"})
	if err != nil && m.fault != sendsTheInvalid {
		return nil, nil, err
	}
	if err != nil {
		p = request.Prepared{Request: req}
	}
	if m.fault == tellsNoNotice {
		p.Notices = nil
	}
	names := p.Names
	if m.fault == tellsWireNames {
		names = request.Names{}
	}
	return m.encode(p), &toyDecoder{fault: m.fault, names: names, minted: p.FirstMinted, notices: p.Notices, key: m.key()}, nil
}

// failureOf maps an answer that is no stream.
func (m *toy) failureOf(_ int, _ http.Header, body []byte) *events.Failure {
	var e struct{ Error toyError }
	if decodeToy(body, &e) != nil || e.Error.Code == "" {
		return nil
	}
	f := m.fault.failure(e.Error)
	return f
}

// A toyError is the wire's error, in a body or in a frame.
type toyError struct{ Code, Message string }

// failure says what a code means.
func (fl fault) failure(e toyError) *events.Failure {
	kind, reason := events.Rejected, events.ReasonBadRequest
	switch e.Code {
	case "key":
		reason = events.ReasonAuth
	case "forbidden":
		reason = events.ReasonPermission
	case "absent":
		reason = events.ReasonNotFound
	case "broke":
		reason = events.ReasonQuota
		if fl == takesQuotaForRate {
			kind, reason = events.RateLimited, events.ReasonRateLimit
		}
	case "long":
		reason = events.ReasonContextOverflow
	case "slow":
		kind, reason = events.RateLimited, events.ReasonRateLimit
	case "busy":
		kind, reason = events.Overloaded, events.ReasonOverloaded
	case "fault":
		kind, reason = events.Overloaded, events.ReasonServer
	}
	if fl == dropsTheWords {
		e.Message = "the provider refused"
	}
	f := events.NewFailure(kind, reason, e.Message)
	f.ProviderCode = e.Code
	return f
}
