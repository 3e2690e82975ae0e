package caller_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patience is how long a server waits for what has to come. It is no bound on how
// fast anything is.
const patience = 20 * time.Second

// A peer is one exchange at the server's side of a plain connection.
type peer struct {
	tb   testing.TB
	conn net.Conn
	over bool // the connection cannot be used again
	// read is told when the client has read content.
	read <-chan struct{}
}

func (p *peer) write(text string) {
	if _, err := io.WriteString(p.conn, text); err != nil {
		p.over = true
	}
}

// head writes the head of a stream.
func (p *peer) head(contentType string) {
	p.write("HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nTransfer-Encoding: chunked\r\n\r\n")
}

func (p *peer) chunk(text string) {
	if text != "" {
		p.write(fmt.Sprintf("%x\r\n%s\r\n", len(text), text))
	}
}

// whole writes an answer that is no stream.
func (p *peer) whole(status int, contentType, header, body string) {
	p.write(fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n%s", status, contentType, header, len(body), body))
}

// end ends the body in the ordinary way.
func (p *peer) end() { p.write("0\r\n\r\n") }

// cut closes the connection inside a chunk.
func (p *peer) cut() {
	p.write("400\r\n")
	p.close()
}

// reset resets the connection.
func (p *peer) reset() {
	if c, ok := p.conn.(*net.TCPConn); ok {
		assert.NoError(p.tb, c.SetLinger(0))
	}
	p.close()
}

func (p *peer) close() {
	p.over = true
	_ = p.conn.Close()
}

// hold says nothing more until the client has closed the connection.
func (p *peer) hold() {
	p.over = true
	assert.NoError(p.tb, p.conn.SetReadDeadline(time.Now().Add(patience)))
	_, err := io.Copy(io.Discard, p.conn)
	var late net.Error
	assert.False(p.tb, errors.As(err, &late) && late.Timeout(), "the client has left the connection open")
}

// awaitContent waits until the client has read content.
func (p *peer) awaitContent() { await(p.tb, p.read) }

func await(tb testing.TB, read <-chan struct{}) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-read:
	case <-timer.C:
		assert.Fail(tb, "the client has read no content")
	}
}

// A plainServer speaks HTTP/1.1 byte by byte on loopback.
type plainServer struct {
	listener net.Listener
	requests atomic.Int64
	work     sync.WaitGroup
	play     func(*peer)
}

func newPlainServer(tb testing.TB, read <-chan struct{}, play func(*peer)) *plainServer {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	s := &plainServer{listener: listener, play: play}
	s.work.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.work.Go(func() { s.serve(&peer{tb: tb, conn: conn, read: read}) })
		}
	})
	return s
}

func (s *plainServer) serve(p *peer) {
	defer func() { _ = p.conn.Close() }()
	from := bufio.NewReader(p.conn)
	for !p.over {
		req, err := http.ReadRequest(from)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		s.requests.Add(1)
		s.play(p)
	}
}

func (s *plainServer) url() string { return "http://" + s.listener.Addr().String() }

// close waits for every connection: one that the client never closes fails the test.
func (s *plainServer) close() {
	_ = s.listener.Close()
	s.work.Wait()
}

// A peerH2 is one exchange at the server's side of HTTP/2.
type peerH2 struct {
	tb   testing.TB
	w    http.ResponseWriter
	r    *http.Request
	read <-chan struct{}
}

// say writes some of a stream, and its head before.
func (p *peerH2) say(contentType, text string) {
	p.w.Header().Set("Content-Type", contentType)
	_, _ = io.WriteString(p.w, text)
	_ = http.NewResponseController(p.w).Flush()
}

// reset resets the stream, and leaves the connection alone.
func (p *peerH2) reset() { panic(http.ErrAbortHandler) }

// hold says nothing more until the client has left the stream.
func (p *peerH2) hold() {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-p.r.Context().Done():
	case <-timer.C:
		assert.Fail(p.tb, "the client has left the stream open")
	}
}

// A serverH2 is net/http's own, with TLS and HTTP/2.
type serverH2 struct {
	*httptest.Server
	requests atomic.Int64
}

func newServerH2(tb testing.TB, read <-chan struct{}, play func(*peerH2)) *serverH2 {
	tb.Helper()
	s := new(serverH2)
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		assert.Equal(tb, 2, r.ProtoMajor)
		_, err := io.Copy(io.Discard, r.Body)
		assert.NoError(tb, err)
		play(&peerH2{tb: tb, w: w, r: r, read: read})
	}))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	return s
}

// freshTransport returns a round tripper of the test's own.
func freshTransport() *http.Transport {
	return &http.Transport{DialContext: (&net.Dialer{}).DialContext}
}

// closedPort returns an address of loopback where nobody listens.
func closedPort(tb testing.TB) string {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	require.NoError(tb, listener.Close())
	return listener.Addr().String()
}

// strangerTLS is a server whose certificate nobody trusts.
func strangerTLS(tb testing.TB) (*httptest.Server, *atomic.Int64) {
	tb.Helper()
	requests := new(atomic.Int64)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	s.StartTLS()
	return s, requests
}

func retryAfter(seconds int) string { return "Retry-After: " + strconv.Itoa(seconds) + "\r\n" }
