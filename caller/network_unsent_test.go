package caller_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// An unsent is a call of which no byte leaves.
type unsent struct {
	why string
	// place returns where the call goes, how, and how many requests came there.
	place  func(tb testing.TB) (url string, client *http.Client, requests *atomic.Int64)
	kind   events.FailureKind
	reason events.Reason
	// attempts is how many are booked, with one retry allowed.
	attempts int
	// cancelled ends the context before the call.
	cancelled bool
}

func unsents() []unsent {
	return []unsent{
		{
			why: "nobody listens: worth another attempt", kind: events.Unreachable, reason: events.ReasonConnect, attempts: 2,
			place: func(tb testing.TB) (string, *http.Client, *atomic.Int64) {
				return "http://" + closedPort(tb), &http.Client{Transport: freshTransport()}, new(atomic.Int64)
			},
		},
		{
			why: "a name that cannot exist", kind: events.Unreachable, reason: events.ReasonDNS, attempts: 1,
			place: func(testing.TB) (string, *http.Client, *atomic.Int64) {
				refuse := func(context.Context, string, string) (net.Conn, error) {
					return nil, &net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true}
				}
				return "http://nowhere.invalid", &http.Client{Transport: &http.Transport{DialContext: refuse}}, new(atomic.Int64)
			},
		},
		{
			why: "a certificate that nobody trusts", kind: events.Unreachable, reason: events.ReasonTLS, attempts: 1,
			place: func(tb testing.TB) (string, *http.Client, *atomic.Int64) {
				s, requests := strangerTLS(tb)
				tb.Cleanup(s.Close)
				return s.URL, &http.Client{Transport: freshTransport()}, requests
			},
		},
		{
			why: "a server that speaks no TLS", kind: events.Unreachable, reason: events.ReasonTLS, attempts: 1,
			place: func(tb testing.TB) (string, *http.Client, *atomic.Int64) {
				return "https://" + hangsUp(tb, "SSH-2.0-x\r\n"), &http.Client{Transport: freshTransport()}, new(atomic.Int64)
			},
		},
		{
			why: "a connection that breaks in the handshake", kind: events.Unreachable, reason: events.ReasonConnect, attempts: 2,
			place: func(tb testing.TB) (string, *http.Client, *atomic.Int64) {
				return "https://" + hangsUp(tb, ""), &http.Client{Transport: freshTransport()}, new(atomic.Int64)
			},
		},
		{
			why: "a context that was over: not even booked", kind: events.Cancelled, reason: events.ReasonShutdown, cancelled: true,
			place: func(tb testing.TB) (string, *http.Client, *atomic.Int64) {
				s := newPlainServer(tb, nil, func(p *peer) { p.close() })
				tb.Cleanup(s.close)
				return s.url(), &http.Client{Transport: freshTransport()}, &s.requests
			},
		},
	}
}

// hangsUp returns an address where whoever connects is greeted and left; without a
// greeting, reset.
func hangsUp(tb testing.TB, greeting string) string {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if greeting == "" {
				_ = conn.(*net.TCPConn).SetLinger(0)
			}
			if _, err := io.WriteString(conn, greeting); err == nil && greeting != "" {
				_, _ = io.Copy(io.Discard, conn) // until the other side has read it
			}
			_ = conn.Close()
		}
	}()
	tb.Cleanup(func() {
		_ = listener.Close()
		<-done
	})
	return listener.Addr().String()
}

// TestUnsent: what breaks before a byte was sent costs nothing.
func TestUnsent(t *testing.T) {
	old := goleak.IgnoreCurrent()
	t.Run("call", func(t *testing.T) {
		for _, u := range unsents() {
			for _, w := range wires() {
				t.Run(u.why+"/"+w.name+"/generate", func(t *testing.T) { t.Parallel(); u.run(t, w, false) })
				t.Run(u.why+"/"+w.name+"/stream", func(t *testing.T) { t.Parallel(); u.run(t, w, true) })
			}
		}
	})
	goleak.VerifyNone(t, old)
}

func (u unsent) run(t *testing.T, w wire, streaming bool) {
	url, client, requests := u.place(t)
	model := w.model(t, url, client)
	books := memory.New(memory.Options{})
	c := caller.New(model, caller.Config{
		Prices: price.Table{model.Name(): w.price}, Ledger: books, MaxRetries: 1, Backoff: -1,
	})
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "run", Limits: caller.Limits{MaxCost: 1e9, MaxTotalTokens: 1e9}})
	require.NoError(t, err)
	scope := cancel.New(caller.WithRun(t.Context(), run))
	defer scope.Close()
	if u.cancelled {
		scope.Cancel(cancel.Shutdown)
	}

	var result *caller.Result
	if streaming {
		call := c.Stream(scope.Context(), ask("hi"))
		collect(call.Events())
		result, err = call.Result()
	} else {
		result, err = c.Generate(scope.Context(), ask("hi"))
	}
	client.CloseIdleConnections()

	require.ErrorIs(t, err, &events.Failure{Kind: u.kind, Reason: u.reason})
	f, _ := events.AsFailure(err)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.Zero(t, requests.Load())
	require.Len(t, result.Attempts, u.attempts)
	assert.Zero(t, result.Cost)
	assert.Zero(t, result.Usage.Input.Or(0)+result.Usage.Output.Or(0))
	booked, err := ledger.All(run.Records(t.Context()))
	require.NoError(t, err)
	require.Len(t, booked, u.attempts)
	for i, r := range booked {
		assert.Equal(t, result.Attempts[i].Settlement, r.Settled)
		assert.Equal(t, charge.Error, r.Status())
		assert.Equal(t, charge.None, r.Settled.Certainty)
		assert.Equal(t, charge.None, r.Settled.CostCertainty)
		assert.Zero(t, r.Settled.Cost)
		assert.Equal(t, usedTokens{}, tokensOf(r.Settled.Usage))
		assert.Equal(t, u.kind, r.Settled.FailureKind)
		assert.Equal(t, u.reason, r.Settled.FailureReason)
	}
	state, err := run.State(t.Context())
	require.NoError(t, err)
	assert.Zero(t, state.Totals.Open)
	assert.Zero(t, state.Totals.SpentCost())
	assert.Zero(t, state.Totals.SpentTokens())
}
