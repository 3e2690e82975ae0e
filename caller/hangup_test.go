package caller_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// stops opens the reply of a provider that stops when its client hangs up.
func stops() events.Event {
	return events.NewStarted(events.Start{Model: "m", BillingStops: true})
}

// thirty is ten tokens.
func thirty() events.Event { return events.NewTextDelta(0, strings.Repeat("x", 30)) }

// noThought is the spec of a model that shows all that it generates.
func noThought() request.Spec { return request.Spec{Thinking: request.No} }

// paced plays pieces of ten tokens, one every two seconds, on the clock of the transport.
func paced(ctx context.Context, emit func(events.Event) bool) {
	ctx, watch := cancel.Begin(ctx)
	defer watch.Stop()
	for ev := stops(); emit(ev); ev = thirty() {
		watch.Enter()
		select {
		case <-time.After(2 * time.Second):
			watch.Leave()
		case <-ctx.Done():
			f := stream.Interrupted(ctx)
			f.Sent = events.Answered
			emit(events.NewFailed(f))
			return
		}
	}
}

// TestHangUpCountsWhatNobodyRead: while the consumer works, and in a silence, the
// provider may go on.
func TestHangUpCountsWhatNobodyRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		plays play
		// body is the consumer's, told which piece it got; it stops the call or leaves.
		body func(piece int, stop func()) (leave bool)
		want int64
	}{
		{"at once: what came and what was on its way", paced, func(int, func()) bool { return true }, 10 + 1000},
		{"later", paced, func(piece int, _ func()) bool { return piece == 3 }, 30 + 1000},
		{"the consumer works before it leaves", paced, func(int, func()) bool {
			time.Sleep(3 * time.Second)
			return true
		}, 10 + 1000 + 3000},
		{"... and goes on", paced, func(piece int, _ func()) bool {
			time.Sleep(3 * time.Second)
			return piece == 2
		}, 20 + 1000 + 6000},
		{"stopped in a silence", paced, func(_ int, stop func()) bool {
			time.AfterFunc(1500*time.Millisecond, stop)
			return false
		}, 10 + 1000 + 1500},
		{"a model without a clock: all the time", func(_ context.Context, emit func(events.Event) bool) {
			time.Sleep(4 * time.Second)
			_ = emit(stops()) && emit(thirty())
		}, func(int, func()) bool { return true }, 10 + 1000 + 4000},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newScript(tt.plays)
			m.spec = noThought()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			req := ask("hi")
			req.MaxOutputTokens = 20_000
			call := caller.New(m, caller.Config{}).Stream(ctx, req)
			piece := 0
			for ev := range call.Events() {
				if ev.Kind == events.TextDelta {
					if piece++; tt.body(piece, stop) {
						break
					}
				}
			}
			result, err := call.Result()
			require.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled}, tt.why)
			assert.Equal(t, tt.want, result.Usage.Output.Or(-1), tt.why)
			assert.Equal(t, charge.Ambiguous, result.Status, tt.why)
			assert.Equal(t, charge.Estimated, result.Certainty, tt.why)
		})
	}
}

// TestHangUpOfWhatIsShown: less than the cap is charged only where nothing is hidden.
func TestHangUpOfWhatIsShown(t *testing.T) {
	t.Parallel()
	thinks := request.Spec{Thinking: request.Yes, Efforts: []request.Effort{request.EffortOff, request.EffortHigh}}
	always := request.Spec{Thinking: request.Yes, Efforts: []request.Effort{request.EffortLow, request.EffortHigh}}
	off := func(r *request.Request) { r.Effort = request.EffortOff }
	extra := func(text string) func(*request.Request) {
		return func(r *request.Request) { r.Extra = map[string]string{"chat": text} }
	}
	for _, tt := range []struct {
		why    string
		spec   request.Spec
		change func(*request.Request)
		shown  bool
	}{
		{"it does not think", noThought(), func(*request.Request) {}, true},
		{"it is told not to, and takes that", thinks, off, true},
		{"it may think", thinks, func(*request.Request) {}, false},
		{"it is told to", thinks, func(r *request.Request) { r.Effort = request.EffortHigh }, false},
		{"it cannot but think", always, off, false},
		{"which efforts it takes is not known", request.Spec{Thinking: request.Yes}, off, false},
		{"it refused the word", thinks, func(r *request.Request) {
			off(r)
			r.Options.Without = []string{request.FeatureEffort}
		}, false},
		{"nobody knows whether it thinks", request.Spec{}, func(*request.Request) {}, false},
		{"... told not to", request.Spec{}, off, false},
		{"extras about other things", noThought(), extra(`{"provider":{"order":["a"]}}`), true},
		{"extras that ask for thinking", noThought(), extra(`{"reasoning":{"enabled":true}}`), false},
		{"... in other words", noThought(), extra(`{"options":{"enable_thinking":true}}`), false},
		{"... by an effort", noThought(), extra(`{"output_config":{"effort":"high"}}`), false},
		{"extras that ask for two replies", noThought(), extra(`{"n":2}`), false},
		{"extras that name another model", noThought(), extra(`{"models":["b"]}`), false},
	} {
		m := newScript(of(stops(), thirty(), thirty(), done(10, 20)))
		m.spec = tt.spec
		req := ask("hi")
		req.MaxOutputTokens = 1_000_000
		tt.change(&req)
		call := caller.New(m, caller.Config{}).Stream(t.Context(), req)
		leave(call, events.TextDelta, func() bool { return true })
		result, err := call.Result()
		require.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled}, tt.why)
		assert.Equal(t, tt.shown, result.Usage.Output.Or(-1) < 1_000_000, "%s: %v", tt.why, result.Usage.Output)
	}
}
