package caller_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
)

// A fate is what becomes of one call: what its attempts do and how its loop ends.
type fate struct {
	attempts []string
	exit     string
	cap      int
	stream   bool
	fallback bool
}

func fates() *rapid.Generator[fate] {
	return rapid.Custom(func(t *rapid.T) fate {
		return fate{
			attempts: rapid.SliceOfN(rapid.SampledFrom([]string{
				"ok", "cheap", "unknown", "refused", "overloaded", "broken", "late", "unsent", "crash", "final", "inconsistent",
				"violation", "unusable", "latch", "cancelled",
			}), 1, 4).Draw(t, "attempts"),
			exit:     rapid.SampledFrom([]string{"end", "end", "end", "break", "panic", "goexit", "unranged"}).Draw(t, "exit"),
			cap:      rapid.IntRange(1, 200).Draw(t, "cap"),
			stream:   rapid.Bool().Draw(t, "stream"),
			fallback: rapid.Bool().Draw(t, "fallback"),
		}
	})
}

// plays returns what an attempt does. Nothing reports more than the estimate of a
// call with that cap.
func (f fate) play(name string, cancel func()) play {
	cap64 := int64(f.cap)
	early := events.NewFailure(events.InvalidReply, events.ReasonTruncated, "")
	early.Sent = events.Answered
	final := *early
	final.Usage = events.Usage{Input: events.Known(3), CacheRead: events.Known(0), Output: events.Known(cap64), Final: true}
	usage := func(u events.Usage) events.Event {
		return events.NewCompleted(events.Completion{Stop: events.StopEnd, Usage: u})
	}
	switch name {
	case "cheap":
		return says("a", 1, 0)
	case "unknown":
		return of(started, events.NewTextDelta(0, "a"), usage(events.Usage{}))
	case "refused":
		return fails(events.Rejected, events.ReasonBadRequest, status(400))
	case "overloaded":
		return fails(events.Overloaded, events.ReasonServer, status(503))
	case "broken":
		return of(started, events.NewFailed(early))
	case "late":
		return of(started, events.NewTextDelta(0, "a"), events.NewUsageUpdated(events.Usage{Input: events.Known(2)}), events.NewFailed(early))
	case "final":
		return of(started, events.NewTextDelta(0, "a"), events.NewFailed(&final))
	case "unsent":
		return fails(events.Unreachable, events.ReasonConnect, func(f *events.Failure) { f.Sent = events.NotSent })
	case "crash":
		return func(_ context.Context, emit func(events.Event) bool) { emit(started); panic("adapter") }
	case "inconsistent":
		return of(started, events.NewTextDelta(0, "a"), usage(events.Usage{Input: events.Known(1), CacheRead: events.Known(4), Output: events.Known(1)}))
	case "violation":
		return of(events.NewTextDelta(0, "a"))
	case "unusable":
		return of(started, events.NewFailed(&events.Failure{Kind: events.InvalidReply, Reason: events.ReasonUnusableUsage, Sent: events.Served}))
	case "latch":
		return fails(events.Rejected, events.ReasonUnsupported, refuses("stream_options"))
	case "cancelled":
		return func(ctx context.Context, emit func(events.Event) bool) {
			cancel()
			emit(started)
			emit(events.NewFailed(events.NewFailure(events.Cancelled, events.ReasonUser, "")))
		}
	default:
		return says("abc", 4, cap64)
	}
}

// live makes the call and leaves it as its fate says.
func (f fate) live(ctx context.Context, config caller.Config) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	model := newScript()
	for _, name := range f.attempts {
		model.plays = append(model.plays, f.play(name, cancel))
	}
	if f.fallback {
		// It names no model that has a price: what is allowed unpriced reserves nothing.
		other := newScript(of(events.NewStarted(events.Start{}), events.NewTextDelta(0, "b"), done(1, 1)))
		other.name = "test:other"
		config.Fallback = []providersModel{other}
	}
	c := caller.New(model, config)
	req := ask("hi")
	req.MaxOutputTokens = f.cap
	if !f.stream {
		_, _ = c.Generate(ctx, req)
		return
	}
	call := c.Stream(ctx, req)
	if f.exit == "unranged" {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		for ev := range call.Events() {
			switch {
			case ev.Kind != events.TextDelta:
			case f.exit == "break":
				return
			case f.exit == "panic":
				panic("consumer")
			case f.exit == "goexit":
				runtime.Goexit()
			}
		}
	}()
	<-done
}

// watched checks the invariant at every step of the books: what is spent and reserved
// stays inside the limits.
type watched struct {
	*memory.Ledger
	limits caller.Limits
	mu     sync.Mutex
	over   []string
	steps  int
}

func (w *watched) check(ctx context.Context) {
	run, _, err := w.Run(ctx, "r")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.steps++
	t, l := run.Totals, w.limits
	if err != nil || l.MaxTotalTokens > 0 && t.SpentTokens() > l.MaxTotalTokens || l.MaxCost > 0 && t.SpentCost() > l.MaxCost || l.MaxCalls > 0 && t.Calls > l.MaxCalls {
		w.over = append(w.over, fmt.Sprintf("%+v", t))
	}
}

func (w *watched) Reserve(ctx context.Context, r ledger.Reservation) (ledger.Hold, error) {
	defer w.check(ctx)
	return w.Ledger.Reserve(ctx, r)
}

func (w *watched) Settle(ctx context.Context, s ledger.Settlement) error {
	defer w.check(ctx)
	return w.Ledger.Settle(ctx, s)
}

func TestLimitsHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		limits := caller.Limits{
			MaxCalls:       rapid.Int64Range(0, 30).Draw(rt, "calls"),
			MaxTotalTokens: rapid.Int64Range(0, 2000).Draw(rt, "tokens"),
			MaxCost:        events.Micros(rapid.Int64Range(0, 4000).Draw(rt, "cost")),
			AllowUnpriced:  rapid.Bool().Draw(rt, "unpriced"),
			AllowSmaller:   rapid.Bool().Draw(rt, "smaller"),
		}
		books := &watched{Ledger: memory.New(memory.Options{Keep: -1}), limits: limits}
		config := caller.Config{Ledger: books, Prices: prices(), MaxRetries: rapid.IntRange(0, 2).Draw(rt, "retries"), Backoff: -1}
		calls := rapid.SliceOfN(fates(), 1, 12).Draw(rt, "fates")
		parallel := rapid.IntRange(1, 4).Draw(rt, "parallel")

		ctx := context.Background()
		run, err := caller.OpenRun(ctx, books, caller.RunConfig{ID: "r", Limits: limits})
		require.NoError(rt, err)
		ctx = caller.WithRun(ctx, run)
		var workers sync.WaitGroup
		for n := range parallel {
			workers.Go(func() {
				for i := n; i < len(calls); i += parallel {
					calls[i].live(ctx, config)
				}
			})
		}
		workers.Wait()

		require.Empty(rt, books.over, "spent and reserved stay inside the limits, at every step")
		state, err := run.State(ctx)
		require.NoError(rt, err)
		require.Zero(rt, state.Totals.Open, "at rest nothing is reserved")
		require.Zero(rt, state.Totals.OpenTokens)
		require.Zero(rt, state.Totals.OpenCost)
		sum, err := ledger.Total(books.Records(ctx, ledger.Filter{}))
		require.NoError(rt, err)
		require.Equal(rt, sum, state.Totals, "the totals are those of the records")
	})
}

// Many goroutines share one budget that fits few of them.
func TestLimitsHoldUnderContention(t *testing.T) {
	t.Parallel()
	need := ask("hi").EstimateInputTokens() + 200
	limits := caller.Limits{MaxCost: events.Micros(need * 3)}
	books := &watched{Ledger: memory.New(memory.Options{}), limits: limits}
	c := caller.New(newScript(says("hello", 10, 5)), caller.Config{Ledger: books, Prices: prices()})
	run, err := caller.OpenRun(t.Context(), books, caller.RunConfig{ID: "r", Limits: limits})
	require.NoError(t, err)
	ctx := caller.WithRun(t.Context(), run)
	var workers sync.WaitGroup
	for range 64 {
		workers.Go(func() {
			for range 20 {
				_, _ = c.Generate(ctx, ask("hi"))
			}
		})
	}
	workers.Wait()
	state, err := run.State(ctx)
	require.NoError(t, err)
	assert.Empty(t, books.over)
	assert.Zero(t, state.Totals.Open)
	assert.Positive(t, state.Totals.OK)
	assert.LessOrEqual(t, state.Totals.Cost.Charged, int64(limits.MaxCost))
}
