package caller_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
)

func broken() play {
	f := events.NewFailure(events.InvalidReply, events.ReasonTruncated, "")
	f.Sent = events.Answered
	return of(started, events.NewUsageUpdated(events.Usage{Input: events.Known(10)}), events.NewFailed(f))
}

func brokenLate() play {
	f := events.NewFailure(events.InvalidReply, events.ReasonTruncated, "")
	f.Sent = events.Answered
	return of(started, events.NewTextDelta(0, "hel"), events.NewFailed(f))
}

func TestWhatIsRetried(t *testing.T) {
	t.Parallel()
	good := says("hello", 10, 5)
	no := func(f *events.Failure) { f.ShouldRetry = new(false) }
	for _, tt := range []struct {
		why      string
		first    play
		generate int // attempts by Generate, with 3 retries
		stream   int // by Stream
	}{
		{"a rate limit", fails(events.RateLimited, events.ReasonRateLimit, status(429)), 2, 2},
		{"an overload", fails(events.Overloaded, events.ReasonServer, status(503)), 2, 2},
		{"no connection", fails(events.Unreachable, events.ReasonConnect), 2, 2},
		{"a silent provider", fails(events.TimedOut, events.ReasonFirstToken), 2, 2},
		{"a body that ended too early, nothing delivered", broken(), 2, 2},
		{"a body that ended after content: a stream has shown it", brokenLate(), 2, 1},
		{"a refusal of the request is what it is", fails(events.Rejected, events.ReasonBadRequest, status(400)), 1, 1},
		{"an empty account stays empty", fails(events.Rejected, events.ReasonQuota, status(429)), 1, 1},
		{"the provider says no", fails(events.Overloaded, events.ReasonServer, status(503), no), 1, 1},
		{"usage that nobody can use", fails(events.InvalidReply, events.ReasonUnusableUsage), 1, 1},
		{"a violation of the grammar", of(started, started), 1, 1},
		{"a stream without a terminal is one", of(started), 1, 1},
		{"a request that does not fit", fails(events.InvalidRequest, events.ReasonBadParameter), 1, 1},
		{"the clock of the whole call: no time is left", fails(events.TimedOut, events.ReasonDeadline), 1, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			config := caller.Config{MaxRetries: 3, Prices: prices(), Ledger: memory.New(memory.Options{})}
			model := newScript(tt.first, good)
			result, err := caller.New(model, config).Generate(t.Context(), ask("hi"))
			assert.Len(t, model.seen(), tt.generate, tt.why)
			assert.Len(t, result.Attempts, tt.generate, tt.why)
			assert.Equal(t, tt.generate == 2, err == nil, tt.why)

			model = newScript(tt.first, good)
			call := caller.New(model, config).Stream(t.Context(), ask("hi"))
			evs := collect(call.Events())
			assert.Len(t, model.seen(), tt.stream, tt.why)
			assert.Equal(t, 1, countOf(evs, events.Started), "%s: one Started for the consumer", tt.why)
			assert.Equal(t, tt.stream-1, countOf(evs, events.Notice), "%s: a Notice for each dropped attempt", tt.why)
			_, err = call.Result()
			assert.Equal(t, tt.stream == 2, err == nil, tt.why)
		})
	}
}

func countOf(evs []events.Event, kind events.Kind) int {
	n := 0
	for _, ev := range evs {
		if ev.Kind == kind {
			n++
		}
	}
	return n
}

func TestEachAttemptIsBooked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		books := memory.New(memory.Options{})
		c := caller.New(newScript(fails(events.RateLimited, events.ReasonRateLimit, status(429)), broken(), says("hello", 10, 5)),
			caller.Config{MaxRetries: 2, Prices: prices(), Ledger: books})
		call := c.Stream(t.Context(), ask("hi"))
		evs := collect(call.Events())
		assert.Equal(t, []events.Kind{events.Started, events.Notice, events.Notice, events.TextDelta, events.Completed}, kinds(evs))
		n, _ := evs[1].Notice()
		assert.Equal(t, events.NoticeAttemptFailed, n.Code)
		result, err := call.Result()
		require.NoError(t, err)
		got := records(t, books)
		require.Len(t, got, 3)
		for i, want := range []charge.Status{charge.Error, charge.Ambiguous, charge.OK} {
			assert.Equal(t, want, got[i].Status())
			assert.Equal(t, i+1, got[i].Number)
			assert.Equal(t, got[0].Call, got[i].Call, "one call")
		}
		assert.Equal(t, events.InvalidReply, got[1].Settled.FailureKind)
		assert.Zero(t, got[0].Settled.Cost)
		estimate := got[1].Estimate
		assert.Equal(t, estimate.Input.Or(0)+2*100, int64(got[1].Settled.Cost), "the estimate: prompt and cap")
		assert.Equal(t, got[1].Settled.Cost+20, result.Cost, "the sum of all attempts")
		assert.Equal(t, charge.Estimated, result.Certainty, "no more certain than its least certain attempt")
		assert.Equal(t, events.Known(estimate.Input.Or(0)+10), result.Usage.Input)
		assert.Equal(t, charge.OK, result.Status)
		total, err := ledger.Total(books.Records(t.Context(), ledger.Filter{}))
		require.NoError(t, err)
		assert.Zero(t, total.Open)
	})
}

func TestUnavailable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := caller.New(newScript(fails(events.RateLimited, events.ReasonRateLimit, status(429), after(2*time.Second))), caller.Config{MaxRetries: 2})
		began := time.Now()
		result, err := c.Generate(t.Context(), ask("hi"))
		var u *caller.Unavailable
		require.ErrorAs(t, err, &u)
		assert.Equal(t, 3, u.Attempts)
		assert.Equal(t, 2*time.Second, u.Last.RetryAfter, "an outer layer can obey")
		assert.ErrorIs(t, err, &events.Failure{Kind: events.RateLimited, Reason: events.ReasonRateLimit})
		assert.GreaterOrEqual(t, time.Since(began), 4*time.Second, "never earlier than the provider asks")
		assert.Len(t, result.Attempts, 3)

		call := c.Stream(t.Context(), ask("hi"))
		evs := collect(call.Events())
		last := evs[len(evs)-1]
		f, ok := last.Failure()
		require.True(t, ok)
		assert.Equal(t, events.RateLimited, f.Kind)
		assert.ErrorAs(t, last.Err(), &u, "the stream's own failure tells it too")
	})
}

// waits returns how long it took from each attempt to the next.
func waits(t *testing.T, config caller.Config, failure play, ctx context.Context) ([]time.Duration, error) {
	t.Helper()
	var at []time.Time
	model := newScript(func(ctx context.Context, emit func(events.Event) bool) {
		at = append(at, time.Now())
		failure(ctx, emit)
	})
	_, err := caller.New(model, config).Generate(ctx, ask("hi"))
	var between []time.Duration
	for i := 1; i < len(at); i++ {
		between = append(between, at[i].Sub(at[i-1]))
	}
	return between, err
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	overload := fails(events.Overloaded, events.ReasonServer, status(503))
	synctest.Test(t, func(t *testing.T) {
		config := caller.Config{MaxRetries: 8, Seed: 7}
		got, _ := waits(t, config, overload, t.Context())
		require.Len(t, got, 8)
		most := time.Second
		jittered := false
		for i, wait := range got {
			assert.LessOrEqual(t, wait, most, "retry %d", i+1)
			jittered = jittered || wait != most && wait != 0
			most = min(2*most, 30*time.Second)
		}
		assert.True(t, jittered)
		assert.Greater(t, slices.Max(got), 8*time.Second, "it doubles")
		short := caller.Config{MaxRetries: 8, Seed: 7, Backoff: time.Minute, MaxBackoff: time.Second}
		bounded, _ := waits(t, short, overload, t.Context())
		assert.LessOrEqual(t, slices.Max(bounded), time.Second, "no longer than MaxBackoff, from the first on")
		again, _ := waits(t, config, overload, t.Context())
		assert.Equal(t, got, again, "a seed repeats the waits")
		config.Seed = 8
		other, _ := waits(t, config, overload, t.Context())
		assert.NotEqual(t, got, other)
		config.Seed = 0
		first, _ := waits(t, config, overload, t.Context())
		second, _ := waits(t, config, overload, t.Context())
		assert.NotEqual(t, first, second, "without a seed they are drawn")
		config.Backoff, config.MaxBackoff, config.MaxRetries = math.MaxInt64, math.MaxInt64, 1
		_, err := waits(t, config, overload, func() context.Context {
			ctx, stop := context.WithTimeout(t.Context(), time.Hour)
			t.Cleanup(stop)
			return ctx
		}())
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Overloaded}, "a wait beyond the deadline is not begun")
		config = caller.Config{MaxRetries: 8}
		config.Backoff = -1
		none, _ := waits(t, config, overload, t.Context())
		assert.Equal(t, make([]time.Duration, 8), none)
	})
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	limited := func(d time.Duration) play {
		return fails(events.RateLimited, events.ReasonRateLimit, status(429), after(d))
	}
	for _, tt := range []struct {
		why     string
		after   time.Duration
		timeout time.Duration
		limits  caller.Limits
		want    int // waits
	}{
		{"a minimum", 20 * time.Second, 0, caller.Limits{}, 2},
		{"the longest that is waited for", time.Minute, 0, caller.Limits{}, 2},
		{"longer: given up at once", time.Minute + 1, 0, caller.Limits{}, 0},
		{"longer than the context has", 20 * time.Second, 20 * time.Second, caller.Limits{}, 0},
		{"one fits, two do not", 20 * time.Second, 40 * time.Second, caller.Limits{}, 1},
		{"longer than the run has", 20 * time.Second, 0, caller.Limits{MaxElapsed: 20 * time.Second}, 0},
		{"one fits into the run", 20 * time.Second, 0, caller.Limits{MaxElapsed: 30 * time.Second}, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx := t.Context()
			if tt.timeout > 0 {
				var stop func()
				ctx, stop = context.WithTimeout(ctx, tt.timeout)
				defer stop()
			}
			books := memory.New(memory.Options{})
			run, err := caller.OpenRun(ctx, books, caller.RunConfig{ID: "r", Limits: tt.limits})
			require.NoError(t, err)
			began := time.Now()
			got, err := waits(t, caller.Config{MaxRetries: 2, Ledger: books}, limited(tt.after), caller.WithRun(ctx, run))
			assert.Len(t, got, tt.want, tt.why)
			for _, wait := range got {
				assert.GreaterOrEqual(t, wait, tt.after, tt.why)
			}
			assert.ErrorIs(t, err, &events.Failure{Kind: events.RateLimited}, "%s: the failure, not a deadline", tt.why)
			f, _ := events.AsFailure(err)
			assert.Equal(t, tt.after, f.RetryAfter, "%s: the delay is reported", tt.why)
			assert.Less(t, time.Since(began), time.Duration(tt.want)*tt.after+31*time.Second, "%s: no wait for nothing", tt.why)
		})
	}
}

func TestCancelledWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		scope := cancel.New(t.Context())
		defer scope.Close()
		model := newScript(fails(events.RateLimited, events.ReasonRateLimit, status(429), after(30*time.Second)))
		time.AfterFunc(100*time.Millisecond, func() { scope.Cancel(cancel.User) })
		began := time.Now()
		call := caller.New(model, caller.Config{MaxRetries: 5}).Stream(scope.Context(), ask("hi"))
		evs := collect(call.Events())
		assert.Equal(t, 100*time.Millisecond, time.Since(began))
		assert.Len(t, model.seen(), 1)
		err := evs[len(evs)-1].Err()
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser})
		assert.ErrorIs(t, err, cancel.User)
		var u *caller.Unavailable
		require.ErrorAs(t, err, &u, "and what it was waiting for")
		assert.Equal(t, events.RateLimited, u.Last.Kind)
		_, got := call.Result()
		assert.ErrorIs(t, got, &events.Failure{Kind: events.Cancelled})
	})
}

func TestFallback(t *testing.T) {
	t.Parallel()
	overload := fails(events.Overloaded, events.ReasonServer, status(503))
	quota := fails(events.Rejected, events.ReasonQuota, status(429))
	good := says("hello", 10, 5)
	onQuota := func(f *events.Failure) bool { return f.Reason == events.ReasonQuota }
	for _, tt := range []struct {
		why           string
		first, second play
		on            func(*events.Failure) bool
		one, two      int // attempts of each model, with one retry
		ok            bool
	}{
		{"after the retries of the first", overload, good, nil, 2, 1, true},
		{"the second has retries of its own", overload, overload, nil, 2, 2, false},
		{"not where another model would not help", quota, good, nil, 1, 0, false},
		{"unless it is configured", quota, good, onQuota, 1, 1, true},
		{"not after content", brokenLate(), good, nil, 1, 0, false},
		{"not when the call has no time left", fails(events.TimedOut, events.ReasonDeadline), good, nil, 1, 0, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			first, second := newScript(tt.first), newScript(tt.second)
			second.name = "other:n"
			books := memory.New(memory.Options{})
			c := caller.New(first, caller.Config{
				MaxRetries: 1, Ledger: books, Prices: prices(), FallbackOn: tt.on,
				Fallback: []providersModel{second},
			})
			call := c.Stream(t.Context(), ask("hi"))
			evs := collect(call.Events())
			assert.Equal(t, 1, countOf(evs, events.Started), tt.why)
			assert.Equal(t, tt.one+tt.two-1, countOf(evs, events.Notice), "%s: a Notice for each attempt before the last", tt.why)
			result, err := call.Result()
			assert.Equal(t, tt.ok, err == nil, tt.why)
			assert.Len(t, first.seen(), tt.one, tt.why)
			assert.Len(t, second.seen(), tt.two, tt.why)
			byModel, err := ledger.GroupBy(books.Records(t.Context(), ledger.Filter{}), ledger.ByModel)
			require.NoError(t, err)
			for _, g := range byModel {
				assert.Equal(t, map[string]int64{"test:m": int64(tt.one), "other:n": int64(tt.two)}[g.Name], g.Calls, "%s: each under its own name", tt.why)
			}
			if tt.ok {
				assert.Equal(t, "other:n", result.Model(), tt.why)
				assert.Equal(t, ledger.UnknownCost, result.CostCertainty, "%s: the second has no price", tt.why)
			}
			for _, req := range second.seen() {
				assert.Equal(t, foreignDrop, req.Foreign, "%s: the first one's data means nothing here", tt.why)
			}
		})
	}
}

func TestFallbackOfRefusedRequest(t *testing.T) {
	t.Parallel()
	first, second := newScript(says("never", 1, 1)), newScript(says("hello", 10, 5))
	first.spec.Tools, second.name = no, "other:n"
	c := caller.New(first, caller.Config{
		Fallback:   []providersModel{second},
		FallbackOn: func(f *events.Failure) bool { return f.Kind == events.InvalidRequest },
	})
	req := ask("hi")
	req.Tools = tools(t)
	result, err := c.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Empty(t, first.seen(), "what the model cannot do is not sent")
	assert.Len(t, result.Attempts, 1)
	assert.Empty(t, result.Reply.Notices(), "what was not made has not failed")
	_, err = caller.New(first, caller.Config{}).Generate(t.Context(), req)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest})
	var u *caller.Unavailable
	assert.NotErrorAs(t, err, &u, "nobody was asked")
}
