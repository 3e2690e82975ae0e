package ledger_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func TestExceeded(t *testing.T) {
	t.Parallel()
	rows := []struct {
		e      ledger.Exceeded
		reason events.Reason
		says   []string // for people: what it has to name
	}{
		{ledger.Exceeded{Limit: ledger.LimitCalls, Value: 7, Max: 7}, events.ReasonLimitCalls, []string{"calls", "7"}},
		{ledger.Exceeded{Limit: ledger.LimitTokens, Value: 11, Max: 10}, events.ReasonLimitTokens, []string{"tokens", "11", "10"}},
		{ledger.Exceeded{Limit: ledger.LimitCost, Value: 1_500_000, Max: 1_000_000}, events.ReasonLimitCost, []string{"cost", "$1.500000", "$1.000000"}},
		{ledger.Exceeded{Limit: ledger.LimitElapsed, Value: int64(time.Minute), Max: int64(time.Second)}, events.ReasonLimitElapsed, []string{"elapsed", "1s"}},
		{ledger.Exceeded{Limit: ledger.LimitActive, Value: int64(time.Minute), Max: int64(time.Second)}, events.ReasonLimitElapsed, []string{"active", "1s"}},
		{ledger.Exceeded{Limit: ledger.LimitToolCalls, Value: 3, Max: 3}, events.ReasonLimitTools, []string{"tool calls", "3"}},
		{ledger.Exceeded{Limit: ledger.LimitCost, Unknown: true, Unpriced: true}, events.ReasonUnpriced, []string{"price"}},
		{ledger.Exceeded{Limit: ledger.LimitCost, Unknown: true}, events.ReasonLimitCost, []string{"no cap"}},
		{ledger.Exceeded{Limit: ledger.LimitTokens, Unknown: true, Closed: true}, events.ReasonLimitTokens, []string{"earlier attempt"}},
	}
	for _, row := range rows {
		row.e.Run = "nightly"
		requireFailure(t, &row.e, events.LimitReached, row.reason)
		f, _ := events.AsFailure(&row.e)
		assert.False(t, f.Retryable())
		for _, word := range append(row.says, `"nightly"`) {
			assert.Contains(t, row.e.Error(), word)
		}
	}
	long := ledger.Exceeded{Run: strings.Repeat("x", ledger.MaxName), Limit: ledger.LimitCalls}
	assert.Less(t, len(long.Error()), 200)
}

func TestStopped(t *testing.T) {
	t.Parallel()
	require.NoError(t, ledger.Stopped(t.Context()))
	ctx, stop := context.WithCancelCause(t.Context())
	stop(context.DeadlineExceeded)
	err := ledger.Stopped(ctx)
	requireFailure(t, err, events.LimitReached, events.ReasonLedgerUnavailable)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestFailuresOfStores(t *testing.T) {
	t.Parallel()
	requireFailure(t, ledger.NotFound("run", "r"), events.InvalidRequest, events.ReasonBadParameter)
	requireFailure(t, ledger.Unavailable("gone"), events.LimitReached, events.ReasonLedgerUnavailable)
}

func TestMayPass(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why             string
		value, reserved int64
		want            bool
	}{
		{"all of it is spent", 110, 0, false},
		{"what others reserved is in the way", 110, 10, true},
		{"it would not fit without them either", 120, 10, false},
	} {
		e := ledger.Exceeded{Limit: ledger.LimitCost, Value: tt.value, Max: 100, Reserved: tt.reserved}
		assert.Equal(t, tt.want, e.MayPass(), tt.why)
	}
}

func TestNegativeLimitsAreNamed(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]ledger.Limits{
		"max_calls": {MaxCalls: -1}, "max_output_tokens_per_call": {MaxOutputTokensPerCall: -1}, "max_total_tokens": {MaxTotalTokens: -1},
		"max_cost": {MaxCost: -1}, "max_elapsed": {MaxElapsed: -1}, "max_active": {MaxActive: -1}, "max_tool_calls": {MaxToolCalls: -1},
	} {
		err := ledger.RunSpec{ID: "r", Limits: limits}.Check()
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
		assert.Contains(t, err.Error(), name)
	}
}
