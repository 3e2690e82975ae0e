package caller_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// long plays a reply that notes whether its maker was unwound.
func long(unwound *bool) play {
	return func(_ context.Context, emit func(events.Event) bool) {
		defer func() { *unwound = true }()
		of(started, events.NewUsageUpdated(events.Usage{Input: events.Known(40)}), events.NewTextDelta(0, "a"), events.NewTextDelta(0, "b"), done(10, 5))(nil, emit)
	}
}

// leave ranges a call and leaves it at an event, in the way that out says.
func leave(call *caller.Call, at events.Kind, out func() bool) (panicked any, returned bool) {
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		defer func() { panicked = recover() }()
		for ev := range call.Events() {
			if ev.Kind == at && out() {
				break
			}
		}
		returned = true
	}()
	<-finished
	return panicked, returned
}

func TestLeavingTheLoop(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why      string
		at       events.Kind
		out      func() bool
		reason   events.Reason
		panicked any
		returned bool
	}{
		{"break at the first event", events.Started, func() bool { return true }, events.ReasonAbandoned, nil, true},
		{"break at usage", events.UsageUpdated, func() bool { return true }, events.ReasonAbandoned, nil, true},
		{"break at content", events.TextDelta, func() bool { return true }, events.ReasonAbandoned, nil, true},
		{"panic", events.TextDelta, func() bool { panic("mine") }, events.ReasonConsumerPanic, "mine", false},
		{"panic at the first event", events.Started, func() bool { panic("mine") }, events.ReasonConsumerPanic, "mine", false},
		{"Goexit", events.TextDelta, func() bool { runtime.Goexit(); return true }, events.ReasonConsumerPanic, nil, false},
	} {
		unwound := false
		books := memory.New(memory.Options{})
		c := caller.New(newScript(long(&unwound)), caller.Config{Ledger: books, Prices: prices(), MaxRetries: 3})
		call := c.Stream(t.Context(), ask("hi"))
		panicked, returned := leave(call, tt.at, tt.out)
		assert.Equal(t, tt.panicked, panicked, "%s: a panic of the consumer is the consumer's", tt.why)
		assert.Equal(t, tt.returned, returned, tt.why)
		assert.True(t, unwound, "%s: everything below is closed", tt.why)

		result, err := call.Result()
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled, Reason: tt.reason}, tt.why)
		require.NotNil(t, result, tt.why)
		assert.Equal(t, charge.Ambiguous, result.Status, tt.why)
		got := records(t, books)
		require.Len(t, got, 1, "%s: never repeated", tt.why)
		s := got[0].Settled
		assert.Equal(t, charge.Ambiguous, s.Status, tt.why)
		assert.Equal(t, tt.reason, s.FailureReason, tt.why)
		assert.Equal(t, events.Known(100), s.Usage.Output, "%s: the cap", tt.why)
		assert.Equal(t, max(40, got[0].Estimate.Input.Or(0)), s.Usage.Input.Or(0), "%s: the larger of estimate and report", tt.why)
		assert.Equal(t, events.Known(40), s.Known.Input, "%s: what is certain stands beside it", tt.why)
	}
}

func TestBreakOnTheTerminalIsNoCancel(t *testing.T) {
	t.Parallel()
	for _, out := range []func() bool{func() bool { return true }, func() bool { panic("mine") }} {
		c := caller.New(newScript(says("hello", 10, 5)), caller.Config{Prices: prices()})
		call := c.Stream(t.Context(), ask("hi"))
		leave(call, events.Completed, out)
		result, err := call.Result()
		require.NoError(t, err)
		assert.Equal(t, charge.OK, result.Status)
		assert.Equal(t, events.Micros(20), result.Cost)
		assert.True(t, result.Reply.Done())
	}
}

func TestSettledBeforeTheTerminal(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	c := caller.New(newScript(says("hello", 10, 5)), caller.Config{Ledger: books})
	for ev := range c.Stream(t.Context(), ask("hi")).Events() {
		want := ledger.Dispatched
		if ev.Kind.IsTerminal() {
			want = charge.OK
		}
		assert.Equal(t, want, records(t, books)[0].Status(), ev.Kind)
	}
}

func TestCrashes(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	crash := newScript(func(_ context.Context, emit func(events.Event) bool) {
		emit(started)
		panic("the adapter's")
	})
	result, err := caller.New(crash, caller.Config{Ledger: books, MaxRetries: 2}).Generate(t.Context(), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Crashed})
	assert.Len(t, result.Attempts, 1, "a crash is not repeated")
	assert.Equal(t, charge.Ambiguous, result.Status)

	// An observer is not the consumer: its panic is the call's failure, and the
	// attempt is settled.
	for _, at := range []caller.StepKind{caller.StepReserved, caller.StepDispatched, caller.StepStarted, caller.StepFirstContent} {
		nosy := caller.ObserverFunc(func(_ context.Context, step caller.Step) {
			if step.Kind == at {
				panic("the observer's")
			}
		})
		c := caller.New(newScript(says("hello", 10, 5)), caller.Config{Ledger: books, Observer: nosy})
		call := c.Stream(t.Context(), ask("hi"))
		evs := collect(call.Events())
		assert.ErrorIs(t, evs[len(evs)-1].Err(), &events.Failure{Kind: events.Crashed}, at)
		_, err := call.Result()
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Crashed}, at)
		_, err = c.Generate(t.Context(), ask("hi"))
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Crashed}, at)
	}
	c := caller.New(&hollow{}, caller.Config{Ledger: books})
	_, err = c.Generate(t.Context(), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Crashed}, "a model that cannot say what it can do")
	call := c.Stream(t.Context(), ask("hi"))
	collect(call.Events())
	_, err = call.Result()
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Crashed})
	total, err := ledger.Total(books.Records(t.Context(), ledger.Filter{}))
	require.NoError(t, err)
	assert.Zero(t, total.Open, "whatever panics, nothing stays open")
	assert.EqualValues(t, 4, total.Errors, "before it was sent it costs nothing")
	assert.Less(t, total.Active, time.Minute)
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hang := newScript(func(ctx context.Context, emit func(events.Event) bool) {
			emit(started)
			<-ctx.Done()
			f := events.NewFailure(events.Cancelled, events.ReasonUser, "").WithCause(context.Cause(ctx))
			f.Sent = events.Answered
			emit(events.NewFailed(f))
		})
		books := memory.New(memory.Options{})
		c := caller.New(hang, caller.Config{Ledger: books, MaxRetries: 2, Prices: prices()})
		scope := cancel.New(t.Context())
		defer scope.Close()
		time.AfterFunc(time.Second, func() { scope.Cancel(cancel.User) })
		_, err := c.Generate(scope.Context(), ask("hi"))
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser})
		got := records(t, books)
		require.Len(t, got, 1)
		assert.Equal(t, charge.Ambiguous, got[0].Status())
		assert.Equal(t, time.Second, got[0].Settled.Latency)

		_, err = c.Generate(scope.Context(), ask("hi"))
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled})
		f, _ := events.AsFailure(err)
		assert.Equal(t, events.NotSent, f.Sent)
		assert.Len(t, records(t, books), 1, "a call that was cancelled before costs nothing and is no attempt")

		late, stop := context.WithTimeout(t.Context(), 0)
		defer stop()
		_, err = c.Generate(late, ask("hi"))
		assert.ErrorIs(t, err, &events.Failure{Kind: events.TimedOut, Reason: events.ReasonDeadline})
		var u *caller.Unavailable
		assert.NotErrorAs(t, err, &u, "nobody was asked")
	})
}

// brokenBooks fails to settle, with an error that holds what must not be told.
type brokenBooks struct {
	ledger.Ledger
	reserve, settle error
}

func (b brokenBooks) Reserve(ctx context.Context, r ledger.Reservation) (ledger.Hold, error) {
	if b.reserve != nil {
		return ledger.Hold{}, b.reserve
	}
	return b.Ledger.Reserve(ctx, r)
}

func (b brokenBooks) Settle(ctx context.Context, s ledger.Settlement) error {
	if b.settle != nil {
		return b.settle
	}
	return b.Ledger.Settle(ctx, s)
}

func TestBooksThatCannotBeKept(t *testing.T) {
	t.Parallel()
	down := errors.New("dial postgres://user:hunter2@db")
	model := newScript(says("hello", 10, 5))
	books := memory.New(memory.Options{})

	result, err := caller.New(model, caller.Config{Ledger: brokenBooks{books, down, nil}}).Generate(t.Context(), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonLedgerUnavailable})
	assert.NotContains(t, err.Error(), "hunter2")
	assert.Empty(t, model.seen(), "what cannot be booked is not sent")
	assert.Empty(t, result.Attempts)

	result, err = caller.New(model, caller.Config{Ledger: brokenBooks{books, nil, down}, MaxRetries: 2}).Generate(t.Context(), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonLedgerUnavailable})
	assert.NotContains(t, err.Error(), "hunter2")
	assert.Len(t, model.seen(), 1)
	require.Len(t, result.Attempts, 1)
	assert.Equal(t, "hello", result.Reply.Text(), "what came is not lost")
	assert.ErrorIs(t, result.Attempts[0].Unbooked, down)
	answer, err := request.NewAnswer("", `{"type":"object"}`)
	require.NoError(t, err)
	asking := ask("hi")
	asking.Answer = answer
	unbooked, err := caller.New(newScript(says(`{"a":1}`, 10, 5)), caller.Config{Ledger: brokenBooks{memory.New(memory.Options{}), nil, down}}).Generate(t.Context(), asking)
	require.Error(t, err)
	assert.Empty(t, unbooked.Answer, "nor is its answer handed over")

	unsent := newScript(fails(events.Unreachable, events.ReasonConnect, func(f *events.Failure) { f.Sent = events.NotSent }))
	_, err = caller.New(unsent, caller.Config{Ledger: brokenBooks{memory.New(memory.Options{}), nil, down}}).Generate(t.Context(), ask("hi"))
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.NotSent, f.Sent, "how far the request got stays true")
	assert.Equal(t, ledger.Dispatched, records(t, books)[0].Status(), "it stays reserved, for Recover")
}

// A Settle outlives the cancellation of its call.
func TestSettlesWhenCancelled(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	books := memory.New(memory.Options{})
	watching := settleContext{Ledger: books}
	c := caller.New(newScript(says("hello", 10, 5)), caller.Config{Ledger: &watching})
	for ev := range c.Stream(ctx, ask("hi")).Events() {
		if ev.Kind == events.TextDelta {
			stop()
			break
		}
	}
	require.NoError(t, watching.err)
	left := time.Until(watching.deadline)
	assert.True(t, left > 5*time.Second && left <= 10*time.Second, "bounded: %v", left)
}

type settleContext struct {
	ledger.Ledger
	err      error
	deadline time.Time
}

func (s *settleContext) Settle(ctx context.Context, settlement ledger.Settlement) error {
	s.err = ctx.Err()
	s.deadline, _ = ctx.Deadline()
	return s.Ledger.Settle(ctx, settlement)
}

// hollow is a model whose Spec panics.
type hollow struct{ script }

func (*hollow) Spec() request.Spec { panic("no spec") }

// A call that is stopped while it reserves is stopped, and holds nothing.
func TestStoppedWhileReserving(t *testing.T) {
	t.Parallel()
	scope := cancel.New(t.Context())
	defer scope.Close()
	books := memory.New(memory.Options{})
	// The reservation is made, and its answer is lost.
	lost := losing{Ledger: books, lose: func() { scope.Cancel(cancel.User) }}
	model := newScript(says("hello", 10, 5))
	result, err := caller.New(model, caller.Config{Ledger: lost}).Generate(scope.Context(), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser}, "it is no fault of the ledger")
	assert.Empty(t, result.Attempts)
	assert.Empty(t, model.seen())
	total, err := ledger.Total(books.Records(t.Context(), ledger.Filter{}))
	require.NoError(t, err)
	assert.Zero(t, total.Open, "what was reserved is taken back")
	assert.EqualValues(t, 1, total.Errors)
	assert.Zero(t, total.Tokens.Charged, "nothing was sent")
	assert.True(t, total.Tokens.IsComplete())
}

type losing struct {
	ledger.Ledger
	lose func()
}

func (l losing) Reserve(ctx context.Context, r ledger.Reservation) (ledger.Hold, error) {
	_, _ = l.Ledger.Reserve(ctx, r)
	l.lose()
	return ledger.Hold{}, events.NewFailure(events.LimitReached, events.ReasonLedgerUnavailable, "gone")
}

// A ledger that panics has not been told, and the attempt is in the result.
func TestLedgerThatPanics(t *testing.T) {
	t.Parallel()
	c := caller.New(newScript(says("hello", 10, 5)), caller.Config{Ledger: panicking{memory.New(memory.Options{})}})
	result, err := c.Generate(t.Context(), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Crashed})
	require.Len(t, result.Attempts, 1)
	assert.Error(t, result.Attempts[0].Unbooked)
}

type panicking struct{ ledger.Ledger }

func (panicking) Settle(context.Context, ledger.Settlement) error { panic("the ledger's") }

// Who leaves a reply without content at its first event has it whole all the same.
func TestLeavingAReplyWithoutContent(t *testing.T) {
	t.Parallel()
	c := caller.New(newScript(of(started, done(10, 0))), caller.Config{})
	call := c.Stream(t.Context(), ask("hi"))
	leave(call, events.Started, func() bool { return true })
	result, err := call.Result()
	require.NoError(t, err)
	assert.Equal(t, charge.OK, result.Status)
	assert.True(t, result.Reply.Done())
}
