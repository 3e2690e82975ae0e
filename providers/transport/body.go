package transport

import (
	"io"
	"sync"
)

// body reads a response body under the clocks and closes it once.
type body struct {
	x    *exchange
	rc   io.ReadCloser
	once sync.Once
}

func newBody(x *exchange, rc io.ReadCloser) *body { return &body{x: x, rc: rc} }

// Read tells the clocks when it waits and what came.
func (b *body) Read(p []byte) (int, error) {
	x := b.x
	if x.progress {
		x.progress = false
		x.watch.Content()
	}
	if err := x.ctx.Err(); err != nil {
		return 0, err
	}
	x.watch.Enter()
	n, err := b.read(p)
	x.watch.Leave()
	if n > 0 {
		x.watch.Bytes()
	}
	return n, err
}

// read contains a panic of a round tripper's body: no consumer is at work here.
func (b *body) read(p []byte) (n int, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			n, err = 0, crashed("the response body", crash)
		}
	}()
	return b.rc.Read(p)
}

// close closes the body; more calls do nothing. It may be called from another
// goroutine while Read waits.
func (b *body) close() {
	b.once.Do(func() { _ = b.rc.Close() })
}

// tapped shows a tap what is read.
type tapped struct {
	r   io.Reader
	tap func([]byte)
}

func (t *tapped) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if n > 0 {
		t.tap(p[:n])
	}
	return n, err
}
