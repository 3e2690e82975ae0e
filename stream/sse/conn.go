package sse

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	gosse "github.com/tmaxmax/go-sse"

	"github.com/weirsdk/weir/events"
)

// A conn is the connection to one client. Its mutex is held for each message, so
// that a heartbeat never comes inside one.
type conn struct {
	ctx      context.Context
	header   http.Header
	deadline *http.ResponseController
	timeout  time.Duration

	mu      sync.Mutex
	session *gosse.Session
	last    time.Time
	err     error // the first write error; nothing is written after it

	// Of the ranging goroutine alone: the last id, and a buffer.
	sent int
	json []byte
}

// open does not write yet.
func open(w http.ResponseWriter, r *http.Request, o Options) (*conn, error) {
	session, err := gosse.Upgrade(w, r)
	if err != nil {
		return nil, err
	}
	return &conn{
		ctx: r.Context(), header: w.Header(), deadline: http.NewResponseController(w),
		timeout: o.WriteTimeout, session: session, sent: max(o.AfterID, 0),
	}, nil
}

// head sends the head and a message that is nothing but an id: the client knows
// at once that it is answered, and an EventSource that loses the connection
// before the first event still connects again with a Last-Event-ID.
func (c *conn) head() error {
	c.header.Set("Cache-Control", "no-store")
	// Keeps nginx from collecting the answer (its manual, ngx_http_proxy_module,
	// proxy_buffering, read 2026-11-30).
	c.header.Set("X-Accel-Buffering", "no")
	return c.send(&gosse.Message{ID: gosse.ID(strconv.Itoa(c.sent))})
}

// sendEvent sends one event as one message.
func (c *conn) sendEvent(ev events.Event) error {
	c.sent++
	c.json = events.AppendJSON(c.json[:0], ev)
	var m gosse.Message
	// Neither can hold a line end, which is what ID and Type panic on.
	m.ID = gosse.ID(strconv.Itoa(c.sent))
	m.Type = gosse.Type(ev.Kind.String())
	m.AppendData(string(c.json))
	return c.send(&m)
}

// send writes one message and flushes it.
func (c *conn) send(m *gosse.Message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(m)
}

// write is send with the mutex held. go-sse writes the Content-Type and the head
// before the first message.
func (c *conn) write(m *gosse.Message) error {
	if c.err != nil {
		return c.err
	}
	if c.timeout > 0 {
		// A writer without deadlines has none; then only its own errors count.
		_ = c.deadline.SetWriteDeadline(time.Now().Add(c.timeout))
	}
	if c.err = c.session.Send(m); c.err == nil {
		c.err = c.session.Flush()
	}
	c.last = time.Now()
	return c.err
}

// gone returns the cause when the client's request is over, else nil.
func (c *conn) gone() error { return context.Cause(c.ctx) }

// close gives the connection back without a deadline: it may serve other
// requests, and net/http sets one of its own only when it has a WriteTimeout.
func (c *conn) close() {
	if c.timeout > 0 {
		_ = c.deadline.SetWriteDeadline(time.Time{})
	}
}

// keepAlive sends a comment whenever nothing was sent for the interval. The
// function that it returns ends that and waits for it.
func (c *conn) keepAlive(every time.Duration) (stop func()) {
	if every <= 0 {
		return func() {}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { c.beat(every, done) })
	return func() {
		close(done)
		wg.Wait()
	}
}

func (c *conn) beat(every time.Duration, done <-chan struct{}) {
	timer := time.NewTimer(every)
	defer timer.Stop()
	for {
		select {
		case <-done:
			return
		case <-timer.C:
		}
		wait, err := c.heartbeat(every)
		if err != nil {
			return
		}
		timer.Reset(wait)
	}
}

// heartbeat sends a comment if nothing was sent for the interval, and returns
// how long to wait before it may be time again. While a message is being
// written the connection is not silent, so it does not queue behind it.
func (c *conn) heartbeat(every time.Duration) (wait time.Duration, err error) {
	if !c.mu.TryLock() {
		return every, nil
	}
	defer c.mu.Unlock()
	if silent := time.Since(c.last); silent < every {
		return every - silent, nil
	}
	var m gosse.Message
	m.AppendComment("heartbeat")
	return every, c.write(&m)
}
