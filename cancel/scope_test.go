package cancel_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
)

func TestScopeFirstReasonWins(t *testing.T) {
	t.Parallel()
	s := cancel.New(t.Context())
	_, ok := s.Reason()
	assert.False(t, ok)
	s.Cancel(cancel.User)
	s.Cancel(cancel.Shutdown)
	r, ok := s.Reason()
	assert.True(t, ok)
	assert.Equal(t, cancel.User, r)
	assert.ErrorIs(t, s.Context().Err(), context.Canceled)
	assert.ErrorIs(t, context.Cause(s.Context()), cancel.User)
}

func TestScopeEmptyReason(t *testing.T) {
	t.Parallel()
	s := cancel.New(t.Context())
	s.Cancel("")
	r, ok := s.Reason()
	assert.True(t, ok)
	assert.Equal(t, cancel.User, r)
}

func TestScopeChildren(t *testing.T) {
	t.Parallel()
	parent := cancel.New(t.Context())
	early, late := parent.Child(), parent.Child()
	early.Cancel(cancel.Superseded)
	_, ok := parent.Reason()
	assert.False(t, ok, "a child does not cancel its parent")
	_, ok = late.Reason()
	assert.False(t, ok, "nor its sister")
	parent.Cancel(cancel.Shutdown)
	r, _ := early.Reason()
	assert.Equal(t, cancel.Superseded, r, "its own reason came first")
	r, _ = late.Reason()
	assert.Equal(t, cancel.Shutdown, r, "its parent's reason")
	r, _ = parent.Child().Reason()
	assert.Equal(t, cancel.Shutdown, r, "born cancelled")
}

func TestOf(t *testing.T) {
	t.Parallel()
	past := time.Unix(0, 0)
	for _, tt := range []struct {
		name, why string
		ctx       func(context.Context) (context.Context, context.CancelFunc)
		want      cancel.Reason
		typed     bool
	}{
		{"live", "not done", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithCancel(ctx)
		}, "", false},
		{"plain cancel", "a user's own stop is no Reason", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, stop := context.WithCancel(ctx)
			stop()
			return ctx, stop
		}, cancel.User, false},
		{"plain deadline", "the user's own deadline is not one of our clocks", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadline(ctx, past)
		}, cancel.Deadline, false},
		{"deadline with a cause", "the cause is the user's, the context says deadline", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadlineCause(ctx, past, errors.New("too slow"))
		}, cancel.Deadline, false},
		{"cancel with a cause", "a cause that is no Reason", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, stop := context.WithCancelCause(ctx)
			stop(errors.New("bored"))
			return ctx, func() { stop(nil) }
		}, cancel.User, false},
		{"cancel caused by a deadline elsewhere", "the context was cancelled, no deadline passed", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, stop := context.WithCancelCause(ctx)
			stop(context.DeadlineExceeded)
			return ctx, func() { stop(nil) }
		}, cancel.User, false},
		{"reason as a plain cause", "anybody may give a Reason", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, stop := context.WithCancelCause(ctx)
			stop(cancel.Shutdown)
			return ctx, func() { stop(nil) }
		}, cancel.Shutdown, true},
		{"wrapped reason", "a Reason inside an error counts", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, stop := context.WithCancelCause(ctx)
			stop(fmt.Errorf("page closed: %w", cancel.Superseded))
			return ctx, func() { stop(nil) }
		}, cancel.Superseded, true},
		{"deadline under a scope", "the scope was not cancelled", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadline(cancel.New(ctx).Context(), past)
		}, cancel.Deadline, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, tt.why)
			ctx, stop := tt.ctx(t.Context())
			defer stop()
			got, typed := cancel.Of(ctx)
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.typed, typed)
			got, typed = cancel.ReasonOf(ctx)
			assert.Equal(t, tt.typed, typed)
			if typed {
				assert.Equal(t, tt.want, got)
			} else {
				assert.Empty(t, got)
			}
		})
	}
}

func TestOfTellsClocksFromTheUsersDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		user, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		ctx, w := cancel.Start(user, cancel.Clocks{})
		defer w.Stop()
		w.Enter()
		<-ctx.Done()
		r, typed := cancel.Of(ctx)
		assert.Equal(t, cancel.Deadline, r)
		assert.False(t, typed)
		_, fired := w.Fired()
		assert.False(t, fired)
	})
}

func TestReasonsAreContextErrors(t *testing.T) {
	t.Parallel()
	for r, clock := range map[cancel.Reason]bool{
		cancel.User: false, cancel.Superseded: false, cancel.Shutdown: false, cancel.Limit: false,
		cancel.Deadline: true, cancel.FirstToken: true, cancel.Idle: true, cancel.Stall: true, cancel.Tail: true,
	} {
		assert.Equal(t, clock, r.IsClock(), r)
		assert.Equal(t, clock, errors.Is(r, context.DeadlineExceeded), r)
		assert.Equal(t, !clock, errors.Is(r, context.Canceled), r)
		assert.Contains(t, r.Error(), string(r))
	}
}

func TestScopeClose(t *testing.T) {
	t.Parallel()
	scope := cancel.New(t.Context())
	child := scope.Child()
	scope.Close()
	assert.Equal(t, context.Canceled, context.Cause(scope.Context()))
	assert.Error(t, child.Context().Err())
	_, ok := scope.Reason()
	assert.False(t, ok, "closing is no reason")

	stopped := cancel.New(t.Context())
	stopped.Cancel(cancel.User)
	stopped.Close()
	reason, ok := stopped.Reason()
	assert.True(t, ok)
	assert.Equal(t, cancel.User, reason, "the first reason is kept")
}
