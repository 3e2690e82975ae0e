package transport_test

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/stream"
)

// dial returns the stream of one call to a real server.
func dial(ctx context.Context, client *http.Client, url string) stream.Stream {
	return transport.Stream(ctx, client, func() (transport.Call, transport.Decoder, error) {
		return call(url), &toy{}, nil
	})
}

// server serves over HTTP/1.1 or, with TLS, HTTP/2.
func server(tb testing.TB, http2 bool, h http.HandlerFunc) (*httptest.Server, *http.Client) {
	tb.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = http2
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if http2 {
		s.StartTLS()
	} else {
		s.Start()
	}
	tb.Cleanup(s.Close)
	client := transport.NewClient(s.Client())
	tb.Cleanup(client.CloseIdleConnections)
	return s, client
}

func say(w http.ResponseWriter, words ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write(body(words...))
	_ = http.NewResponseController(w).Flush()
}

// protocols runs a test over both.
func protocols(t *testing.T, run func(t *testing.T, http2 bool)) {
	t.Helper()
	t.Run("HTTP1", func(t *testing.T) { t.Parallel(); run(t, false) })
	t.Run("HTTP2", func(t *testing.T) { t.Parallel(); run(t, true) })
}

func TestBrokenBodies(t *testing.T) {
	t.Parallel()
	protocols(t, func(t *testing.T, http2 bool) {
		for _, c := range []struct {
			why    string
			words  []string
			want   string
			reason events.Reason
			sent   events.Sent
		}{
			{"before anything", nil, "started failed", events.ReasonLostConnection, events.Answered},
			{"after a part", []string{"a"}, "started text:a failed", events.ReasonLostConnection, events.Answered},
			{"after the evidence", []string{"a", "end"}, "started text:a completed", "", ""},
		} {
			s, client := server(t, http2, func(w http.ResponseWriter, _ *http.Request) {
				say(w, c.words...)
				panic(http.ErrAbortHandler) // a reset: RST_STREAM over HTTP/2
			})
			all := play(dial(t.Context(), client, s.URL))
			assert.Equal(t, c.want, kinds(all), c.why)
			assert.Equal(t, c.reason, failure(all).Reason, c.why)
			assert.Equal(t, c.sent, failure(all).Sent, c.why)
		}
	})
}

func TestNothingListens(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	url := "http://" + l.Addr().String()
	require.NoError(t, l.Close())
	f := failure(play(dial(t.Context(), transport.NewClient(nil), url)))
	assert.Equal(t, events.Unreachable, f.Kind)
	assert.Equal(t, events.ReasonConnect, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent, "the hooks fired and none of them had a connection")
	assert.True(t, f.Retryable())
}

func TestNoSuchHost(t *testing.T) {
	t.Parallel()
	dialer := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "no such host", Name: "toy.test", IsNotFound: true}
	}
	rt := &http.Transport{DialContext: dialer}
	f := failure(play(dial(t.Context(), transport.NewClient(&http.Client{Transport: rt}), "http://toy.test")))
	assert.Equal(t, events.ReasonDNS, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.False(t, f.Retryable(), "a name that does not exist will not exist a second later")
}

func TestCertificateNotAccepted(t *testing.T) {
	t.Parallel()
	s, _ := server(t, true, func(w http.ResponseWriter, _ *http.Request) { say(w, "done") })
	rt := &http.Transport{}
	defer rt.CloseIdleConnections()
	f := failure(play(dial(t.Context(), transport.NewClient(&http.Client{Transport: rt}), s.URL)))
	assert.Equal(t, events.Unreachable, f.Kind)
	assert.Equal(t, events.ReasonTLS, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.False(t, f.Retryable())
}

func TestClosedBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	protocols(t, func(t *testing.T, http2 bool) {
		s, client := server(t, http2, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		f := failure(play(dial(t.Context(), client, s.URL)))
		assert.Equal(t, events.Unreachable, f.Kind)
		assert.Equal(t, events.MaybeSent, f.Sent, "the request was written: the provider may have done the work")
	})
}

func TestConnectionsAreReused(t *testing.T) {
	t.Parallel()
	protocols(t, func(t *testing.T, http2 bool) {
		s, client := server(t, http2, func(w http.ResponseWriter, _ *http.Request) { say(w, "a", "done") })
		reused := 0
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			GotConn: func(c httptrace.GotConnInfo) {
				if c.Reused {
					reused++
				}
			},
		})
		for range 5 {
			require.Equal(t, "started text:a completed", kinds(play(dial(ctx, client, s.URL))))
		}
		assert.Equal(t, 4, reused, "all but the first; and the user's own trace still fires")
	})
}

func TestServerHoldsTheConnectionAfterTheEnd(t *testing.T) {
	t.Parallel()
	protocols(t, func(t *testing.T, http2 bool) {
		s, client := server(t, http2, func(w http.ResponseWriter, r *http.Request) {
			say(w, "a", "done")
			<-r.Context().Done() // until the client closes
		})
		begin := time.Now()
		require.Equal(t, "started text:a completed", kinds(play(dial(t.Context(), client, s.URL))))
		// The bound is the promise of case 076, ten times what it takes.
		assert.Less(t, time.Since(begin), time.Second)
	})
}

func TestBreakClosesTheConnection(t *testing.T) {
	t.Parallel()
	protocols(t, func(t *testing.T, http2 bool) {
		gone := make(chan struct{})
		s, client := server(t, http2, func(w http.ResponseWriter, r *http.Request) {
			say(w, "a")
			<-r.Context().Done()
			close(gone)
		})
		for ev := range dial(t.Context(), client, s.URL) {
			if ev.Kind == events.TextDelta {
				break
			}
		}
		<-gone // or the test's own time runs out
	})
}

func TestCancelUnblocksARead(t *testing.T) {
	t.Parallel()
	protocols(t, func(t *testing.T, http2 bool) {
		ctx, stop := context.WithCancel(t.Context())
		gone := make(chan struct{})
		s, client := server(t, http2, func(w http.ResponseWriter, r *http.Request) {
			say(w, "a")
			stop() // while the client waits for more
			<-r.Context().Done()
			close(gone)
		})
		f := failure(play(dial(ctx, client, s.URL)))
		assert.Equal(t, events.Cancelled, f.Kind)
		assert.Equal(t, events.ReasonUser, f.Reason)
		assert.ErrorIs(t, f, context.Canceled)
		<-gone
	})
}

// Trying again does not help a server that speaks plain HTTP.
func TestNoTLS(t *testing.T) {
	t.Parallel()
	s, client := server(t, false, func(w http.ResponseWriter, _ *http.Request) { say(w, "end") })
	all := play(dial(t.Context(), client, "https"+strings.TrimPrefix(s.URL, "http")))
	f := failure(all)
	assert.Equal(t, events.Unreachable, f.Kind)
	assert.Equal(t, events.ReasonTLS, f.Reason)
	assert.False(t, f.Retryable())
	assert.Equal(t, events.NotSent, f.Sent)
}
