package wire

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync/atomic"
)

// A stage is how far a request got, by the httptrace hooks that fired.
type stage int32

const (
	stageNone    stage = iota // no hook fired
	stageDial                 // a connection was wanted
	stageConn                 // and was had
	stageHeaders              // the head was written
	stageWritten              // the body too
	stageHead                 // something came back
)

func (s stage) String() string {
	return [...]string{"none", "dial", "conn", "headers", "written", "head"}[s]
}

func parseStage(name string) (stage, bool) {
	for s := stageNone; s <= stageHead; s++ {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}

// A stageWatch notes the last stage. The hooks may fire from other goroutines.
type stageWatch struct{ last atomic.Int32 }

func (w *stageWatch) stage() stage { return stage(w.last.Load()) }

func (w *stageWatch) reach(s stage) {
	for {
		last := w.last.Load()
		if last >= int32(s) || w.last.CompareAndSwap(last, int32(s)) {
			return
		}
	}
}

// trace returns a context whose hooks note the stage. Hooks of an outer trace
// still fire.
func (w *stageWatch) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { w.reach(stageDial) },
		DNSStart:             func(httptrace.DNSStartInfo) { w.reach(stageDial) },
		ConnectStart:         func(string, string) { w.reach(stageDial) },
		TLSHandshakeDone:     func(tls.ConnectionState, error) { w.reach(stageDial) },
		GotConn:              func(httptrace.GotConnInfo) { w.reach(stageConn) },
		WroteHeaders:         func() { w.reach(stageHeaders) },
		WroteRequest:         func(httptrace.WroteRequestInfo) { w.reach(stageWritten) },
		GotFirstResponseByte: func() { w.reach(stageHead) },
	})
}

// fire calls the hooks after one stage and up to another.
func fire(ctx context.Context, host string, after, to stage) {
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil {
		return
	}
	if within(stageDial, after, to) && trace.GetConn != nil {
		trace.GetConn(host)
	}
	if within(stageConn, after, to) && trace.GotConn != nil {
		// Hooks ask the connection for its addresses.
		conn, other := net.Pipe()
		_ = other.Close()
		trace.GotConn(httptrace.GotConnInfo{Conn: conn})
		_ = conn.Close()
	}
	if within(stageHeaders, after, to) && trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if within(stageWritten, after, to) && trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
	if within(stageHead, after, to) && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
}

func within(s, after, to stage) bool { return s > after && s <= to }
