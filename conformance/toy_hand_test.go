package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// A hand is one exchange of a toy that does without package transport, for the
// faults that the transport makes impossible.
type hand struct {
	*toy
	ctx    context.Context
	watch  *cancel.Watch
	d      *toyDecoder
	yield  func(events.Event) bool
	answer *http.Response

	handed, hooked, touched, answered, served atomic.Bool
	started, left                             bool
}

func (m *toy) stream(ctx context.Context, req request.Request) stream.Stream {
	return validator.Guard(stream.New(func(emit func(events.Event) bool) {
		h := &hand{toy: m, yield: emit, d: &toyDecoder{}}
		body, d, err := m.prepare(req)
		if err != nil {
			f, _ := events.AsFailure(err)
			h.fail(f)
			return
		}
		h.d = d
		providers.TellSecrets(ctx, m.key())
		h.ctx, h.watch = cancel.Begin(ctx)
		defer h.watch.Stop()
		h.run(body)
	}))
}

// run sends the request and hands on the events of the answer.
func (h *hand) run(text []byte) {
	resp, err := h.send(text)
	if err != nil {
		h.fail(h.failureOfSend(err))
		return
	}
	h.answer = resp
	body := &handBody{h: h, rc: resp.Body}
	if h.fault != leavesTheBodyOpen && h.fault != closesWhenTheLoopEnds {
		defer body.close()
	}
	if resp.StatusCode != http.StatusOK {
		h.refused(body, resp)
		return
	}
	end := h.read(body)
	if h.fault != leavesTheBodyOpen {
		body.close()
	}
	if !h.left {
		h.finish(h.d.End(end))
	}
}

func (h *hand) send(text []byte) (*http.Response, error) {
	if h.ctx.Err() != nil && h.fault != ignoresTheContext {
		return nil, h.ctx.Err()
	}
	touch := func() { h.hooked.Store(true); h.touched.Store(true) }
	ctx := httptrace.WithClientTrace(h.ctx, &httptrace.ClientTrace{
		GetConn: func(string) { h.hooked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) {
			if h.fault != countsWhatWasWritten {
				touch()
			}
		},
		WroteHeaders:         func() { h.touched.Store(h.fault != countsWhatWasAnswered) },
		GotFirstResponseByte: touch,
	})
	if h.fault == ignoresTheContext {
		ctx = context.WithoutCancel(ctx)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, toyURL, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Toy-Key", h.key())
	h.handed.Store(true)
	if h.fault != watchesTheBodyOnly {
		h.watch.Enter()
		defer h.watch.Leave()
	}
	resp, err := h.client.Do(req)
	h.answered.Store(err == nil)
	return resp, err
}

func (h *hand) failureOfSend(err error) *events.Failure {
	if h.fault != ignoresTheContext && h.ctx.Err() != nil {
		return stream.Interrupted(h.ctx)
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return events.NewFailure(events.Unreachable, events.ReasonConnect, err.Error())
}

// maxRefusal is what is read of an error.
const maxRefusal = 64 << 10

// refused ends with what an error status says.
func (h *hand) refused(body io.Reader, resp *http.Response) {
	if h.fault != readsErrorsWhole {
		body = io.LimitReader(body, maxRefusal)
	}
	text, _ := io.ReadAll(body)
	f := h.failureOf(resp.StatusCode, resp.Header, text)
	if f == nil {
		f = transport.FailureOfStatus(resp.StatusCode)
	}
	f.Status = resp.StatusCode
	if h.fault == dropsTheStatus {
		f.Status = 0
	}
	if wait, ok := transport.RetryAfter(resp.Header, time.Now()); ok {
		f.RetryAfter = wait
	}
	h.fail(f)
}

// read feeds the decoder and says how the body ended.
func (h *hand) read(body io.Reader) transport.End {
	frames := newFramer(body, h.fault)
	for {
		data, err := frames.next()
		if err != nil {
			return h.endOf(err)
		}
		if h.fault != ignoresTheContext && h.ctx.Err() != nil {
			return h.endOf(h.ctx.Err())
		}
		state, err := h.d.Frame(transport.Frame{Data: data}, h.emit)
		switch {
		case h.left:
			return transport.End{}
		case err != nil:
			f, _ := events.AsFailure(err)
			return transport.End{Kind: transport.EndError, Failure: f}
		case state != transport.Open && !h.served.Swap(true):
			h.watch.Tail(time.Second)
		}
		if state == transport.Ended {
			return transport.End{Kind: transport.EndDone}
		}
	}
}

func (h *hand) endOf(err error) transport.End {
	if h.fault != ignoresTheContext && h.ctx.Err() != nil {
		f := events.NewFailure(events.InvalidReply, events.ReasonTruncated, "the counts did not come")
		if r, _ := cancel.Of(h.ctx); r != cancel.Tail {
			f = stream.Interrupted(h.ctx)
		}
		return transport.End{Kind: transport.EndBroken, Failure: f}
	}
	if f, ok := events.AsFailure(err); ok {
		return transport.End{Kind: transport.EndError, Failure: f}
	}
	if err == io.EOF {
		return transport.End{Kind: transport.EndEOF, Failure: events.NewFailure(events.InvalidReply, events.ReasonTruncated, "the body ended")}
	}
	return transport.End{Kind: transport.EndBroken, Failure: events.NewFailure(events.InvalidReply, events.ReasonLostConnection, err.Error())}
}

// emit hands on an event of the decoder.
func (h *hand) emit(ev events.Event) bool {
	if h.left {
		return false
	}
	if ev.Kind == events.Started {
		h.started = true
	}
	if (ev.Kind.IsContent() || ev.Kind.IsDelta()) && h.fault != tellsNoContent {
		h.watch.Content()
	}
	h.left = !h.yield(h.scrubbed(ev))
	if ev.Kind == events.Started {
		for _, n := range h.d.notices {
			h.emit(events.NewNotice(n.Code, n.Detail))
		}
		h.d.notices = nil
	}
	return !h.left
}

func (h *hand) finish(ev events.Event) {
	if f, ok := ev.Failure(); ok {
		h.fail(f)
		return
	}
	h.start()
	h.emit(ev)
}

func (h *hand) fail(f *events.Failure) {
	told := *f
	told.Sent = h.sent()
	told.Provider = "toy"
	if h.answer != nil {
		told.RequestID = h.redact(h.answer.Header.Get("X-Request-Id"))
	}
	told.Detail, told.ProviderCode, told.Usage.Raw = h.redact(told.Detail), h.redact(told.ProviderCode), h.redact(told.Usage.Raw)
	h.start()
	h.yieldLast(events.NewFailed(&told))
}

func (h *hand) yieldLast(ev events.Event) {
	if !h.left {
		h.left = !h.yield(ev)
	}
}

func (h *hand) start() {
	if !h.started {
		h.started = true
		h.yieldLast(events.NewStarted(events.Start{}))
	}
}

func (h *hand) sent() events.Sent {
	switch {
	case h.served.Load():
		return events.Served
	case h.answered.Load():
		return events.Answered
	case !h.handed.Load() || (h.hooked.Load() || h.fault == countsNoHookForNothing) && !h.touched.Load():
		return events.NotSent
	default:
		return events.MaybeSent
	}
}

func (h *hand) redact(text string) string {
	if h.fault == keepsTheKey {
		return text
	}
	if h.fault == scrubsWholeTexts && text != h.key() {
		return text
	}
	return events.Redact(text, h.key())
}

// scrubbed returns an event without the key, but for what the model says.
func (h *hand) scrubbed(ev events.Event) events.Event {
	if s, ok := ev.Start(); ok {
		s.ResponseID, s.Model = h.redact(s.ResponseID), h.redact(s.Model)
		return events.NewStarted(s)
	}
	if c, ok := ev.Completion(); ok {
		c.RawStop, c.Usage.Raw = h.redact(c.RawStop), h.redact(c.Usage.Raw)
		return events.NewCompleted(c)
	}
	if u, ok := ev.Usage(); ok && ev.Kind == events.UsageUpdated {
		u.Raw = h.redact(u.Raw)
		return events.NewUsageUpdated(u)
	}
	return ev
}

// A handBody reads a body under the clocks and closes it once.
type handBody struct {
	h    *hand
	rc   io.ReadCloser
	once sync.Once
}

func (b *handBody) Read(p []byte) (int, error) {
	b.h.watch.Enter()
	n, err := b.rc.Read(p)
	b.h.watch.Leave()
	if n > 0 {
		b.h.watch.Bytes()
		if tap := providers.TapOf(b.h.ctx); tap != nil {
			tap(p[:n])
		}
	}
	return n, err
}

func (b *handBody) close() { b.once.Do(func() { _ = b.rc.Close() }) }

// A framer cuts a body of server-sent events into the data of its events, in the
// slowest and plainest way.
type framer struct {
	fault fault
	r     io.Reader
	buf   []byte // what was read
	at    int
	err   error
	first bool
	cr    bool // the last line ended in CR
}

// maxHandFrame bounds a line and the data of an event.
const maxHandFrame = 1 << 20

func newFramer(r io.Reader, f fault) *framer {
	return &framer{fault: f, r: r, buf: make([]byte, 0, 4096), first: true}
}

// byteOf returns the next byte.
func (f *framer) byteOf() (byte, error) {
	for f.at == len(f.buf) {
		if f.err != nil {
			return 0, f.err
		}
		n, err := f.r.Read(f.buf[:cap(f.buf)])
		f.buf, f.at, f.err = f.buf[:n], 0, err
		if f.fault == readsAsText {
			f.buf = bytes.ToValidUTF8(f.buf, []byte("\ufffd"))
		}
	}
	f.at++
	return f.buf[f.at-1], nil
}

// line returns the next line without its end.
func (f *framer) line() ([]byte, error) {
	var line []byte
	for {
		c, err := f.byteOf()
		switch {
		case err != nil:
			return line, err
		case c == '\n' && f.cr && f.fault != takesCRLFForTwo:
			f.cr = false
			continue
		case c == '\n', c == '\r' && f.fault != knowsNoCR:
			f.cr = c == '\r'
			return f.begun(line), nil
		}
		f.cr = false
		line = append(line, c)
		if f.fault == endsLinesWithTheRead && f.at == len(f.buf) {
			return f.begun(line), nil
		}
		if len(line) > maxHandFrame && f.fault != readsWithoutBound {
			if f.fault == readsLinesWhole {
				_, _ = io.Copy(io.Discard, f.r)
			}
			return nil, events.NewFailure(events.InvalidReply, events.ReasonTooLarge, "a line is too long")
		}
	}
}

// begun takes the byte order mark off the first line.
func (f *framer) begun(line []byte) []byte {
	if f.first && f.fault != knowsNoMark {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	f.first = false
	return line
}

// next returns the data of the next event.
func (f *framer) next() ([]byte, error) {
	var data [][]byte
	for {
		line, err := f.line()
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			if text := bytes.Join(data, []byte("\n")); len(text) > 0 || len(data) > 0 && f.fault == takesEmptyForData {
				return text, nil
			}
			data = nil
			continue
		}
		value, isData, err := f.field(line)
		if err != nil {
			return nil, err
		}
		if isData {
			data = append(data, value)
		}
	}
}

// field reads a line: its value when it is data.
func (f *framer) field(line []byte) (value []byte, isData bool, err error) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch {
	case f.fault == wantsASpace && !bytes.HasPrefix(line, []byte("data: ")):
		return nil, false, nil
	case string(name) == "data":
		return bytes.TrimPrefix(value, []byte(" ")), true, nil
	case f.fault == failsOnComments && len(name) == 0,
		f.fault == failsOnUnknownFields && len(name) > 0 && !slices.Contains([]string{"event", "id", "retry"}, string(name)):
		return nil, false, fmt.Errorf("toy: a line %.10q that nobody knows", line)
	default:
		return nil, false, nil
	}
}
