package sse_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/stream/sse"
)

// serve starts a server on the loopback that serves what makes, and tells what
// Serve returned.
func serve(t *testing.T, o sse.Options, makes func(r *http.Request) stream.Stream) (url string, result <-chan error) {
	t.Helper()
	done := make(chan error, 8)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done <- sse.Serve(w, r, makes(r), o)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return server.URL, done
}

func get(ctx context.Context, t *testing.T, url string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func TestRoundTripOverTheNetwork(t *testing.T) {
	t.Parallel()
	failing := append(slices.Clone(everyKind()[:5]), events.NewFailed(aFailure()))
	for _, row := range []struct {
		name string
		evs  []events.Event
		wrap func(io.Reader) io.Reader
	}{
		{"whole", everyKind(), func(r io.Reader) io.Reader { return r }},
		{"byte by byte", everyKind(), iotest.OneByteReader},
		{"failed", failing, iotest.HalfReader},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			url, result := serve(t, sse.Options{View: sse.Everything}, func(*http.Request) stream.Stream { return play(row.evs...) })
			resp := get(t.Context(), t, url)
			assert.Equal(t, http.StatusOK, resp.StatusCode)
			assert.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
			assert.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
			assert.Equal(t, "no", resp.Header.Get("X-Accel-Buffering"))
			requireEqual(t, row.evs, slices.Collect(sse.Read(row.wrap(resp.Body))))
			err := <-result
			if row.name == "failed" {
				assert.Equal(t, secret, requireFailure(t, err).Detail, "the server gets the whole failure")
				return
			}
			assert.NoError(t, err)
		})
	}
}

func TestBytesOnTheWire(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	s := play(events.NewStarted(events.Start{Model: "m"}), events.NewTextDelta(0, "a\nb"), events.NewCompleted(events.Completion{Stop: events.StopEnd}))
	drop := func(ev events.Event) (events.Event, bool) {
		if ev.Kind != events.TextDelta {
			return events.Event{}, false
		}
		return ev, true
	}
	require.NoError(t, sse.Serve(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody), s, sse.Options{View: drop}))
	assert.True(t, rec.Flushed)
	assert.Equal(t, "id: 0\n\n"+
		"id: 1\nevent: text_delta\ndata: {\"kind\":\"text_delta\",\"index\":0,\"text\":\"a\\nb\"}\n\n"+
		"id: 2\nevent: completed\ndata: {\"kind\":\"completed\",\"stop\":\"end\",\"usage\":{\"input\":null,\"cache_read\":null,\"cache_write\":null,\"cache_write_long\":null,\"output\":null,\"thinking\":null}}\n\n",
		rec.Body.String(), "ids count what is sent; a view cannot drop the terminal")
}

func TestServeIsPublicByDefault(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
	require.NoError(t, sse.Serve(rec, r, play(everyKind()...), sse.Options{}))
	assert.NotContains(t, rec.Body.String(), secret)
	rec = httptest.NewRecorder()
	f := requireFailure(t, sse.Serve(rec, r, stream.Fail(aFailure()), sse.Options{}))
	assert.Equal(t, events.RateLimited, f.Kind)
	assert.NotContains(t, rec.Body.String(), secret)
}

func TestServeWithoutATerminal(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
	err := sse.Serve(rec, r, play(events.NewStarted(events.Start{})), sse.Options{})
	assert.Equal(t, events.ReasonTruncated, requireFailure(t, err).Reason)
	assert.Contains(t, rec.Body.String(), "event: failed\n", "the client learns that the reply is cut")
}

// noFlush is a writer that can neither flush nor be unwrapped.
type noFlush struct{ header http.Header }

func (w noFlush) Header() http.Header         { return w.header }
func (w noFlush) Write(p []byte) (int, error) { return len(p), nil }
func (w noFlush) WriteHeader(int)             {}

func TestRefusedWithoutRanging(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why, lastID string
		w                 http.ResponseWriter
		kind              events.FailureKind
		reason            events.Reason
	}{
		{"no flush", "events would not leave", "", noFlush{http.Header{}}, events.InvalidRequest, events.ReasonBadConfig},
		{"connects again", "a second reply costs", "3", httptest.NewRecorder(), events.Cancelled, events.ReasonAbandoned},
		{"connects again at once", "also before the first event", "0", httptest.NewRecorder(), events.Cancelled, events.ReasonAbandoned},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
			if row.lastID != "" {
				r.Header.Set("Last-Event-ID", row.lastID)
			}
			ranged := false
			f := requireFailure(t, sse.Serve(row.w, r, func(func(events.Event) bool) { ranged = true }, sse.Options{AfterID: 3}))
			assert.Equal(t, row.kind, f.Kind, row.why)
			assert.Equal(t, row.reason, f.Reason, row.why)
			assert.Equal(t, events.NotSent, f.Sent)
			assert.False(t, ranged, row.why)
			if rec, ok := row.w.(*httptest.ResponseRecorder); ok {
				assert.Equal(t, http.StatusNoContent, rec.Code)
			}
		})
	}
}

func TestNumbersGoOnAfterAnID(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		after int
		ids   string
	}{{0, "id: 0 id: 1 id: 2"}, {7, "id: 7 id: 8 id: 9"}, {-3, "id: 0 id: 1 id: 2"}} {
		rec := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		s := play(events.NewTextDelta(0, "a"), events.NewCompleted(events.Completion{Stop: events.StopEnd}))
		require.NoError(t, sse.Serve(rec, r, s, sse.Options{AfterID: row.after}))
		var ids []string
		for line := range strings.Lines(rec.Body.String()) {
			if strings.HasPrefix(line, "id: ") {
				ids = append(ids, strings.TrimSpace(line))
			}
		}
		assert.Equal(t, row.ids, strings.Join(ids, " "), "after %d", row.after)
	}
}

// A wire is a ResponseWriter of a bubble: it keeps what was written and when, and
// can stop taking anything until its deadline.
type wire struct {
	start    time.Time
	mu       sync.Mutex
	body     bytes.Buffer
	beats    []time.Duration
	stuck    bool
	deadline time.Time
	broken   error
}

func (w *wire) Header() http.Header { return http.Header{} }
func (w *wire) WriteHeader(int)     {}
func (w *wire) FlushError() error   { return nil }
func (w *wire) SetWriteDeadline(at time.Time) error {
	w.deadline = at
	return nil
}

func (w *wire) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = err
}

func (w *wire) stick(stuck bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stuck = stuck
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken != nil {
		return 0, w.broken
	}
	if w.stuck {
		<-time.After(time.Until(w.deadline))
		return 0, context.DeadlineExceeded
	}
	if bytes.Contains(p, []byte("heartbeat")) {
		w.beats = append(w.beats, time.Since(w.start))
	}
	return w.body.Write(p)
}

// paced emits a delta after each wait.
func paced(waits ...time.Duration) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		emit(events.NewStarted(events.Start{}))
		for _, wait := range waits {
			<-time.After(wait)
			if !emit(events.NewTextDelta(0, "a")) {
				return
			}
		}
		emit(events.NewCompleted(events.Completion{Stop: events.StopEnd}))
	})
}

func TestHeartbeats(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, row := range []struct {
		name, why string
		every     time.Duration
		waits     []time.Duration
		want      []time.Duration
	}{
		{"silent", "one each 15 s", 0, []time.Duration{50 * s}, []time.Duration{15 * s, 30 * s, 45 * s}},
		{"talking", "none is needed", 0, []time.Duration{10 * s, 10 * s, 10 * s}, nil},
		{"silent again", "counted from the last event", 0, []time.Duration{10 * s, 20 * s}, []time.Duration{25 * s}},
		{"own interval", "as asked", 4 * s, []time.Duration{9 * s}, []time.Duration{4 * s, 8 * s}},
		{"off", "as asked", -1, []time.Duration{50 * s}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &wire{start: time.Now()}
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
				require.NoError(t, sse.Serve(w, r, paced(row.waits...), sse.Options{Heartbeat: row.every}))
				assert.Equal(t, row.want, w.beats, row.why)
				r2, err := stream.Collect(sse.Read(&w.body))
				require.NoError(t, err, "heartbeats do not disturb the reader")
				assert.Len(t, r2.Text(), len(row.waits))
				assert.True(t, w.deadline.IsZero(), "the connection is given back without a deadline")
			})
		})
	}
}

func TestSlowClient(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		timeout time.Duration
		want    time.Duration
	}{{"default", 0, 30 * time.Second}, {"own", 7 * time.Second, 7 * time.Second}} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w, closed := &wire{start: time.Now()}, make(chan struct{})
				s := stream.Tap(endlessReply(closed), func(ev events.Event) { w.stick(ev.Kind == events.TextDelta) })
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
				err := sse.Serve(w, r, s, sse.Options{WriteTimeout: row.timeout})
				<-closed
				assert.Equal(t, row.want, time.Since(w.start), "a client that does not read is left")
				assert.Equal(t, events.ReasonAbandoned, requireFailure(t, err).Reason)
				assert.ErrorIs(t, err, context.DeadlineExceeded)
			})
		})
	}
}

// TestServeWaitsForAHeartbeatUnderWay: net/http forbids to use the writer after
// the handler has returned.
func TestServeWaitsForAHeartbeatUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wire{start: time.Now()}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		s := func(yield func(events.Event) bool) {
			yield(events.NewStarted(events.Start{}))
			<-time.After(14 * time.Second)
			w.stick(true)
			<-time.After(2 * time.Second)
			panic("of a stream that nothing contains")
		}
		assert.Panics(t, func() { _ = sse.Serve(w, r, s, sse.Options{}) })
		assert.Equal(t, sse.DefaultHeartbeat+sse.DefaultWriteTimeout, time.Since(w.start))
	})
}

func TestNoWriteTimeoutSetsNoDeadline(t *testing.T) {
	t.Parallel()
	w := &wire{deadline: time.Unix(1, 0)}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
	require.NoError(t, sse.Serve(w, r, play(everyKind()...), sse.Options{WriteTimeout: -1}))
	assert.Equal(t, time.Unix(1, 0), w.deadline)
}

func TestWriteErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken pipe")
	for name, at := range map[string]events.Kind{"head": 0, "first": events.Started, "middle": events.TextDelta, "terminal": events.Completed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, seen := new(wire), events.Kind(0)
			if at == 0 {
				w.broken = broken
			}
			s := stream.Tap(play(everyKind()...), func(ev events.Event) {
				if seen = ev.Kind; ev.Kind == at {
					w.fail(broken)
				}
			})
			err := sse.Serve(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody), s, sse.Options{})
			assert.Equal(t, events.ReasonAbandoned, requireFailure(t, err).Reason)
			assert.ErrorIs(t, err, broken)
			assert.Equal(t, at, seen, "the stream is left at once")
		})
	}
}

func TestHeartbeatThatFailsEndsTheStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, n := new(wire), 0
		broken := errors.New("broken pipe")
		breaks := time.AfterFunc(10*time.Second, func() { w.fail(broken) })
		mends := time.AfterFunc(18*time.Second, func() { w.fail(nil) })
		defer breaks.Stop()
		defer mends.Stop()
		s := stream.Tap(paced(20*time.Second, 0, 0), func(ev events.Event) {
			if ev.Kind == events.TextDelta {
				n++
			}
		})
		err := sse.Serve(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody), s, sse.Options{})
		assert.ErrorIs(t, err, broken, "what the heartbeat found is not forgotten")
		assert.Equal(t, 1, n, "left at the next event")
	})
}

func TestConsumerAndProviderPanics(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
	assert.PanicsWithValue(t, "raw stream", func() {
		_ = sse.Serve(httptest.NewRecorder(), r, func(func(events.Event) bool) { panic("raw stream") }, sse.Options{})
	}, "goleak sees that the heartbeat has ended")
	closed := make(chan struct{})
	assert.PanicsWithValue(t, "view", func() {
		_ = sse.Serve(httptest.NewRecorder(), r, endlessReply(closed), sse.Options{View: func(events.Event) (events.Event, bool) { panic("view") }})
	})
	<-closed
}
