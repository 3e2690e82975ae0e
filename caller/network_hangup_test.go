package caller_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/request"
)

// detour sends every request to a server on loopback, whatever its address says.
type detour struct {
	to string
	by *http.Transport
}

func (d detour) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", d.to
	return d.by.RoundTrip(r)
}

// TestHangUpOnOpenRouter stops a stream over a real connection: what that costs depends
// on who runs the model.
func TestHangUpOnOpenRouter(t *testing.T) {
	const most = 100_000
	const cutOff, left, broke = "cancelled or abandoned, where billing stops when the client hangs up",
		"cancelled or abandoned after dispatch, or a panic in the consumer's loop", "Failed after a 2xx began"
	for _, tt := range []struct {
		why, upstream, base string
		spec                request.Spec
		cancels, cut        bool
		outcome             string
	}{
		{why: "an upstream that stops, left", upstream: "OpenAI", spec: noThought(), outcome: cutOff},
		{why: "... cancelled", upstream: "OpenAI", spec: noThought(), cancels: true, outcome: cutOff},
		{why: "one that goes on", upstream: "Groq", spec: noThought(), outcome: left},
		{why: "one that nobody knows", upstream: "Z.AI", spec: noThought(), outcome: left},
		{why: "a model that may think", upstream: "OpenAI", outcome: left},
		{why: "a gateway in front", upstream: "OpenAI", base: "http://gateway.test/v1", spec: noThought(), outcome: left},
		{why: "it broke", upstream: "OpenAI", spec: noThought(), cut: true, outcome: broke},
	} {
		t.Run(tt.why, func(t *testing.T) {
			read := make(chan struct{})
			server := newPlainServer(t, read, func(p *peer) {
				p.head("text/event-stream")
				p.chunk(": OPENROUTER PROCESSING\n\n")
				p.chunk(sse(`{"id":"gen-1","provider":"` + tt.upstream + `","model":"m","choices":[{"index":0,"delta":{"content":"` + strings.Repeat("x", 300) + `"}}]}`))
				if tt.cut {
					p.awaitContent()
					p.cut()
				} else {
					p.hold() // fails when the client does not hang up
				}
			})
			client := &http.Client{Transport: detour{strings.TrimPrefix(server.url(), "http://"), freshTransport()}}
			m, err := openrouter.New(openrouter.Config{Model: "m", BaseURL: tt.base, Spec: &tt.spec, HTTPClient: client})
			require.NoError(t, err)
			c := caller.New(m, caller.Config{Prices: price.Table{m.Name(): {Input: price.PerMillion(1_000_000), Output: price.PerMillion(2_000_000)}}})
			run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "run", Limits: caller.Limits{MaxCost: 1e9}})
			require.NoError(t, err)
			ctx, stop := context.WithCancel(caller.WithRun(t.Context(), run))
			defer stop()
			req := ask("hi")
			req.MaxOutputTokens = most
			call := c.Stream(ctx, req)
			for ev := range call.Events() {
				if !ev.Kind.IsContent() {
					continue
				}
				close(read)
				if tt.cancels {
					stop()
				} else if !tt.cut {
					break
				}
			}
			client.CloseIdleConnections()
			server.close()

			result, err := call.Result()
			require.Error(t, err)
			output, input := result.Usage.Output.Or(-1), result.Usage.Input.Or(-1)
			assert.Equal(t, req.EstimateInputTokens(), input)
			if tt.outcome == cutOff {
				assert.GreaterOrEqual(t, output, int64(100+1000))
				assert.Less(t, output, int64(most))
			} else {
				assert.Equal(t, int64(most), output)
			}
			booked, err := ledger.All(run.Records(t.Context()))
			require.NoError(t, err)
			require.Len(t, booked, 1)
			settled := booked[0].Settled
			assert.Equal(t, tt.outcome, settled.Outcome)
			assert.Equal(t, charge.Ambiguous, booked[0].Status())
			assert.Equal(t, charge.Estimated, settled.Certainty)
			assert.Equal(t, usedTokens{input, output}, tokensOf(settled.Usage))
			assert.Equal(t, events.Micros(input+2*output), settled.Cost)
			state, err := run.State(t.Context())
			require.NoError(t, err)
			assert.Zero(t, state.Totals.OpenCost, "what was held for the cap is free again")
			assert.Equal(t, int64(settled.Cost), state.Totals.Cost.Charged)
		})
	}
}
