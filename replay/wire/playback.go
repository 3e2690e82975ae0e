package wire

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// A playback is the body of a recording: the same bytes in the same chunks, and
// the same end. A body that was closed before its end ends there.
type playback struct {
	ctx    context.Context
	body   []byte // what is left of it
	chunks []int  // those that are left
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
		if len(p.chunks) == 0 {
			return 0, p.err
		}
		p.left, p.chunks = p.chunks[0], p.chunks[1:]
	}
	n := copy(b, p.body[:p.left])
	p.body, p.left = p.body[n:], p.left-n
	return n, nil
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
