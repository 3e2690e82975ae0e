package sse_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/stream/sse"
)

var errOver = errors.New("over")

// endlessReply emits until it is told to stop, and tells when it has closed.
func endlessReply(closed chan<- struct{}) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		defer close(closed)
		for ok := emit(events.NewStarted(events.Start{})); ok; {
			ok = emit(events.NewTextDelta(0, strings.Repeat("x", 1000)))
		}
	})
}

func TestClientLeavesInTheMiddle(t *testing.T) {
	t.Parallel()
	closed := make(chan struct{})
	url, result := serve(t, sse.Options{}, func(*http.Request) stream.Stream { return endlessReply(closed) })
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	for range sse.Read(get(ctx, t, url).Body) {
		if n++; n == 5 {
			break
		}
	}
	cancel()
	<-closed
	f := requireFailure(t, <-result)
	assert.Equal(t, events.Cancelled, f.Kind)
	assert.Equal(t, events.ReasonAbandoned, f.Reason)
}

// silentReply emits Started and then nothing until ctx is done, as an adapter
// that reads from a silent provider does.
func silentReply(ctx context.Context) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		if !emit(events.NewStarted(events.Start{})) {
			return
		}
		<-ctx.Done()
		stopped := events.NewFailure(events.Cancelled, events.ReasonUser, "stopped")
		stopped.Sent, stopped.Usage = events.Answered, counts()
		emit(events.NewFailed(stopped))
	})
}

func TestClientLeavesASilentProvider(t *testing.T) {
	t.Parallel()
	url, result := serve(t, sse.Options{}, func(r *http.Request) stream.Stream { return silentReply(r.Context()) })
	ctx, cancel := context.WithCancel(t.Context())
	for range sse.Read(get(ctx, t, url).Body) {
		break
	}
	cancel()
	err := <-result
	f := requireFailure(t, err)
	assert.Equal(t, events.Cancelled, f.Kind)
	assert.Equal(t, events.ReasonAbandoned, f.Reason, "nobody pressed stop: the tab was closed")
	assert.Equal(t, events.Answered, f.Sent, "what the stream tells of the exchange")
	assert.Equal(t, counts(), f.Usage)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser}, "the stream's own failure stays reachable")
	assert.ErrorIs(t, err, context.Canceled, "and the cause of the request's context")
}

// TestStreamEndsForTheRequest: however a stream made with the request's context
// ends when that is done, the client's leaving is why.
func TestStreamEndsForTheRequest(t *testing.T) {
	t.Parallel()
	whole := []events.Event{events.NewStarted(events.Start{}), events.NewCompleted(events.Completion{Stop: events.StopEnd})}
	failing := func(kind events.FailureKind, reason events.Reason) []events.Event {
		return []events.Event{events.NewStarted(events.Start{}), events.NewFailed(events.NewFailure(kind, reason, "its own"))}
	}
	for _, row := range []struct {
		name, why string
		evs       []events.Event
		own       *events.Failure // of the stream, reachable
	}{
		{"cancelled", "an adapter's answer to a context that is done", failing(events.Cancelled, events.ReasonUser), &events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser}},
		{"timed out", "a deadline on the request", failing(events.TimedOut, events.ReasonDeadline), &events.Failure{Kind: events.TimedOut}},
		{"merely ends", "a stream of one's own that looks at the context", whole[:1], &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonTruncated}},
		{"completed", "there was nobody to get the end", whole, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			rec := httptest.NewRecorder()
			s := func(yield func(events.Event) bool) {
				for i, ev := range row.evs {
					if i == len(row.evs)-1 && ev.Kind.IsTerminal() {
						cancel(errOver)
					}
					if !yield(ev) {
						return
					}
				}
				cancel(errOver)
			}
			err := sse.Serve(rec, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody), s, sse.Options{})
			f := requireFailure(t, err)
			assert.Equal(t, events.Cancelled, f.Kind, row.why)
			assert.Equal(t, events.ReasonAbandoned, f.Reason, row.why)
			assert.ErrorIs(t, err, errOver)
			if row.own != nil {
				assert.ErrorIs(t, err, row.own, row.why)
				assert.Contains(t, rec.Body.String(), "event: failed", "whoever still reads is told")
			}
		})
	}
}

// TestClientLeavesAfterTheEnd: a client that closes at the terminal, as an
// EventSource has to, has not abandoned anything.
func TestClientLeavesAfterTheEnd(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]events.Event{
		"completed": events.NewCompleted(events.Completion{Stop: events.StopEnd}),
		"failed":    events.NewFailed(aFailure()),
	} {
		ctx, cancel := context.WithCancel(t.Context())
		w := &leaver{wire: new(wire), leave: cancel, at: "event: " + name}
		err := sse.Serve(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody), play(events.NewStarted(events.Start{}), end), sse.Options{})
		require.Error(t, ctx.Err())
		if name == "completed" {
			assert.NoError(t, err)
			continue
		}
		assert.Equal(t, events.RateLimited, requireFailure(t, err).Kind)
	}
}

// A leaver is a client that is gone once it has read some text.
type leaver struct {
	*wire
	leave func()
	at    string
}

func (l *leaver) Write(p []byte) (int, error) {
	n, err := l.wire.Write(p)
	if strings.Contains(l.body.String(), l.at) {
		l.leave()
	}
	return n, err
}

func TestRequestIsOver(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errOver)
	closed := make(chan struct{})
	rec := httptest.NewRecorder()
	err := sse.Serve(rec, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody), endlessReply(closed), sse.Options{})
	<-closed
	assert.ErrorIs(t, err, errOver, "the cause stays reachable")
	assert.Equal(t, events.ReasonAbandoned, requireFailure(t, err).Reason)
	assert.Equal(t, "id: 0\n\n", rec.Body.String())
}
