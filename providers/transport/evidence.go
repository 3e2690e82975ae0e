package transport

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/weirsdk/weir/events"
)

// evidence is what is known of how far a request got. The hooks may be called
// from other goroutines, also after the exchange is over.
type evidence struct {
	handed   bool        // to the round tripper
	hooked   atomic.Bool // some hook fired
	touched  atomic.Bool // a connection was had, or bytes were written
	answered bool        // a response head came
	served   bool        // the terminal evidence or final usage was read
}

// trace returns a context whose hooks gather evidence. Hooks of an outer trace
// still fire.
func (e *evidence) trace(ctx context.Context) context.Context {
	hook := func() { e.hooked.Store(true) }
	touch := func() { e.hooked.Store(true); e.touched.Store(true) }
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { hook() },
		DNSStart:             func(httptrace.DNSStartInfo) { hook() },
		ConnectStart:         func(string, string) { hook() },
		GotConn:              func(httptrace.GotConnInfo) { touch() },
		WroteHeaders:         touch,
		WroteRequest:         func(httptrace.WroteRequestInfo) { touch() },
		GotFirstResponseByte: touch,
	})
}

// sent returns the evidence as a word. not_sent needs positive evidence: the
// request was never handed over, or hooks fired and none of them had a
// connection. A round tripper that fires no hook gives maybe_sent.
func (e *evidence) sent() events.Sent {
	switch {
	case e.served:
		return events.Served
	case e.answered:
		return events.Answered
	case !e.handed || e.hooked.Load() && !e.touched.Load():
		return events.NotSent
	default:
		return events.MaybeSent
	}
}
