package caller_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
)

// A result is of the last attempt that was made: a retry that a limit refuses is none
// and takes nothing of it away.
func TestRefusedRetryKeepsTheReply(t *testing.T) {
	t.Parallel()
	for _, streaming := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			rt := &cannedTransport{exchanges: []cannedExchange{sseAnswer(chatText("Hel"))}}
			c := bugCaller(t, "openai", rt, nil)
			run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "run", Limits: caller.Limits{MaxCalls: 1}})
			require.NoError(t, err)
			result, err := callEither(caller.WithRun(t.Context(), run), c, streaming)
			want := &events.Failure{Kind: events.LimitReached, Reason: events.ReasonLimitCalls}
			if streaming { // it was delivered, so nothing is retried
				want = &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonTruncated}
			}
			require.ErrorIs(t, err, want)
			require.Len(t, result.Attempts, 1)
			assert.Equal(t, "Hel", result.Reply.Text())
			require.ErrorIs(t, result.Reply.Err(), want)
			assert.NotZero(t, result.Status)
		})
	}
}

// The time to the first content is that of the last attempt, and zero when none came.
func TestTimeToFirstContentOfTheLastAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		late := sseAnswer(chatText("Hel"))
		late.Writes = append(late.Writes, cannedWrite{Bytes: len(late.bytes), DelayMS: 10})
		rt := &cannedTransport{exchanges: []cannedExchange{late, sseAnswer("")}}
		result, err := callEither(t.Context(), bugCaller(t, "openai", rt, nil), false)
		require.Error(t, err)
		require.Len(t, result.Attempts, 3)
		assert.Empty(t, result.Reply.Text())
		assert.Zero(t, result.TimeToFirstContent)
	})
}
