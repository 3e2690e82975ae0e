package conformance

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A bent is a model with something done to what it says.
type bent struct {
	providers.Model
	name   func() string
	spec   func() request.Spec
	stream func(ctx context.Context, req request.Request) stream.Stream
}

func (b *bent) Name() string {
	if b.name != nil {
		return b.name()
	}
	return b.Model.Name()
}

func (b *bent) Spec() request.Spec {
	if b.spec != nil {
		return b.spec()
	}
	return b.Model.Spec()
}

func (b *bent) Stream(ctx context.Context, req request.Request) stream.Stream {
	if b.stream != nil {
		return b.stream(ctx, req)
	}
	return b.Model.Stream(ctx, req)
}

// A made makes a faulty model of an honest toy.
type made func(*toy) providers.Model

// ranging does something to how the stream is ranged.
func ranging(bend func(m *toy, s stream.Stream, yield func(events.Event) bool)) made {
	return func(m *toy) providers.Model {
		return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
			s := m.Stream(ctx, req)
			return func(yield func(events.Event) bool) { bend(m, s, yield) }
		}}
	}
}

// telling replaces events.
func telling(change func(events.Event) []events.Event) made {
	return ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
		for ev := range s {
			for _, instead := range change(ev) {
				if !yield(instead) {
					return
				}
			}
		}
	})
}

// failing changes failures.
func failing(change func(*events.Failure)) made {
	return telling(func(ev events.Event) []events.Event {
		if f, ok := ev.Failure(); ok {
			change(f)
			return []events.Event{events.NewFailed(f)}
		}
		return []events.Event{ev}
	})
}

// leaving leaves out events.
func leaving(out func(events.Event) bool) made {
	return telling(func(ev events.Event) []events.Event {
		if out(ev) {
			return nil
		}
		return []events.Event{ev}
	})
}

// ofKind reports whether an event is a failure of that kind.
func ofKind(kind events.FailureKind) func(events.Event) bool {
	return func(ev events.Event) bool {
		f, ok := ev.Failure()
		return ok && f.Kind == kind
	}
}

// ofReason reports whether an event is a failure of that reason.
func ofReason(reason events.Reason) func(events.Event) bool {
	return func(ev events.Event) bool {
		f, ok := ev.Failure()
		return ok && f.Reason == reason
	}
}

// silentOn has no terminal where the body holds a text.
func silentOn(text string) made {
	return both(stumbling(text), leaving(ofReason(events.ReasonLostConnection)))
}

// succeeding takes failures of a kind for the end of a reply.
func succeeding(kind events.FailureKind) made { return succeedingOn(ofKind(kind)) }

// succeedingOn takes some events for the end of a reply.
func succeedingOn(is func(events.Event) bool) made {
	return telling(func(ev events.Event) []events.Event {
		if is(ev) {
			ev = events.NewCompleted(events.Completion{Stop: events.StopEnd, RawStop: "done"})
		}
		return []events.Event{ev}
	})
}

// withoutCause takes the cause out of a failure.
func withoutCause(f *events.Failure) {
	f.Detail += " " // so that the failure is not the one that it was
	*f = events.Failure{
		Kind: f.Kind, Reason: f.Reason, Detail: f.Detail, Provider: f.Provider, Status: f.Status, ProviderCode: f.ProviderCode,
		RequestID: f.RequestID, RetryAfter: f.RetryAfter, ShouldRetry: f.ShouldRetry, Sent: f.Sent, Usage: f.Usage,
	}
}

// ask sends a request that nobody asked for.
func (m *toy) ask() {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, toyURL, http.NoBody)
	if err != nil {
		panic(err) // the URL is a constant
	}
	resp, err := m.client.Do(req)
	if err == nil {
		_ = resp.Body.Close()
	}
}

// over puts a round tripper between the toy and the stage.
func over(bend func(req *http.Request, under http.RoundTripper) (*http.Response, error)) made {
	return func(m *toy) providers.Model {
		under := m.rt
		m.rt = tripper(func(req *http.Request) (*http.Response, error) { return bend(req, under) })
		m.client = transport.NewClient(&http.Client{Transport: m.rt})
		return m
	}
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// A bentBody is a body whose Read or Close is another.
type bentBody struct {
	rc     io.ReadCloser
	status int
	closed func(*bentBody)
	read   func(b *bentBody, n int, err error) (int, error)

	mu    sync.Mutex // Close may come from another goroutine
	seen  []byte
	reads int
	last  error
}

func (b *bentBody) Read(p []byte) (int, error) {
	n, err := b.rc.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen, b.reads, b.last = append(b.seen, p[:n]...), b.reads+1, err
	if b.read != nil {
		return b.read(b, n, err)
	}
	return n, err
}

func (b *bentBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed == nil {
		return b.rc.Close()
	}
	b.closed(b)
	return nil
}

// closing closes bodies in another way.
func closing(closed func(*bentBody)) made {
	return bodied(func(b *bentBody) { b.closed = closed })
}

// reading reads bodies in another way.
func reading(read func(b *bentBody, n int, err error) (int, error)) made {
	return bodied(func(b *bentBody) { b.read = read })
}

func bodied(bend func(*bentBody)) made {
	return over(func(req *http.Request, under http.RoundTripper) (*http.Response, error) {
		resp, err := under.RoundTrip(req)
		if err == nil {
			b := &bentBody{rc: resp.Body, status: resp.StatusCode}
			bend(b)
			resp.Body = b
		}
		return resp, err
	})
}

// forgetting does not close some bodies.
func forgetting(some func(*bentBody) bool) made {
	return closing(func(b *bentBody) {
		if !some(b) {
			_ = b.rc.Close()
		}
	})
}

// both does two things to a toy, the first of them to its transport.
func both(first, then made) made {
	return func(m *toy) providers.Model {
		first(m)
		return then(m)
	}
}

// stumbling breaks a body that holds a text.
func stumbling(text string) made {
	return over(func(req *http.Request, under http.RoundTripper) (*http.Response, error) {
		resp, err := under.RoundTrip(req)
		if err == nil {
			resp.Body = &stumblingBody{ReadCloser: resp.Body, text: text}
		}
		return resp, err
	})
}

type stumblingBody struct {
	io.ReadCloser
	text string
	seen []byte
}

func (b *stumblingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.seen = append(b.seen, p[:n]...)
	if bytes.Contains(b.seen, []byte(b.text)) {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// contains reports whether the written form of an event holds a text.
func contains(ev events.Event, text string) bool {
	return bytes.Contains(events.AppendJSON(nil, ev), []byte(text))
}

// eager has the whole reply before anybody ranges it.
func (m *toy) eager(ctx context.Context, req request.Request) stream.Stream {
	var all []events.Event
	for ev := range m.Stream(ctx, req) {
		all = append(all, ev)
	}
	return stream.New(func(emit func(events.Event) bool) {
		for _, ev := range all {
			if !emit(ev) {
				return
			}
		}
	})
}

// waiting starts a goroutine that the range ends.
func (m *toy) waiting(ctx context.Context, req request.Request) stream.Stream {
	ranged := make(chan struct{})
	go func() { <-ranged }()
	var once sync.Once
	s := m.Stream(ctx, req)
	return func(yield func(events.Event) bool) {
		once.Do(func() { close(ranged) })
		s(yield)
	}
}

// pumped ranges a stream on a goroutine of its own.
func pumped(_ *toy, s stream.Stream, yield func(events.Event) bool) {
	pump := make(chan events.Event)
	go func() {
		defer close(pump)
		for ev := range s {
			pump <- ev
		}
	}()
	for ev := range pump {
		if !yield(ev) {
			return
		}
	}
}

// apart calls the consumer on another goroutine, and hands its panic on but not its
// Goexit.
func apart(_ *toy, s stream.Stream, yield func(events.Event) bool) {
	for ev := range s {
		var more bool
		var crash any
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { crash = recover() }()
			more = yield(ev)
		}()
		<-done
		if crash != nil {
			panic(crash)
		}
		if !more {
			return
		}
	}
}

// renamed gives calls another name.
func renamed(ev events.Event) []events.Event {
	c, ok := ev.Call()
	c.Name = "climate"
	switch {
	case !ok:
	case ev.Kind == events.ToolCallStarted:
		ev = events.NewToolCallStarted(int(ev.Index), c.ID, c.Name, c.Minted)
	case ev.Kind == events.ToolCallCompleted:
		ev = events.NewToolCallCompleted(int(ev.Index), c)
	}
	return []events.Event{ev}
}

// cutCalls completes what came of the arguments of a reply that was cut.
func cutCalls() made {
	return ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
		var open events.ToolCall
		var index int
		for ev := range s {
			switch {
			case ev.Kind == events.ToolCallStarted:
				open, _ = ev.Call()
				index = int(ev.Index)
			case ev.Kind == events.ToolArgumentsDelta:
				continue // the pieces are not told
			case ev.Kind == events.Failed && open.ID != "":
				open.Arguments = "{}"
				if !yield(events.NewToolCallCompleted(index, open)) {
					return
				}
			}
			if !yield(ev) {
				return
			}
		}
	})
}

// numbered gives each stream an id of its own.
func numbered() made {
	var n atomic.Int64
	return ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
		for ev := range s {
			if ev.Kind == events.Started {
				ev = events.NewStarted(events.Start{ResponseID: strconv.FormatInt(n.Add(1), 10)})
			}
			if !yield(ev) {
				return
			}
		}
	})
}

// nonced gives each request a body of its own.
func nonced() made {
	var n atomic.Int64
	return over(func(req *http.Request, under http.RoundTripper) (*http.Response, error) {
		req = req.Clone(req.Context())
		text, _ := io.ReadAll(req.Body)
		text = append([]byte(`{"nonce":`+strconv.FormatInt(n.Add(1), 10)+`,`), text[1:]...)
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		return under.RoundTrip(req)
	})
}
