package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
)

// A timeline is a round tripper that answers after a while and then writes its
// pieces, each after a while, and holds the body open until it is closed.
type timeline struct {
	head   time.Duration
	pieces []piece
}

type piece struct {
	after time.Duration
	text  string
}

func (l timeline) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := wait(req.Context(), l.head); err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	go func() {
		for _, p := range l.pieces {
			if wait(req.Context(), p.after) != nil {
				break
			}
			if _, err := io.WriteString(w, p.text); err != nil {
				break
			}
		}
		<-req.Context().Done()
	}()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: r, Request: req}, nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func text(after time.Duration, words ...string) piece {
	return piece{after, string(body(words...))}
}

func TestClocks(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, c := range []struct {
		why    string
		line   timeline
		clocks cancel.Clocks
		want   string
		reason events.Reason
		at     time.Duration
	}{
		{
			"no head: the first token is late",
			timeline{head: time.Hour},
			cancel.Clocks{},
			"started failed", events.ReasonFirstToken, 3 * time.Minute,
		},
		{
			"pings are no token",
			timeline{pieces: []piece{{10 * s, ": p\n\n"}, {50 * s, ": p\n\n"}, {50 * s, ": p\n\n"}, {50 * s, ": p\n\n"}, {50 * s, ": p\n\n"}}},
			cancel.Clocks{},
			"started failed", events.ReasonFirstToken, 3 * time.Minute,
		},
		{
			"silence after a part",
			timeline{pieces: []piece{text(2*s, "a")}},
			cancel.Clocks{},
			"started text:a failed", events.ReasonIdle, 62 * s,
		},
		{
			"pings keep a stream alive",
			timeline{pieces: []piece{text(2*s, "a"), {50 * s, ": p\n\n"}, {50 * s, ": p\n\n"}, text(50*s, "done")}},
			cancel.Clocks{},
			"started text:a completed", "", 152*s + drained,
		},
		{
			"a slow head is not idle",
			timeline{head: 170 * s, pieces: []piece{text(s, "a", "done")}},
			cancel.Clocks{},
			"started text:a completed", "", 171*s + drained,
		},
		{
			"a tool call is content",
			timeline{pieces: []piece{text(170*s, "call"), {50 * s, ": p\n\n"}, text(50*s, "done")}},
			cancel.Clocks{},
			"started tool_call_started failed", events.ReasonProtocolViolation, 270*s + drained,
		},
		{
			"pings do not hide a stall",
			timeline{pieces: []piece{text(2*s, "a"), {20 * s, ": p\n\n"}, {20 * s, ": p\n\n"}}},
			cancel.Clocks{Stall: 30 * s},
			"started text:a failed", events.ReasonStall, 32 * s,
		},
		{
			"the whole call is too long",
			timeline{pieces: []piece{text(30*s, "a"), text(30*s, "b"), text(30*s, "c")}},
			cancel.Clocks{Call: 70 * s},
			"started text:a text:b failed", events.ReasonDeadline, 70 * s,
		},
		{
			"after the evidence it waits for usage a little",
			timeline{pieces: []piece{text(s, "a", "end")}},
			cancel.Clocks{},
			"started text:a completed", "", s + transport.DefaultTailWait,
		},
		{
			"clocks that are off",
			timeline{head: time.Hour, pieces: []piece{text(time.Hour, "a"), text(time.Hour, "done")}},
			cancel.Clocks{Call: -1, FirstToken: -1, Idle: -1},
			"started text:a completed", "", 3*time.Hour + drained,
		},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				ctx, watch := cancel.Start(t.Context(), c.clocks)
				defer watch.Stop()
				all := play(open(ctx, c.line, nil))
				assert.Equal(t, c.want, kinds(all))
				assert.Equal(t, c.at, time.Since(begin))
				f := failure(all)
				assert.Equal(t, c.reason, f.Reason)
				if c.reason != "" && c.reason != events.ReasonProtocolViolation {
					assert.Equal(t, events.TimedOut, f.Kind)
					assert.ErrorIs(t, f, cancel.Reason(c.reason), "the cause is kept")
					assert.ErrorIs(t, f, context.DeadlineExceeded)
					assert.True(t, f.Retryable())
				}
			})
		})
	}
}

// drained is how long the end of a held body is waited for.
const drained = 50 * time.Millisecond

func TestClocksStandStillWhileTheConsumerWorks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		line := timeline{pieces: []piece{text(time.Second, "a"), text(time.Second, "b", "done")}}
		var all []events.Event
		for ev := range open(t.Context(), line, nil) {
			all = append(all, ev)
			time.Sleep(time.Hour) // a tool runs in the loop body; virtual time
		}
		assert.Equal(t, "started text:a text:b completed", kinds(all))
	})
}

func TestTheUsersOwnDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		all := play(open(ctx, timeline{pieces: []piece{text(time.Second, "a")}}, nil))
		f := failure(all)
		assert.Equal(t, events.TimedOut, f.Kind)
		assert.Equal(t, events.ReasonDeadline, f.Reason)
		assert.ErrorIs(t, f, context.DeadlineExceeded)
		assert.False(t, f.Retryable(), "the user wanted no more")
	})
}

func TestACauseOfTheUsersOwnIsKept(t *testing.T) {
	t.Parallel()
	mine := errors.New("mine")
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(5*time.Second, func() { stop(mine) })
		f := failure(play(open(ctx, timeline{head: time.Hour}, nil)))
		assert.Equal(t, events.Cancelled, f.Kind)
		assert.ErrorIs(t, f, mine)
		assert.Equal(t, events.MaybeSent, f.Sent, "this round tripper fires no hook")
	})
}

func TestOneWatchForManyCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, watch := cancel.Start(t.Context(), cancel.Clocks{Idle: 20 * time.Second})
		defer watch.Stop()
		for range 3 {
			line := timeline{head: 10 * time.Second, pieces: []piece{text(time.Second, "a"), text(10*time.Second, "end")}}
			assert.Equal(t, "started text:a completed", kinds(play(open(ctx, line, nil))))
		}
		f := failure(play(open(ctx, timeline{pieces: []piece{text(time.Second, "a")}}, nil)))
		assert.Equal(t, events.ReasonIdle, f.Reason, "a clock of one call ends that call")
		assert.NoError(t, ctx.Err())
	})
}

func TestClocksOfTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := cancel.WithClocks(t.Context(), cancel.Clocks{FirstToken: 5 * time.Second})
		begin := time.Now()
		f := failure(play(open(ctx, timeline{head: time.Hour}, nil)))
		assert.Equal(t, events.ReasonFirstToken, f.Reason)
		assert.Equal(t, 5*time.Second, time.Since(begin))
	})
}
