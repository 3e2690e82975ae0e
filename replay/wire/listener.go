package wire

import (
	"context"
	"io"
	"sync"
	"time"
)

// heard is what was read of a body, and how the reading ended.
type heard struct {
	body   []byte
	chunks []int
	delays []int64 // before each chunk, and before the end
	end    string
	err    error // what broke it
}

// A listener is a body that tells once what was read of it: at its end, when it
// breaks or when it is closed, whichever comes first.
type listener struct {
	ctx  context.Context
	rc   io.ReadCloser
	done func(heard)

	mu      sync.Mutex
	heard   heard
	closing bool
	over    bool
}

func (l *listener) Read(p []byte) (int, error) {
	began := time.Now()
	n, err := l.rc.Read(p)
	l.note(p[:n], err, milliseconds(time.Since(began)))
	return n, err
}

// Close closes the body. It may be called while Read waits.
func (l *listener) Close() error {
	l.mu.Lock()
	l.closing = true
	l.mu.Unlock()
	err := l.rc.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end(endClosed, nil, 0)
	return err
}

func (l *listener) note(read []byte, err error, delay int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return
	}
	if len(read) > 0 {
		l.heard.body = append(l.heard.body, read...)
		l.heard.chunks = append(l.heard.chunks, len(read))
		l.heard.delays = append(l.heard.delays, delay)
		delay = 0
	}
	switch {
	case err == nil:
	case l.closing || err != io.EOF && l.ctx.Err() != nil:
		// What a waiting Read returns then tells nothing of the server.
		l.end(endClosed, nil, delay)
	case err == io.EOF:
		l.end(endEOF, nil, delay)
	default:
		l.end(endBroken, err, delay)
	}
}

// end tells what was heard. The lock is held, so that whoever closes the body
// while it is stored comes back when it is.
func (l *listener) end(how string, err error, delay int64) {
	if l.over {
		return
	}
	l.over = true
	l.heard.end, l.heard.err = how, err
	l.heard.delays = append(l.heard.delays, delay)
	l.done(l.heard)
}
