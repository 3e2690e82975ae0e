package wire

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A playback is the body of a recording: the same bytes, in the same chunks where their
// sizes are stored, and the same end. A body that was closed before its end ends there.
type playback struct {
	ctx    context.Context
	body   []byte // what is left of it
	chunks []int  // those that are left
	edge   []byte // what a chunk ends in, where no sizes are stored
	left   int    // of the chunk under way
	delays []int64
	at     int // the next of them
	err    error

	once   sync.Once
	closed chan struct{}
}

func newPlayback(ctx context.Context, one *recording, pace bool) *playback {
	a := one.Response
	p := &playback{ctx: ctx, body: one.body, chunks: a.Chunks, err: io.EOF, closed: make(chan struct{})}
	if len(a.Chunks) == 0 {
		p.edge = edgeOf(one.body)
	}
	if a.Broken != nil && a.End == endBroken {
		p.err = a.Broken.err()
	}
	if pace {
		p.delays = a.Delays
	}
	return p
}

// Read returns at most what is left of a chunk.
func (p *playback) Read(b []byte) (int, error) {
	if err := p.over(); err != nil {
		return 0, err
	}
	if len(b) == 0 {
		return 0, nil
	}
	if p.left == 0 {
		p.at++
		if err := p.wait(p.at); err != nil {
			return 0, err
		}
		if len(p.body) == 0 {
			return 0, p.err
		}
		p.left = p.nextChunk()
	}
	n := copy(b, p.body[:p.left])
	p.body, p.left = p.body[n:], p.left-n
	return n, nil
}

// nextChunk returns the size of the next chunk.
func (p *playback) nextChunk() int {
	if len(p.chunks) > 0 {
		n := p.chunks[0]
		p.chunks = p.chunks[1:]
		return n
	}
	if at := bytes.Index(p.body, p.edge); len(p.edge) > 0 && at >= 0 {
		return at + len(p.edge)
	}
	return len(p.body)
}

// edgeOf returns what the frames of a text end in, as most streams are framed: in a
// blank line, or else in the end of a line. Of what is no text it is nil.
func edgeOf(body []byte) []byte {
	if !strings.HasPrefix(http.DetectContentType(body), "text/") {
		return nil
	}
	for _, edge := range [][]byte{[]byte("\n\n"), []byte("\r\n\r\n"), []byte("\n")} {
		if bytes.Contains(body, edge) {
			return edge
		}
	}
	return nil
}

// Close ends the body. It may be called while Read waits.
func (p *playback) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// over returns why nothing more is read, if so.
func (p *playback) over() error {
	select {
	case <-p.closed:
		return http.ErrBodyReadAfterClose
	default:
	}
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	return nil
}

// wait waits as long as was recorded before the nth piece, the head being the first.
func (p *playback) wait(nth int) error {
	if nth >= len(p.delays) || p.delays[nth] == 0 {
		return nil
	}
	timer := time.NewTimer(time.Duration(p.delays[nth]) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.ctx.Done():
	case <-p.closed:
	}
	return p.over()
}
