package stream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

func TestInterrupted(t *testing.T) {
	t.Parallel()
	own := errors.New("the page was closed")
	with := func(cause error) context.Context {
		ctx, stop := context.WithCancelCause(t.Context())
		stop(cause)
		return ctx
	}
	late, stop := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer stop()
	for _, tt := range []struct {
		why    string
		ctx    context.Context
		kind   events.FailureKind
		reason events.Reason
		cause  error
		retry  bool
	}{
		{"a plain cancel is the user's", with(nil), events.Cancelled, events.ReasonUser, cancel.User, false},
		{"a cause of the user's stays reachable", with(own), events.Cancelled, events.ReasonUser, own, false},
		{"a typed reason", with(cancel.Shutdown), events.Cancelled, events.ReasonShutdown, cancel.Shutdown, false},
		{"a clock", with(cancel.Idle), events.TimedOut, events.ReasonIdle, cancel.Idle, true},
		{"a run that ran out of time", with(cancel.Limit), events.LimitReached, events.ReasonLimitElapsed, cancel.Limit, false},
		{"the user's own deadline is not retried", late, events.TimedOut, events.ReasonDeadline, context.DeadlineExceeded, false},
	} {
		f := stream.Interrupted(tt.ctx)
		require.NotNil(t, f, tt.why)
		assert.Equal(t, tt.kind, f.Kind, tt.why)
		assert.Equal(t, tt.reason, f.Reason, tt.why)
		assert.ErrorIs(t, f, tt.cause, tt.why)
		assert.Equal(t, tt.retry, f.Retryable(), tt.why)
	}
	assert.Nil(t, stream.Interrupted(t.Context()), "nothing has ended")
}
