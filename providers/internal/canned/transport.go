package canned

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// A Transport is an http.RoundTripper that gives every request the same answer.
// It fires no httptrace hook. Set its fields before the first request; it is
// safe for concurrent use.
type Transport struct {
	// Status is 200 when zero.
	Status int
	Header http.Header
	Body   []byte
	// Read says how many bytes the nth read of a body hands over at most; nil
	// hands over all that fits. With Joined the last bytes come together with
	// the end.
	Read   func(n int) int
	Joined bool
	// End is what the body ends with; nil is io.EOF.
	End error
	// Hang keeps the body open after its last byte until it is closed or the
	// request's context ends.
	Hang bool
	// Err refuses every request.
	Err error

	mu       sync.Mutex
	requests []Request
	closes   []int
}

// A Request is what a Transport was sent.
type Request struct {
	Method string
	URL    string
	Header http.Header
	Body   []byte
}

// RoundTrip answers from memory.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	var sent []byte
	if req.Body != nil {
		sent, _ = io.ReadAll(req.Body)
		_ = req.Body.Close()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests = append(t.requests, Request{req.Method, req.URL.String(), req.Header.Clone(), sent})
	if t.Err != nil {
		return nil, t.Err
	}
	status, header := t.Status, t.Header.Clone()
	if status == 0 {
		status = http.StatusOK
	}
	if header == nil {
		header = http.Header{}
	}
	t.closes = append(t.closes, 0)
	return &http.Response{
		Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, ContentLength: -1, Request: req,
		Body: &body{t: t, nth: len(t.closes) - 1, ctx: req.Context(), closed: make(chan struct{})},
	}, nil
}

// Requests returns what was sent so far.
func (t *Transport) Requests() []Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Request(nil), t.requests...)
}

// Closes returns how often each body was closed.
func (t *Transport) Closes() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]int(nil), t.closes...)
}

type body struct {
	t      *Transport
	nth    int
	ctx    context.Context
	at     int
	reads  int
	closed chan struct{}
}

func (b *body) Read(p []byte) (int, error) {
	select {
	case <-b.closed:
		return 0, http.ErrBodyReadAfterClose
	default:
	}
	if b.at == len(b.t.Body) {
		return 0, b.end()
	}
	n := min(len(p), len(b.t.Body)-b.at)
	if b.t.Read != nil {
		n = min(n, max(b.t.Read(b.reads), 1))
	}
	b.reads++
	copy(p, b.t.Body[b.at:b.at+n])
	b.at += n
	if b.t.Joined && b.at == len(b.t.Body) && !b.t.Hang {
		return n, b.end()
	}
	return n, nil
}

func (b *body) end() error {
	if b.t.Hang {
		select {
		case <-b.closed:
			return http.ErrBodyReadAfterClose
		case <-b.ctx.Done():
			return b.ctx.Err()
		}
	}
	if b.t.End != nil {
		return b.t.End
	}
	return io.EOF
}

func (b *body) Close() error {
	b.t.mu.Lock()
	defer b.t.mu.Unlock()
	if b.t.closes[b.nth] == 0 {
		close(b.closed)
	}
	b.t.closes[b.nth]++
	return nil
}
