package cancel_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
)

func TestBegin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, why string
		call      time.Duration
		first     []script
		want      cancel.Reason
		after     time.Duration // of the second attempt
	}{
		{"after a clock fired", "the second attempt has its own first-token clock", time.Minute, []script{wait(10 * time.Second)}, cancel.FirstToken, 10 * time.Second},
		{"after a tail", "the second attempt has none", time.Minute, []script{tail(2 * time.Second), wait(2 * time.Second)}, cancel.FirstToken, 10 * time.Second},
		{"the call clock goes on", "10 + 10 + 5 seconds", 25 * time.Second, []script{(*cancel.Watch).Content, wait(20 * time.Second)}, cancel.Deadline, 5 * time.Second},
		{"a pause between does not count", "backoff is no waiting for the provider", 15 * time.Second, []script{wait(9 * time.Second), pause(time.Hour)}, cancel.Deadline, 6 * time.Second},
		{"used up", "no time is left for another attempt", 10 * time.Second, []script{(*cancel.Watch).Content, wait(10 * time.Second)}, cancel.Deadline, 0},
		{"in a wait", "a wait that was not left counts until Stop", 15 * time.Second, []script{(*cancel.Watch).Enter, pause(8 * time.Second)}, cancel.Deadline, 7 * time.Second},
		{"off stays off", "an unbounded call has unbounded attempts", off, []script{wait(5 * time.Second)}, cancel.FirstToken, 10 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, tt.why)
			synctest.Test(t, func(t *testing.T) {
				ctx, call := cancel.Start(t.Context(), cancel.Clocks{Call: tt.call, FirstToken: 10 * time.Second})
				defer call.Stop()
				ctx1, w1 := cancel.Begin(ctx)
				for _, do := range tt.first {
					do(w1)
				}
				w1.Stop()
				w1.Stop() // tells its waiting once
				require.Error(t, ctx1.Err())
				require.NoError(t, ctx.Err(), "a clock of an attempt cancels the attempt only")
				ctx2, w2 := cancel.Begin(ctx)
				defer w2.Stop()
				got, _ := cancel.FromContext(ctx2)
				require.Same(t, w2, got)
				begin := time.Now()
				w2.Enter()
				<-ctx2.Done()
				assert.Equal(t, tt.after, time.Since(begin))
				assert.Equal(t, error(tt.want), context.Cause(ctx2))
			})
		})
	}
}

func TestWithClocks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		begin func(context.Context) (context.Context, *cancel.Watch)
		want  time.Duration
	}{
		{"an attempt without a call is one", cancel.Begin, 7 * time.Second},
		{"zero limits are those of the context", func(ctx context.Context) (context.Context, *cancel.Watch) {
			return cancel.Start(ctx, cancel.Clocks{Idle: time.Second})
		}, 7 * time.Second},
		{"others win", func(ctx context.Context) (context.Context, *cancel.Watch) {
			return cancel.Start(ctx, cancel.Clocks{FirstToken: 3 * time.Second})
		}, 3 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx := cancel.WithClocks(t.Context(), cancel.Clocks{FirstToken: 7 * time.Second})
				for range 2 { // each call has its own clocks
					begin := time.Now()
					ctx, w := tt.begin(ctx)
					w.Enter()
					<-ctx.Done()
					assert.Equal(t, tt.want, time.Since(begin))
					w.Stop()
				}
			})
		})
	}
}
