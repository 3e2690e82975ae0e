package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"syscall"
)

// A tape is a recorded response and how to play it.
type tape struct {
	status int
	header http.Header
	body   []byte
	raw    bool // body is a whole HTTP/1.1 response
	split  int  // bytes a read; 0 for as many as asked for
	cut    int  // bytes of the body; negative for all
	reset  bool // end with a connection reset
}

// RoundTrip answers any request with the recording. It fires no trace hook, as
// any canned transport.
func (t tape) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_, _ = io.Copy(io.Discard, req.Body)
		_ = req.Body.Close()
	}
	resp, err := t.response(req)
	if err != nil {
		return nil, err
	}
	resp.Body = t.play(resp.Body)
	return resp, nil
}

// response returns the recording as a response whose body plays it at once.
func (t tape) response(req *http.Request) (*http.Response, error) {
	if t.raw {
		return http.ReadResponse(bufio.NewReader(bytes.NewReader(t.body)), req)
	}
	return &http.Response{
		Status:     strconv.Itoa(t.status) + " " + http.StatusText(t.status),
		StatusCode: t.status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        t.header.Clone(),
		Body:          io.NopCloser(bytes.NewReader(t.body)),
		ContentLength: -1,
		Request:       req,
	}, nil
}

// play returns the body in pieces, cut and ended as the tape says.
func (t tape) play(body io.ReadCloser) io.ReadCloser {
	p := &player{ReadCloser: body, split: t.split, left: -1}
	if t.cut >= 0 {
		p.left = t.cut
	}
	if t.reset {
		p.end = &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	}
	return p
}

// A player reads a body in pieces, up to a point, and ends it in its own way.
type player struct {
	io.ReadCloser
	split int   // bytes a read; 0 for as many as asked for
	left  int   // bytes until the end; negative for no limit
	end   error // what the end says; nil for what the body says
}

func (p *player) Read(buf []byte) (int, error) {
	if p.split > 0 && len(buf) > p.split {
		buf = buf[:p.split]
	}
	if p.left >= 0 && len(buf) > p.left {
		buf = buf[:p.left]
	}
	if p.left == 0 {
		return 0, p.ended(io.EOF)
	}
	n, err := p.ReadCloser.Read(buf)
	if p.left > 0 {
		p.left -= n
	}
	if err != nil {
		err = p.ended(err)
	}
	return n, err
}

// ended returns what the end of the body says.
func (p *player) ended(err error) error {
	if p.end != nil {
		return p.end
	}
	return err
}
