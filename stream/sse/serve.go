package sse

import (
	"errors"
	"net/http"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// Defaults of Options.
const (
	// DefaultHeartbeat is well below the 60 s after which nginx gives up on a
	// silent server (its manual, ngx_http_proxy_module, proxy_read_timeout, read
	// 2026-11-30).
	DefaultHeartbeat = 15 * time.Second
	// DefaultWriteTimeout bounds how long one message may wait for the client.
	DefaultWriteTimeout = 30 * time.Second
)

// Options says how a stream is served. The zero Options is a good default.
type Options struct {
	// View changes each event before it is sent, or drops it by returning false.
	// Nil is [Public]; [Everything] sends all there is. A terminal cannot be
	// dropped: its Public form is sent.
	View func(events.Event) (events.Event, bool)
	// Heartbeat is how long the connection may be silent before a comment is
	// sent; 0 is DefaultHeartbeat, negative is never.
	Heartbeat time.Duration
	// WriteTimeout is how long one message may wait for a client that does not
	// read; 0 is DefaultWriteTimeout, negative is for ever. It takes the place of
	// http.Server.WriteTimeout, which counts from the request and would cut a
	// long reply.
	WriteTimeout time.Duration
	// AfterID is the id that the client has seen last, for a resumption that the
	// application serves itself: the events are numbered from AfterID+1. 0 or less
	// is a stream from its beginning.
	AfterID int
}

func (o Options) withDefaults() Options {
	if o.View == nil {
		o.View = Public
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = DefaultHeartbeat
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = DefaultWriteTimeout
	}
	return o
}

// Serve answers r with the events of s, each as one server-sent event that is
// flushed at once: event is the kind, id counts from 1 what is sent, data is the
// canonical JSON. It returns when s has ended, the client has left, or a write
// fails; it then leaves the stream, which closes the provider's body. Make s with
// r.Context(), so that a provider that is silent is left at once too.
//
// The head goes out before s is ranged, so the status is 200 whatever the stream
// brings; a failure is its last event. A stream that ends without a terminal is
// ended with Failed invalid_reply/truncated for the client.
//
// The error is nil or an *events.Failure:
//
//   - cancelled/abandoned: r's context was done before the stream had ended (the
//     tab was closed), or the client did not read. The write error, or the cause
//     of r's context, and the failure with which the stream ended for it are
//     reachable by errors.Is and errors.As; Sent and Usage are as of the latter;
//   - cancelled/abandoned, not_sent: r has a Last-Event-ID, so it is an
//     EventSource that connects again by itself after a lost connection.
//     Answering would pay for a second reply; the answer is 204, which tells it
//     to stop (W3C EventSource, introduction, read 2026-11-30), and s is not
//     ranged. To serve a resumption of your own, delete the header and set
//     Options.AfterID;
//   - the failure of the stream, whole, whatever the view sent of it;
//   - invalid_request/bad_config: w cannot flush. Nothing was written and s is not
//     ranged.
//
// What there is to log is therefore what is not cancelled:
//
//	if err != nil && !errors.Is(err, &events.Failure{Kind: events.Cancelled}) {
//		log.Print(err)
//	}
//
// A context that is done by a deadline of its own counts as any other: the error is
// cancelled/abandoned, and errors.Is finds the stream's timed_out in it. Nothing
// uses w or r after Serve has returned.
func Serve(w http.ResponseWriter, r *http.Request, s stream.Stream, o Options) error {
	if r.Header.Get("Last-Event-ID") != "" {
		w.WriteHeader(http.StatusNoContent)
		return notRanged(events.Cancelled, events.ReasonAbandoned, "an event source connects again; it was told to stop")
	}
	o = o.withDefaults()
	c, err := open(w, r, o)
	if err != nil {
		return notRanged(events.InvalidRequest, events.ReasonBadConfig, "the response writer cannot flush").WithCause(err)
	}
	defer c.close()
	if err := c.head(); err != nil {
		return left(err)
	}
	defer c.keepAlive(o.Heartbeat)()
	return c.relay(s, o.View)
}

func notRanged(kind events.FailureKind, reason events.Reason, detail string) *events.Failure {
	f := events.NewFailure(kind, reason, detail)
	f.Sent = events.NotSent
	return f
}

// left returns the failure of a client that left. What the stream's own failure
// tells of the exchange, if err has one, is what an account needs.
func left(err error) *events.Failure {
	f := events.NewFailure(events.Cancelled, events.ReasonAbandoned, "the client left or did not read")
	if own, ok := events.AsFailure(err); ok {
		f.Sent, f.Usage = own.Sent, own.Usage
	}
	return f.WithCause(err)
}

// relay sends the events of s and returns how it ended.
func (c *conn) relay(s stream.Stream, view func(events.Event) (events.Event, bool)) error {
	for ev := range s {
		shown, ok := view(ev)
		if ev.Kind.IsTerminal() {
			if !ok {
				shown, _ = Public(ev)
			}
			return c.finish(ev, shown)
		}
		if err := c.gone(); err != nil {
			return left(err)
		}
		if !ok {
			continue
		}
		if err := c.sendEvent(shown); err != nil {
			return left(err)
		}
	}
	end := events.NewFailed(truncated())
	return c.finish(end, end)
}

// finish sends the terminal. A client that was gone before it is why the stream
// ended, whatever the stream says; one that goes on reading it has what it wanted.
// It is sent in any case: after a deadline there is still somebody to read it.
func (c *conn) finish(end, shown events.Event) error {
	gone := c.gone()
	sendErr := c.sendEvent(shown)
	err := end.Err()
	switch {
	case gone != nil:
		return left(errors.Join(err, gone))
	case err != nil:
		return err
	case sendErr != nil:
		return left(sendErr)
	default:
		return nil
	}
}

func truncated() *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonTruncated, "the stream ended without a terminal")
}
