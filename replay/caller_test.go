package replay_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/replay"
)

// metered is what a caller makes of a call, without the times of it.
type metered struct {
	Text, Error string
	Usage       events.Usage
	Cost        events.Micros
	Sums        []any
	Attempts    []any
}

func meter(t *testing.T, m providers.Model, leave bool) metered {
	t.Helper()
	c := caller.New(m, caller.Config{
		Prices:     price.Table{"openai:m": {Input: price.PerMillion(1_000_000), Output: price.PerMillion(2_000_000)}},
		MaxRetries: 2, Backoff: -1,
	})
	call := c.Stream(context.Background(), ask("hi"))
	for _, err := range call.Text() {
		if leave || err != nil {
			break
		}
	}
	result, err := call.Result()
	got := metered{
		Text: result.Reply.Text(), Usage: result.Usage, Cost: result.Cost,
		Sums: []any{result.Status, result.Certainty, result.CostCertainty, result.Reply.Outcome()},
	}
	if err != nil {
		got.Error = err.Error()
	}
	for _, a := range result.Attempts {
		s := a.Settlement
		failure := ""
		if a.Failure != nil {
			failure = string(events.AppendFailureJSON(nil, a.Failure))
		}
		got.Attempts = append(got.Attempts, []any{a.Model, a.Answered, s.Status, s.Usage, s.Certainty, s.Cost, s.CostCertainty, failure})
	}
	return got
}

// TestACallerChargesAndRetriesTheSame over a recording as over the network.
func TestACallerChargesAndRetriesTheSame(t *testing.T) {
	t.Parallel()
	good := body("text/event-stream", whole("hello there"))
	slow := status(429, `{"error":{"code":"rate_limit_exceeded","message":"slow"}}`, "Retry-After-Ms", "1")
	for _, c := range []struct {
		why      string
		answers  []http.HandlerFunc
		leave    bool
		attempts int
	}{
		{"good", []http.HandlerFunc{good}, false, 1},
		{"without usage", []http.HandlerFunc{body("text/event-stream", sse(textChunk("hi"), chunk("{}", `"stop"`), "[DONE]"))}, false, 1},
		{"after two waits", []http.HandlerFunc{slow, slow, good}, false, 3},
		{"told not to retry", []http.HandlerFunc{status(500, `{}`, "X-Should-Retry", "false"), good}, false, 1},
		{"cut before anything was delivered", []http.HandlerFunc{cut(""), good}, false, 2},
		{"cut in the middle", []http.HandlerFunc{cut(sse(textChunk("hel"))), good}, false, 1},
		{"no key", []http.HandlerFunc{status(401, `{"error":{"message":"no"}}`)}, false, 1},
		{"left", []http.HandlerFunc{good}, true, 1},
	} {
		server := answers(t, c.answers...)
		dir := t.TempDir()
		r := &replay.Recorder{Inner: openaiAt(t, server.URL), Dir: dir}
		live := meter(t, r, c.leave)
		require.NoError(t, r.Err(), c.why)
		server.Close()
		plain := meter(t, openaiAt(t, answers(t, c.answers...).URL), c.leave)
		assert.Equal(t, plain, live, "recording costs nothing: "+c.why)
		p := &replay.Replayer{ModelName: "openai:m", Dir: dir}
		assert.Equal(t, live, meter(t, p, c.leave), c.why)
		assert.Len(t, live.Attempts, c.attempts, c.why)
		unused, err := p.Unused()
		require.NoError(t, err, c.why)
		assert.Empty(t, unused, c.why)
	}
}

// TestACallerDoesNotRetryAMiss, nor charge it.
func TestACallerDoesNotRetryAMiss(t *testing.T) {
	t.Parallel()
	for _, m := range []providers.Model{&replay.Replayer{ModelName: "openai:m", Dir: t.TempDir()}, &replay.Scripted{ModelName: "openai:m"}} {
		c := caller.New(m, caller.Config{MaxRetries: 3, Backoff: -1})
		result, err := c.Generate(context.Background(), ask("hi"))
		assert.ErrorIs(t, err, replay.ErrNotRecorded)
		require.Len(t, result.Attempts, 1)
		assert.Equal(t, events.Micros(0), result.Cost)
		assert.Equal(t, int64(0), result.Usage.Input.Or(0))
	}
}

// TestACallerOverARecorderThatCannotWrite charges what it would have.
func TestACallerOverARecorderThatCannotWrite(t *testing.T) {
	t.Parallel()
	good := body("text/event-stream", whole("hello there"))
	want := meter(t, openaiAt(t, answers(t, good).URL), false)
	r := &replay.Recorder{Inner: openaiAt(t, answers(t, good).URL)}
	assert.Equal(t, want, meter(t, r, false))
	assert.Error(t, r.Err())
}
