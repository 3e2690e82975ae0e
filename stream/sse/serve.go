package sse

import (
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
// flushed at once: event is the kind, id counts from 1, data is the canonical
// JSON. It returns when s has ended, the client has left, or a write fails; it
// then leaves the stream, which closes the provider's body. Make s with
// r.Context(), so that a provider that is silent is left at once too.
//
// The head goes out before s is ranged, so the status is 200 whatever the stream
// brings; a failure is its last event. A stream that ends without a terminal is
// ended with Failed invalid_reply/truncated for the client.
//
// The error is nil or an *events.Failure:
//
//   - the failure of the stream, whole, whatever the view sent of it;
//   - cancelled/abandoned: the client left or did not read. The write error, or
//     the cause of r's context, is reachable by errors.Is and errors.As;
//   - invalid_request/bad_config: w cannot flush. Nothing was written;
//   - invalid_request/bad_parameter: r has a Last-Event-ID, so it is an
//     EventSource that connects again by itself after a lost connection.
//     Answering would pay for a second reply; the answer is 204, which tells it
//     to stop (W3C EventSource, introduction, read 2026-11-30). Serve a
//     resumption before calling Serve, or delete the header.
//
// In the last two cases s is not ranged. Nothing uses w or r after Serve has
// returned.
func Serve(w http.ResponseWriter, r *http.Request, s stream.Stream, o Options) error {
	if r.Header.Get("Last-Event-ID") != "" {
		w.WriteHeader(http.StatusNoContent)
		return notRanged(events.ReasonBadParameter, "an event source connects again; it was told to stop")
	}
	o = o.withDefaults()
	c, err := open(w, r, o.WriteTimeout)
	if err != nil {
		return notRanged(events.ReasonBadConfig, "the response writer cannot flush").WithCause(err)
	}
	defer c.close()
	if err := c.head(); err != nil {
		return left(err)
	}
	defer c.keepAlive(o.Heartbeat)()
	return c.relay(s, o.View)
}

func notRanged(reason events.Reason, text string) *events.Failure {
	f := events.NewFailure(events.InvalidRequest, reason, text)
	f.Sent = events.NotSent
	return f
}

func left(err error) *events.Failure {
	return events.NewFailure(events.Cancelled, events.ReasonAbandoned, "the client left or did not read").WithCause(err)
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

// finish sends the terminal. The stream's own failure tells more than that there
// was nobody left to tell it to.
func (c *conn) finish(end, shown events.Event) error {
	sendErr := c.sendEvent(shown)
	if err := end.Err(); err != nil {
		return err
	}
	if sendErr != nil {
		return left(sendErr)
	}
	return nil
}

func truncated() *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonTruncated, "the stream ended without a terminal")
}
