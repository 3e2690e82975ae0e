package caller_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A cannedExchange is one answer from memory.
type cannedExchange struct {
	Status  int
	Headers map[string]string
	Body    string
	Writes  []cannedWrite
	// End is how the body ends: "eof", "reset", "rst_stream:CODE", "stall", or
	// "hold:MS".
	End string

	bytes []byte
}

// A cannedWrite is what comes at once, after a delay.
type cannedWrite struct {
	Bytes   int
	DelayMS int64 `json:"delay_ms"`
}

// sseAnswer is a good stream of server-sent events.
func sseAnswer(body string) cannedExchange {
	return cannedExchange{Status: 200, Headers: map[string]string{"content-type": "text/event-stream"}, End: "eof", bytes: []byte(body)}
}

// jsonAnswer is a document, for instance an error.
func jsonAnswer(status int, body string, headers ...string) cannedExchange {
	x := cannedExchange{Status: status, Headers: map[string]string{"content-type": "application/json"}, End: "eof", bytes: []byte(body)}
	for i := 0; i < len(headers); i += 2 {
		x.Headers[headers[i]] = headers[i+1]
	}
	return x
}

// A cannedTransport gives its exchanges in order, the last one for ever. It fires no
// httptrace hook and is safe for concurrent use. It waits by time alone, so it works
// in a bubble of testing/synctest.
type cannedTransport struct {
	exchanges []cannedExchange

	mu     sync.Mutex
	sent   [][]byte
	at     []time.Time
	opened int
	closed int
}

func (t *cannedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	sent, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.exchanges[min(len(t.at), len(t.exchanges)-1)]
	t.at, t.sent = append(t.at, time.Now()), append(t.sent, sent)
	if x.Status == 0 {
		return nil, errors.New("connect: connection refused")
	}
	t.opened++
	resp := &http.Response{
		StatusCode: x.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, ContentLength: -1, Request: req,
		Body: &cannedBody{t: t, x: x, rest: bytes.NewReader(x.bytes), closed: make(chan struct{})},
	}
	for name, value := range x.Headers {
		resp.Header.Set(name, value)
	}
	return resp, nil
}

// requests returns when each request came.
func (t *cannedTransport) requests() []time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]time.Time(nil), t.at...)
}

// bodies returns what was sent.
func (t *cannedTransport) bodies() [][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([][]byte(nil), t.sent...)
}

// unclosed returns how many bodies are still open.
func (t *cannedTransport) unclosed() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.opened - t.closed
}

type cannedBody struct {
	t      *cannedTransport
	x      cannedExchange
	rest   *bytes.Reader
	nth    int // the write that is being read
	left   int // bytes of it
	once   sync.Once
	closed chan struct{}
}

func (b *cannedBody) Read(p []byte) (int, error) {
	if b.left == 0 && b.nth < len(b.x.Writes) {
		next := b.x.Writes[b.nth]
		b.nth++
		b.left = next.Bytes
		if err := b.wait(ms(next.DelayMS)); err != nil {
			return 0, err
		}
	}
	if len(b.x.Writes) > 0 {
		p = p[:min(len(p), b.left)]
	}
	if b.rest.Len() == 0 {
		return 0, b.end()
	}
	n, err := b.rest.Read(p)
	b.left = max(b.left-n, 0)
	return n, err
}

func (b *cannedBody) end() error {
	how, text, _ := strings.Cut(b.x.End, ":")
	switch how {
	case "reset", "rst_stream":
		return errors.New("read: connection reset by peer")
	case "stall":
		return b.wait(1 << 62)
	case "hold":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		if err := b.wait(ms(n)); err != nil {
			return err
		}
	}
	return io.EOF
}

// wait waits until the body is closed at most: like a pipe, it knows no context.
func (b *cannedBody) wait(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-b.closed:
		return http.ErrBodyReadAfterClose
	}
}

func (b *cannedBody) Close() error {
	b.once.Do(func() {
		close(b.closed)
		b.t.mu.Lock()
		defer b.t.mu.Unlock()
		b.t.closed++
	})
	return nil
}
