package wire

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
)

// A faultBody is a body that goes wrong.
type faultBody struct {
	ctx   context.Context
	rc    io.ReadCloser
	fault Fault
	read  int

	once   sync.Once
	closed chan struct{}
}

// body returns rc with the fault.
func (f Fault) body(ctx context.Context, rc io.ReadCloser) *faultBody {
	return &faultBody{ctx: ctx, rc: rc, fault: f, closed: make(chan struct{})}
}

func (b *faultBody) Read(p []byte) (int, error) {
	if b.fault.Split > 0 && len(p) > b.fault.Split {
		p = p[:b.fault.Split]
	}
	if b.fault.Stop == StopNone {
		return b.rc.Read(p)
	}
	left := max(b.fault.After, 0) - b.read
	if left == 0 {
		return 0, b.stop()
	}
	n, err := b.rc.Read(p[:min(len(p), left)])
	b.read += n
	if err == io.EOF {
		if n > 0 {
			return n, nil // the next Read ends it
		}
		return 0, b.stop()
	}
	return n, err
}

// stop returns the end that the fault makes.
func (b *faultBody) stop() error {
	switch b.fault.Stop {
	case StopReset:
		return errReset()
	case StopStall:
		select {
		case <-b.closed:
			return http.ErrBodyReadAfterClose
		case <-b.ctx.Done():
			return context.Cause(b.ctx)
		}
	default:
		return io.EOF
	}
}

// Close closes the body and ends a stall.
func (b *faultBody) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.rc.Close()
}

// errReset is what net/http gives for a connection that was reset.
func errReset() error {
	return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
}
