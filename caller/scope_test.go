package caller_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
)

func TestScope(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	c := caller.New(newScript(says("hello", 1, 1)), caller.Config{Ledger: books})
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Scope: caller.Scope{Actor: "run", Purpose: "run"}})
	require.NoError(t, err)
	ctx := caller.WithRun(t.Context(), run)
	inner := caller.WithScope(caller.WithScope(ctx, caller.Scope{Actor: "outer", Purpose: "chat"}), caller.Scope{Actor: "inner"})
	own := ask("hi")
	own.Correlation.Actor = "request"
	for _, tt := range []struct {
		ctx  context.Context
		own  bool
		want caller.Scope
	}{
		{t.Context(), false, caller.Scope{}},
		{ctx, false, caller.Scope{Actor: "run", Purpose: "run"}},
		{inner, false, caller.Scope{Actor: "inner", Purpose: "chat"}},
		{inner, true, caller.Scope{Actor: "request", Purpose: "chat"}},
		{caller.WithRun(ctx, nil), false, caller.Scope{}},
	} {
		req := ask("hi")
		if tt.own {
			req = own
		}
		_, err := c.Generate(tt.ctx, req)
		require.NoError(t, err)
		rows := records(t, books)
		last := rows[len(rows)-1]
		assert.Equal(t, tt.want, caller.Scope{Actor: last.Actor, Purpose: last.Purpose})
	}
	assert.Equal(t, run, caller.RunOf(inner))
	assert.Nil(t, caller.RunOf(t.Context()))
	byActor, err := ledger.GroupBy(books.Records(t.Context(), ledger.Filter{Run: "r"}), ledger.ByActor)
	require.NoError(t, err)
	assert.Len(t, byActor, 3)
}

// A handler that calls a model in the loop over a stream is metered and attributed;
// a model that calls another one through a caller is counted once.
func TestNestedCalls(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	config := caller.Config{Ledger: books, MaxRetries: 4}
	asked := newScript(fails(events.Overloaded, events.ReasonServer, status(503)))
	inner := caller.New(asked, config)
	router := newScript(func(ctx context.Context, emit func(events.Event) bool) {
		inner.Stream(ctx, ask("inner")).Events()(emit)
	})
	config.MaxRetries = 0
	_, err := caller.New(router, config).Generate(t.Context(), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Overloaded})
	assert.Len(t, records(t, books), 1, "the outer attempt is the attempt")
	assert.Len(t, asked.seen(), 1, "two layers do not multiply their retries")

	helper := caller.New(newScript(says("inner", 1, 1)), config)
	outer := caller.New(newScript(says("hello", 1, 1)), config)
	ctx := caller.WithScope(t.Context(), caller.Scope{Actor: "agent"})
	for ev := range outer.Stream(ctx, ask("hi")).Events() {
		if ev.Kind == events.TextDelta {
			_, err := helper.Generate(ctx, ask("tool"))
			require.NoError(t, err)
		}
	}
	rows := records(t, books)
	require.Len(t, rows, 3)
	assert.Equal(t, "agent", rows[2].Actor)
}

func TestWithoutCalls(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	model := newScript(says("hello", 1, 1))
	c := caller.New(model, caller.Config{Ledger: books})
	ctx, refused := caller.WithoutCalls(t.Context())
	require.NoError(t, refused())
	_, err := c.Generate(ctx, ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonLimitCalls})
	for range c.Stream(ctx, ask("hi")).Events() { // swallows it
	}
	var e *caller.Exceeded
	require.ErrorAs(t, refused(), &e)
	assert.Len(t, refused().(interface{ Unwrap() []error }).Unwrap(), 2)
	assert.Empty(t, model.seen())
	assert.Empty(t, records(t, books))
	_, err = c.Generate(t.Context(), ask("hi"))
	assert.NoError(t, err)
}

// A run keeps its books wherever it was opened, whoever calls.
func TestRunHasItsOwnBooks(t *testing.T) {
	t.Parallel()
	own, shared := memory.New(memory.Options{}), memory.New(memory.Options{})
	run, err := caller.OpenRun(t.Context(), shared, caller.RunConfig{ID: "r"})
	require.NoError(t, err)
	_, err = caller.New(newScript(says("a", 1, 1)), caller.Config{Ledger: own}).Generate(caller.WithRun(t.Context(), run), ask("hi"))
	require.NoError(t, err)
	assert.Empty(t, records(t, own))
	assert.Len(t, records(t, shared), 1)
	mine, err := ledger.Total(run.Records(t.Context()))
	require.NoError(t, err)
	assert.EqualValues(t, 1, mine.Calls)
	require.NoError(t, run.Renew(t.Context()), "without a lease there is nothing to renew")
}

// A model that is an agent of its own run keeps to the limits of that run.
func TestNestedRun(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	asked := newScript(says("a", 1, 1))
	inner := caller.New(asked, caller.Config{Ledger: books})
	sub, err := inner.OpenRun(t.Context(), caller.RunConfig{ID: "sub", Limits: caller.Limits{MaxCalls: 2}})
	require.NoError(t, err)
	agent := newScript(func(ctx context.Context, emit func(events.Event) bool) {
		for range 5 {
			_, _ = inner.Generate(caller.WithRun(ctx, sub), ask("inner"))
		}
		says("done", 1, 1)(ctx, emit)
	})
	agent.name = "agent:sub"
	_, err = caller.New(agent, caller.Config{Ledger: books}).Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Len(t, asked.seen(), 2)
	state, err := sub.State(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 2, state.Totals.Calls)
	assert.Len(t, records(t, books), 3, "and the outer attempt")
}

func TestNoRun(t *testing.T) {
	t.Parallel()
	run := caller.RunOf(t.Context())
	require.NoError(t, run.BeginTool(t.Context()))
	assert.Empty(t, run.ID())
}
