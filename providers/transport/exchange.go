package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
)

// An exchange is one call on its way. It is used from one goroutine.
type exchange struct {
	call    Call
	decoder Decoder
	limits  Limits
	secrets []string // of the call, in every spelling
	yield   func(events.Event) bool

	ctx      context.Context
	release  context.CancelFunc
	watch    *cancel.Watch
	evidence evidence
	body     *body
	frames   *FrameReader

	requestID  string
	rateLimits *events.RateLimits

	started  bool // Started was handed on
	left     bool // the consumer has left; nothing more may be handed on
	yielding bool // the consumer is at work; stays set when it does not return
	progress bool // content was handed on since the clocks were last told
	state    State
}

// run sends the call and hands on the events of the answer.
func (x *exchange) run(ctx context.Context, client *http.Client) {
	ctx, watch := cancel.Begin(ctx)
	defer watch.Stop()
	ctx, release := context.WithCancel(ctx)
	defer release()
	x.ctx, x.release, x.watch = ctx, release, watch
	if ctx.Err() != nil {
		x.fail(failureOfCause(ctx))
		return
	}
	resp, f := x.send(client)
	if f != nil {
		x.fail(f)
		return
	}
	x.body = newBody(x, resp.Body)
	// A body that does not know the context (a pipe, a canned one) is woken by
	// closing it.
	defer context.AfterFunc(ctx, x.body.close)()
	defer x.body.close()
	x.receive(resp)
}

// send sends the request and returns the head of the answer.
func (x *exchange) send(client *http.Client) (*http.Response, *events.Failure) {
	req, err := x.request()
	if err != nil {
		f := events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, "the endpoint is no URL")
		return nil, f
	}
	if name := badHeader(req.Header); name != "" {
		what := "the header " + strconv.Quote(name) + " has a name or a value that HTTP does not take"
		return nil, events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, what)
	}
	x.evidence.handed = true
	x.watch.Enter()
	resp, err := do(client, req)
	x.watch.Leave()
	if err != nil {
		if x.ctx.Err() != nil {
			return nil, failureOfCause(x.ctx)
		}
		return nil, failureOfSend(err)
	}
	x.evidence.answered = true
	x.requestID = requestID(resp.Header)
	x.rateLimits = RateLimits(resp.Header, time.Now())
	return resp, nil
}

// do contains a panic of a user's round tripper.
func do(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = crashed("the round tripper", crash)
		}
	}()
	return client.Do(req) //nolint:bodyclose // the exchange closes it on every way out
}

func (x *exchange) request() (*http.Request, error) {
	method := x.call.Method
	if method == "" {
		method = http.MethodPost
	}
	ctx := x.evidence.trace(x.ctx)
	req, err := http.NewRequestWithContext(ctx, method, x.call.URL, bytes.NewReader(x.call.Body))
	if err != nil {
		return nil, err
	}
	for name, values := range x.call.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	if req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", x.call.Framing.mediaType())
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "weir")
	}
	return req, nil
}

// receive hands on the events of an answer.
func (x *exchange) receive(resp *http.Response) {
	good := resp.StatusCode >= 200 && resp.StatusCode <= 299
	plain, known := decoded(resp.Header.Get("Content-Encoding"), x.body)
	if !known && good {
		x.fail(events.NewFailure(events.InvalidReply, events.ReasonBadContent,
			"the body is encoded as "+resp.Header.Get("Content-Encoding")+", which was not asked for"))
		return
	}
	if tap := providers.TapOf(x.ctx); tap != nil {
		plain = &tapped{r: plain, tap: tap}
	}
	if !good {
		text, _ := io.ReadAll(io.LimitReader(plain, int64(x.limits.MaxErrorBody)))
		x.fail(x.failureOfAnswer(resp.StatusCode, resp.Header, text))
		return
	}
	x.frames = NewFrameReader(plain, x.call.Framing, x.limits.MaxFrame)
	first, _ := x.frames.peek()
	switch contentOf(x.call.Framing, resp.Header, first) {
	case contentJSON:
		x.document(resp, x.frames.rest())
	case contentOther:
		x.fail(events.NewFailure(events.InvalidReply, events.ReasonBadContent, strangeBody(first, resp.Header)))
	default:
		end := x.read()
		if x.state != Open && end.Kind != EndError {
			end = End{Kind: EndDone} // what comes of the rest is no matter after the evidence
		}
		x.finish(end)
	}
}

// document handles a JSON document where a stream was due: the provider's error
// object, or nothing that can be used.
func (x *exchange) document(resp *http.Response, r io.Reader) {
	text, err := io.ReadAll(io.LimitReader(r, int64(x.limits.MaxBody)+1))
	switch {
	case len(text) > x.limits.MaxBody:
		x.fail(events.NewFailure(events.InvalidReply, events.ReasonTooLarge, "a document is larger than the limit"))
		return
	case err != nil:
		x.fail(x.failureOfRead(err))
		return
	}
	if f := x.failureOfAnswer(resp.StatusCode, resp.Header, text); f != nil {
		x.fail(f)
		return
	}
	x.fail(events.NewFailure(events.InvalidReply, events.ReasonBadContent,
		"a JSON document came where a stream was due"))
}

// read feeds the decoder until the reply has ended and says how it ended.
func (x *exchange) read() End {
	emit := x.emit // one closure for all frames
	for {
		frame, err := x.frames.Next()
		if err != nil {
			return x.endOf(err)
		}
		if len(frame.Data) == 0 && !frame.Exception {
			continue
		}
		// Frames that are buffered already are not delivered after a cancel.
		if x.ctx.Err() != nil {
			return x.endOf(x.ctx.Err())
		}
		state, err := x.decode(frame, emit)
		if x.left {
			return End{}
		}
		if err != nil {
			return x.endOfFrame(err)
		}
		if state > x.state {
			x.advance(state)
		}
		if x.state == Ended {
			x.drain()
			return End{Kind: EndDone}
		}
	}
}

// advance notes that the decoder has read the terminal evidence.
func (x *exchange) advance(state State) {
	if x.state == Open {
		x.watch.Tail(x.limits.TailWait)
		x.evidence.served = true
	}
	x.state = state
}

// endOf says how the body ended when its reader returned err.
func (x *exchange) endOf(err error) End {
	if err == io.EOF && x.ctx.Err() == nil {
		f := truncated()
		if !x.started {
			f.Detail = "the body ended, and nothing in it was a frame of this API"
		}
		if x.call.Framing == EventStream && x.frames.Unterminated() {
			return End{Kind: EndInside, Failure: f}
		}
		return End{Kind: EndEOF, Failure: f}
	}
	return End{Kind: EndBroken, Failure: x.failureOfRead(err)}
}

// endOfFrame says how the reply ended when the decoder returned err. A last
// frame that the body ended in was cut, not garbled.
func (x *exchange) endOfFrame(err error) End {
	f, ok := events.AsFailure(err)
	if !ok {
		f = events.NewFailure(events.InvalidReply, events.ReasonMalformed, err.Error()).WithCause(err)
	}
	if f.Reason == events.ReasonMalformed && x.frames.Unterminated() {
		if _, end := x.frames.Next(); end != io.EOF {
			return x.endOf(end)
		}
		return End{Kind: EndInside, Failure: truncated()}
	}
	return End{Kind: EndError, Failure: f}
}

// truncated is made for every clean end of body, so its text, which needs none,
// is not cleaned.
func truncated() *events.Failure {
	return &events.Failure{
		Kind: events.InvalidReply, Reason: events.ReasonTruncated, Detail: "the body ended before the reply did",
	}
}

func (x *exchange) failureOfRead(err error) *events.Failure {
	if x.ctx.Err() != nil {
		return failureOfCause(x.ctx)
	}
	if f, ok := events.AsFailure(err); ok {
		return f
	}
	return events.NewFailure(events.InvalidReply, events.ReasonLostConnection, "the body broke: "+err.Error())
}

// drain reads to the end of the body, for a moment, so that the connection can
// be used again.
func (x *exchange) drain() {
	defer time.AfterFunc(drainWait, x.release).Stop()
	_, _ = io.Copy(io.Discard, io.LimitReader(x.frames.rest(), firstBuffer))
}

// finish hands on the terminal of a stream that was read.
func (x *exchange) finish(end End) {
	x.body.close()
	if x.left {
		return
	}
	ev := x.decodeEnd(end)
	if f, ok := ev.Failure(); ok {
		x.fail(f)
		return
	}
	x.start()
	x.emit(ev)
}

// fail ends the stream with f and what the exchange knows.
func (x *exchange) fail(f *events.Failure) {
	if x.body != nil {
		x.body.close()
	}
	if f.Usage.Final {
		x.evidence.served = true
	}
	told := *x.withoutSecret(f)
	told.Sent = x.evidence.sent()
	if told.Provider == "" {
		told.Provider = x.call.Provider
	}
	if told.RequestID == "" {
		told.RequestID = x.requestID
	}
	if told.RateLimits == nil {
		told.RateLimits = x.rateLimits
	}
	told.Detail = x.redact(told.Detail)
	told.ProviderCode = x.redact(told.ProviderCode)
	told.RequestID = x.redact(told.RequestID)
	told.Usage.Raw = x.redact(told.Usage.Raw)
	x.start()
	x.emit(events.NewFailed(&told))
}

// start hands on Started when the decoder has not.
func (x *exchange) start() {
	if !x.started {
		x.emit(events.NewStarted(events.Start{}))
	}
}

// emit hands an event on and reports whether the consumer wants more.
func (x *exchange) emit(ev events.Event) bool {
	if x.left {
		return false
	}
	switch {
	case ev.Kind.IsDelta():
		x.progress = true
	case ev.Kind == events.Started:
		ev = x.withHead(ev)
		x.started = true
	case ev.Kind.IsContent():
		x.progress = true
	default:
		ev = x.scrubbed(ev)
	}
	x.yielding = true
	x.left = !x.yield(ev)
	x.yielding = false
	if ev.Kind == events.Started {
		x.notices()
	}
	return !x.left
}

// notices hands on what preparing the request had to tell, once.
func (x *exchange) notices() {
	told := x.call.Notices
	x.call.Notices = nil
	for _, n := range told {
		x.emit(events.NewNotice(n.Code, n.Detail))
	}
}

// withHead returns a Started event with what the response head told.
func (x *exchange) withHead(ev events.Event) events.Event {
	s, ok := ev.Start()
	if !ok {
		return ev
	}
	if s.RequestID == "" {
		s.RequestID = x.requestID
	}
	if s.RateLimits == nil {
		s.RateLimits = x.rateLimits
	}
	for _, text := range []*string{&s.ResponseID, &s.Model, &s.RequestID} {
		*text = x.redact(*text)
	}
	for name, text := range s.Metadata {
		s.Metadata[name] = x.redact(text)
	}
	return events.NewStarted(s)
}
