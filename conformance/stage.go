package conformance

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"
)

// A reach is how far a request gets on the stage, and so which hooks of httptrace
// fire.
type reach uint8

const (
	reachHead    reach = iota // to the head of an answer
	reachNone                 // nowhere: no hook fires, as with a canned transport
	reachDial                 // to a connection that cannot be had
	reachConn                 // to a connection, on which it breaks
	reachWritten              // to the provider, which does not answer
)

// An act is one answer of the stage.
type act struct {
	response

	// reads says how many bytes the nth read hands over at most; nil: all that fit.
	reads func(n int) int
	// joined: the last bytes come together with the end.
	joined bool
	// end is what the body ends with; nil is io.EOF.
	end error
	// stall is the number of bytes after which the body hangs until it is closed or
	// the request's context ends; negative: it does not.
	stall int

	// reach is how far the request gets; err ends it there, and without one it
	// hangs there until its context ends.
	reach reach
	err   error
}

// A sent is a request that the stage was given.
type sent struct {
	url    string
	header http.Header
	body   []byte
}

// A stage is an http.RoundTripper that plays acts: the nth request gets the nth,
// and each further one the last.
type stage struct {
	mu     sync.Mutex
	acts   []act
	got    []sent
	bodies []*body
}

// open takes down what was and sets the acts that come.
func (s *stage) open(acts ...act) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acts, s.got, s.bodies = acts, nil, nil
}

// requests returns what the stage was sent.
func (s *stage) requests() []sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]sent(nil), s.got...)
}

// closes returns how often each body was closed.
func (s *stage) closes() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]int, len(s.bodies))
	for i, b := range s.bodies {
		all[i] = b.closes
	}
	return all
}

// taken returns how much of the last body was read.
func (s *stage) taken() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.bodies) == 0 {
		return 0
	}
	return s.bodies[len(s.bodies)-1].taken.Load()
}

// RoundTrip plays the next act.
func (s *stage) RoundTrip(req *http.Request) (*http.Response, error) {
	var text []byte
	if req.Body != nil {
		text, _ = io.ReadAll(req.Body)
		_ = req.Body.Close()
	}
	s.mu.Lock()
	a := s.acts[min(len(s.got), len(s.acts)-1)]
	s.got = append(s.got, sent{req.URL.String(), req.Header.Clone(), text})
	s.mu.Unlock()
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	a.fire(req)
	if a.reach != reachHead {
		if a.err == nil {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}
		return nil, a.err
	}
	b := &body{stage: s, act: a, ctx: req.Context(), closed: make(chan struct{})}
	s.mu.Lock()
	s.bodies = append(s.bodies, b)
	s.mu.Unlock()
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header.Clone(), ContentLength: -1, Request: req, Body: b,
	}, nil
}

// fire calls the hooks that the reach of the act lets fire.
func (a act) fire(req *http.Request) {
	trace := httptrace.ContextClientTrace(req.Context())
	if trace == nil || a.reach == reachNone {
		return
	}
	if trace.GetConn != nil {
		trace.GetConn(req.URL.Host)
	}
	if trace.ConnectStart != nil {
		trace.ConnectStart("tcp", req.URL.Host)
	}
	if trace.ConnectDone != nil {
		var err error
		if a.reach == reachDial {
			err = a.err
		}
		trace.ConnectDone("tcp", req.URL.Host, err)
	}
	if a.reach != reachDial {
		a.fireConnected(trace)
	}
}

func (a act) fireConnected(trace *httptrace.ClientTrace) {
	if trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	if a.reach == reachConn {
		return
	}
	if trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
	if a.reach == reachHead && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
}

// A body is the body of one act.
type body struct {
	stage  *stage
	act    act
	ctx    context.Context
	at     int
	reads  int
	taken  atomic.Int64
	closes int // guarded by the stage
	closed chan struct{}
}

// Read hands over the next bytes.
func (b *body) Read(p []byte) (int, error) {
	select {
	case <-b.closed:
		return 0, http.ErrBodyReadAfterClose
	default:
	}
	if b.act.stall >= 0 && b.at >= b.act.stall {
		return 0, b.hang()
	}
	rest := b.act.body[b.at:]
	if len(rest) == 0 {
		return 0, b.ending()
	}
	n := min(len(p), len(rest))
	if b.act.reads != nil {
		n = min(n, max(b.act.reads(b.reads), 1))
	}
	if b.act.stall >= 0 {
		n = min(n, b.act.stall-b.at)
	}
	b.reads++
	copy(p, rest[:n])
	b.at += n
	b.taken.Store(int64(b.at))
	if b.act.joined && b.at == len(b.act.body) {
		return n, b.ending()
	}
	return n, nil
}

func (b *body) ending() error {
	if b.act.end != nil {
		return b.act.end
	}
	return io.EOF
}

func (b *body) hang() error {
	select {
	case <-b.closed:
		return http.ErrBodyReadAfterClose
	case <-b.ctx.Done():
		return b.ctx.Err()
	case <-time.After(forever):
		return io.ErrUnexpectedEOF
	}
}

// forever is, in the virtual time of a bubble, longer than any clock.
const forever = 1000 * time.Hour

// Close closes the body and counts how often.
func (b *body) Close() error {
	b.stage.mu.Lock()
	defer b.stage.mu.Unlock()
	if b.closes == 0 {
		close(b.closed)
	}
	b.closes++
	return nil
}
