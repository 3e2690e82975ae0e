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
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	input := ask("hi").EstimateInputTokens()
	fits := input + 100 // tokens of one call
	price := events.Micros(input + 200)
	uncapped := ask("hi")
	uncapped.MaxOutputTokens = 0
	for _, tt := range []struct {
		why    string
		limits caller.Limits
		req    request.Request
		models []string
		calls  int // that go through, of three
		limit  ledger.Limit
		reason events.Reason
	}{
		{"calls refuse at the limit", caller.Limits{MaxCalls: 2}, ask("hi"), nil, 2, ledger.LimitCalls, events.ReasonLimitCalls},
		{"tokens: exactly one fits", caller.Limits{MaxTotalTokens: fits}, ask("hi"), nil, 1, ledger.LimitTokens, events.ReasonLimitTokens},
		{"tokens: none fits", caller.Limits{MaxTotalTokens: fits - 1}, ask("hi"), nil, 0, ledger.LimitTokens, events.ReasonLimitTokens},
		{"cost: exactly one fits", caller.Limits{MaxCost: price}, ask("hi"), nil, 1, ledger.LimitCost, events.ReasonLimitCost},
		{"cost: none fits", caller.Limits{MaxCost: price - 1}, ask("hi"), nil, 0, ledger.LimitCost, events.ReasonLimitCost},
		{"cost: two fit, because the first cost less than reserved", caller.Limits{MaxCost: price + 20}, ask("hi"), nil, 2, ledger.LimitCost, events.ReasonLimitCost},
		{"no cap under a limit on tokens cannot be projected", caller.Limits{MaxTotalTokens: 1e9}, uncapped, nil, 0, ledger.LimitTokens, events.ReasonLimitTokens},
		{"nor under one on cost", caller.Limits{MaxCost: 1e9}, uncapped, nil, 0, ledger.LimitCost, events.ReasonLimitCost},
		{"a cap of the run will do", caller.Limits{MaxTotalTokens: fits, MaxOutputTokensPerCall: 100}, uncapped, nil, 1, ledger.LimitTokens, events.ReasonLimitTokens},
		{"without a limit no cap is needed", caller.Limits{}, uncapped, nil, 3, "", ""},
		{"a model without a price under a limit on cost", caller.Limits{MaxCost: 1e9}, ask("hi"), []string{"test:unpriced"}, 0, ledger.LimitCost, events.ReasonUnpriced},
		{"unless it is allowed", caller.Limits{MaxCost: 1e9, AllowUnpriced: true}, ask("hi"), []string{"test:unpriced"}, 3, "", ""},
		{"or nothing limits the cost", caller.Limits{MaxCalls: 3}, ask("hi"), []string{"test:unpriced"}, 3, "", ""},
		{"measured: one call may exceed, the next is refused", caller.Limits{MaxCost: 1, Mode: caller.Measured}, uncapped, nil, 1, ledger.LimitCost, events.ReasonLimitCost},
	} {
		books := memory.New(memory.Options{})
		model := newScript(says("hello", 10, 5))
		if len(tt.models) > 0 {
			model.name = tt.models[0]
		}
		c := caller.New(model, caller.Config{Prices: prices(), Ledger: books, MaxRetries: 2})
		run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: tt.limits})
		require.NoError(t, err)
		ctx := caller.WithRun(t.Context(), run)
		var last error
		for range 3 {
			if _, last = c.Generate(ctx, tt.req); last != nil {
				break
			}
		}
		assert.Len(t, model.seen(), tt.calls, tt.why)
		state, err := run.State(ctx)
		require.NoError(t, err)
		assert.Equal(t, int64(tt.calls), state.Totals.Calls, "%s: what is refused is no attempt", tt.why)
		assert.Zero(t, state.Totals.Open, tt.why)
		if tt.limit == "" {
			require.NoError(t, last, tt.why)
			continue
		}
		var e *caller.Exceeded
		require.ErrorAs(t, last, &e, tt.why)
		assert.Equal(t, tt.limit, e.Limit, tt.why)
		assert.Equal(t, "r", e.Run, tt.why)
		assert.ErrorIs(t, last, &events.Failure{Kind: events.LimitReached, Reason: tt.reason}, tt.why)
	}
}

func TestCapIsLowered(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ cap, perCall, want int }{{0, 50, 50}, {100, 50, 50}, {20, 50, 20}, {100, 0, 100}} {
		model := newScript(says("hello", 1, 1))
		c := caller.New(model, caller.Config{})
		run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxOutputTokensPerCall: tt.perCall}})
		require.NoError(t, err)
		req := ask("hi")
		req.MaxOutputTokens = tt.cap
		_, err = c.Generate(caller.WithRun(t.Context(), run), req)
		require.NoError(t, err)
		assert.Equal(t, tt.want, model.seen()[0].MaxOutputTokens)
		assert.Equal(t, tt.cap, req.MaxOutputTokens, "the user's request is not written to")
	}
}

// A cap of the run is no mistake of the request.
func TestRunCapsThinking(t *testing.T) {
	t.Parallel()
	both := []events.NoticeCode{events.NoticeParameterDropped, events.NoticeEffortClamped}
	for _, tt := range []struct {
		why         string
		cap, budget int
		strict      bool
		wantBudget  int // 0: refused
		told        []events.NoticeCode
	}{
		{"a budget above the run's cap is lowered with it", 0, 2000, false, 1000, both[1:]},
		{"beside a cap that is lowered too, which is told by itself", 3000, 2000, false, 1000, both},
		{"a budget below it stays", 0, 500, false, 500, nil},
		{"a budget of exactly the cap stays", 3000, 1000, false, 1000, both[:1]},
		{"a cap of the request's own below the run's is told nothing of", 800, 700, false, 700, nil},
		{"strict: nothing of a request is lowered but its cap", 0, 2000, true, 0, nil},
		{"strict: a budget that fits goes", 3000, 500, true, 500, both[:1]},
		{"a budget above the request's own cap is the request's mistake", 1500, 2000, false, 0, both[:1]},
	} {
		model := newScript(says("hello", 1, 1))
		c := caller.New(model, caller.Config{})
		run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxOutputTokensPerCall: 1000}})
		require.NoError(t, err)
		ctx := caller.WithRun(t.Context(), run)
		req := ask("hi")
		req.MaxOutputTokens, req.ThinkingBudget, req.Strict = tt.cap, &tt.budget, tt.strict
		asked := tt.budget
		result, err := c.Generate(ctx, req)
		assert.Equal(t, asked, tt.budget, "%s: the user's request is not written to", tt.why)
		var told []events.NoticeCode
		for _, n := range result.Reply.Notices() {
			told = append(told, n.Code)
		}
		assert.Equal(t, tt.told, told, tt.why)
		if tt.wantBudget > 0 {
			require.NoError(t, err, tt.why)
			require.NoError(t, c.Check(ctx, req), tt.why)
			assert.Equal(t, tt.wantBudget, *model.seen()[0].ThinkingBudget, tt.why)
			continue
		}
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, tt.why)
		require.ErrorIs(t, c.Check(ctx, req), &events.Failure{Kind: events.InvalidRequest}, tt.why)
		assert.Empty(t, model.seen(), tt.why)
		assert.Equal(t, tt.strict, strings.Contains(err.Error(), "MaxOutputTokensPerCall"), "%s: it names what the user can change", tt.why)
	}
}

// The estimate is of the cap that the model can reach.
func TestEstimateOfModelMaximum(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	model := newScript(says("hello", 1, 1))
	model.spec.MaxOutput = 30
	_, err := caller.New(model, caller.Config{Ledger: books}).Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, events.Known(30), records(t, books)[0].Estimate.Output)
}

func TestRetriesKeepToLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model := newScript(fails(events.Overloaded, events.ReasonServer, status(503)))
		c := caller.New(model, caller.Config{MaxRetries: 5})
		run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxCalls: 2}})
		require.NoError(t, err)
		result, err := c.Generate(caller.WithRun(t.Context(), run), ask("hi"))
		assert.Len(t, model.seen(), 2, "each attempt is checked again")
		assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonLimitCalls})
		var e *caller.Exceeded
		require.ErrorAs(t, err, &e)
		var u *caller.Unavailable
		require.ErrorAs(t, err, &u, "and what made it try again")
		assert.Equal(t, events.Overloaded, u.Last.Kind)
		assert.Len(t, result.Attempts, 2)
	})
}

func TestRunOutOfTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hang := newScript(func(ctx context.Context, emit func(events.Event) bool) {
			emit(started)
			<-ctx.Done()
			f := stream.Interrupted(ctx)
			f.Sent = events.Answered
			emit(events.NewFailed(f))
		})
		c := caller.New(hang, caller.Config{MaxRetries: 3})
		run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxElapsed: time.Minute}})
		require.NoError(t, err)
		ctx := caller.WithRun(t.Context(), run)
		began := time.Now()
		_, err = c.Generate(ctx, ask("hi"))
		assert.Equal(t, time.Minute, time.Since(began), "a call in flight is cut")
		assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonLimitElapsed})
		for range 2 {
			var e *caller.Exceeded
			require.ErrorAs(t, err, &e, "and the next one is refused")
			assert.Equal(t, ledger.LimitElapsed, e.Limit)
			assert.Equal(t, int64(time.Minute), e.Max)
			_, err = c.Generate(ctx, ask("hi"))
		}
	})
}

// MaxActive counts the waiting for the provider, and is no clock.
func TestActive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := newScript(func(ctx context.Context, emit func(events.Event) bool) {
			w, _ := cancel.FromContext(ctx)
			w.Enter()
			time.Sleep(time.Minute)
			w.Leave()
			says("a", 1, 1)(ctx, emit)
		})
		c := caller.New(slow, caller.Config{})
		run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxActive: 90 * time.Second}})
		require.NoError(t, err)
		ctx := caller.WithRun(t.Context(), run)
		for range 2 {
			for range c.Stream(ctx, ask("hi")).Events() {
				time.Sleep(time.Hour) // the consumer's own time
			}
		}
		state, err := run.State(ctx)
		require.NoError(t, err)
		assert.Equal(t, 2*time.Minute, state.Totals.Active)
		_, err = c.Generate(ctx, ask("hi"))
		var e *caller.Exceeded
		require.ErrorAs(t, err, &e)
		assert.Equal(t, ledger.LimitActive, e.Limit)
	})
}

func TestToolCallsAreCounted(t *testing.T) {
	t.Parallel()
	run, err := caller.OpenRun(t.Context(), memory.New(memory.Options{}), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxToolCalls: 2}})
	require.NoError(t, err)
	require.NoError(t, run.BeginTool(t.Context()))
	require.NoError(t, run.BeginTool(t.Context()))
	err = run.BeginTool(t.Context())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonLimitTools})
}

func TestLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		books := memory.New(memory.Options{})
		model := newScript(says("hello", 1, 1))
		c := caller.New(model, caller.Config{Ledger: books})
		config := caller.RunConfig{ID: "r", Owner: "a", Lease: time.Minute}
		run, err := c.OpenRun(t.Context(), config)
		require.NoError(t, err)
		ctx := caller.WithRun(t.Context(), run)
		lost := &events.Failure{Kind: events.LimitReached, Reason: events.ReasonLeaseLost}

		config.Owner = "b"
		_, err = c.OpenRun(t.Context(), config)
		require.ErrorIs(t, err, lost)
		time.Sleep(50 * time.Second)
		require.NoError(t, run.Renew(ctx))
		time.Sleep(50 * time.Second)
		_, err = c.Generate(ctx, ask("hi"))
		require.NoError(t, err, "it was renewed")
		time.Sleep(10 * time.Second)
		_, err = c.Generate(ctx, ask("hi"))
		require.ErrorIs(t, err, lost, "a loop that lost its run sends nothing")
		assert.Len(t, model.seen(), 1)
		_, err = c.OpenRun(t.Context(), config)
		require.NoError(t, err, "the other may go on")
		require.NoError(t, run.Release(ctx), "what is not held is not released")
		_, err = c.Generate(ctx, ask("hi"))
		require.ErrorIs(t, err, lost)
	})
}

// An attempt may be recovered only when no clock lets it live any more.
func TestAttemptsExpire(t *testing.T) {
	t.Parallel()
	for call, want := range map[time.Duration]time.Duration{
		0: 11 * time.Minute, 5 * time.Hour: 5*time.Hour + time.Minute, time.Second: 61 * time.Second, time.Hour: 61 * time.Minute, -1: 24 * time.Hour, 30 * time.Hour: 24 * time.Hour,
	} {
		books := memory.New(memory.Options{})
		c := caller.New(newScript(says("a", 1, 1)), caller.Config{Ledger: books, Clocks: cancel.Clocks{Call: call}})
		_, err := c.Generate(t.Context(), ask("hi"))
		require.NoError(t, err)
		_, err = caller.New(newScript(says("a", 1, 1)), caller.Config{Ledger: books}).Generate(cancel.WithClocks(t.Context(), cancel.Clocks{Call: call}), ask("hi"))
		require.NoError(t, err)
		for _, r := range records(t, books) {
			assert.Equal(t, want, r.ExpiresAt.Sub(r.DispatchedAt), "%s, by the config and by the context", call)
		}
	}
}

// What would refuse a call can be asked before the head of an answer goes out.
func TestCheck(t *testing.T) {
	t.Parallel()
	model := newScript(says("hello", 10, 5))
	c := caller.New(model, caller.Config{Prices: prices()})
	require.NoError(t, c.Check(t.Context(), ask("hi")))
	assert.ErrorIs(t, c.Check(t.Context(), request.Request{}), &events.Failure{Kind: events.InvalidRequest})
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxCalls: 1}})
	require.NoError(t, err)
	ctx := caller.WithRun(t.Context(), run)
	for range 3 {
		require.NoError(t, c.Check(ctx, ask("hi")), "asking takes nothing")
	}
	_, err = c.Generate(ctx, ask("hi"))
	require.NoError(t, err)
	var e *caller.Exceeded
	require.ErrorAs(t, c.Check(ctx, ask("hi")), &e)
	assert.Equal(t, ledger.LimitCalls, e.Limit)
	state, err := run.State(ctx)
	require.NoError(t, err)
	assert.Nil(t, state.Closed, "nor does it close the run")
	assert.Len(t, model.seen(), 1)

	stopped, stop := context.WithCancel(ctx)
	stop()
	assert.ErrorIs(t, c.Check(stopped, ask("hi")), &events.Failure{Kind: events.Cancelled})
}

// A run keeps its limits when it is opened without any.
func TestOpenWithoutLimits(t *testing.T) {
	t.Parallel()
	model := newScript(says("hello", 10, 5))
	c := caller.New(model, caller.Config{})
	_, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxCalls: 1, MaxOutputTokensPerCall: 7}})
	require.NoError(t, err)
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r"})
	require.NoError(t, err)
	_, err = c.Generate(caller.WithRun(t.Context(), run), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, 7, model.seen()[0].MaxOutputTokens, "the cap of each call too")
	_, err = c.Generate(caller.WithRun(t.Context(), run), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonLimitCalls})
}

// The handlers of a run's tools are counted.
func TestAnswerOfARun(t *testing.T) {
	t.Parallel()
	call := func(n int, id string) []events.Event {
		return []events.Event{events.NewToolCallStarted(n, id, "find", false), events.NewToolCallCompleted(n, events.ToolCall{ID: id, Name: "find", Arguments: `{"q":"x"}`})}
	}
	evs := append(append([]events.Event{started}, call(0, "a")...), call(1, "b")...)
	evs = append(evs, events.NewCompleted(events.Completion{Stop: events.StopToolUse}))
	c := caller.New(newScript(of(evs...)), caller.Config{})
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxToolCalls: 1}})
	require.NoError(t, err)
	req := ask("hi")
	req.Tools = tools(t)
	result, err := c.Generate(caller.WithRun(t.Context(), run), req)
	require.NoError(t, err)
	handled := 0
	handle := func(context.Context, events.ToolCall) (string, error) { handled++; return "found", nil }
	turn := run.Answer(t.Context(), result.Reply, handle)
	assert.Equal(t, 1, handled)
	require.Len(t, turn.Blocks, 2, "every call has an answer")
	assert.False(t, turn.Blocks[0].Result.IsError)
	assert.True(t, turn.Blocks[1].Result.IsError, "the model is told of the limit")
	var none *caller.Run
	none.Answer(t.Context(), result.Reply, handle)
	assert.Equal(t, 3, handled, "no run, no limit")
}
