package events_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// reasons lists every reason with the kinds that it comes with. True: another
// attempt may succeed.
func reasons() map[events.FailureKind]map[events.Reason]bool {
	return map[events.FailureKind]map[events.Reason]bool{
		events.Unreachable: {events.ReasonConnect: true, events.ReasonDNS: true, events.ReasonTLS: true},
		events.TimedOut: {
			events.ReasonDeadline: true, events.ReasonFirstToken: true, events.ReasonIdle: true, events.ReasonStall: true, events.ReasonHTTP: true,
		},
		events.RateLimited: {events.ReasonRateLimit: true},
		events.Overloaded:  {events.ReasonOverloaded: true, events.ReasonServer: true},
		events.Rejected: {
			events.ReasonAuth: false, events.ReasonPermission: false, events.ReasonQuota: false, events.ReasonBilling: false, events.ReasonNotFound: false,
			events.ReasonContextOverflow: false, events.ReasonContentBlocked: false, events.ReasonUnsupported: false, events.ReasonTooLarge: false,
			events.ReasonBadRequest: false, events.ReasonRedirect: false,
		},
		events.InvalidRequest: {
			events.ReasonStreamUsed: false, events.ReasonForeignData: false, events.ReasonSchemaUnsupported: false, events.ReasonBadHistory: false,
			events.ReasonBadTool: false, events.ReasonBadParameter: false, events.ReasonBadConfig: false,
		},
		events.InvalidReply: {
			events.ReasonTruncated: true, events.ReasonLostConnection: true, events.ReasonMalformed: true, events.ReasonBadToolCall: true,
			events.ReasonProtocolViolation: false, events.ReasonBadContent: false, events.ReasonTooLarge: false, events.ReasonUnusableUsage: false,
			events.ReasonBadToolArguments: false, events.ReasonAnswerInvalid: false,
		},
		events.Cancelled: {
			events.ReasonUser: false, events.ReasonSuperseded: false, events.ReasonShutdown: false, events.ReasonAbandoned: false, events.ReasonConsumerPanic: false,
		},
		events.LimitReached: {
			events.ReasonLimitCalls: false, events.ReasonLimitTokens: false, events.ReasonLimitCost: false, events.ReasonLimitElapsed: false,
			events.ReasonLimitTools: false, events.ReasonLeaseLost: false, events.ReasonUnpriced: false, events.ReasonLedgerUnavailable: false,
		},
		events.Crashed: {},
		events.Other:   {events.ReasonNotRecorded: false},
	}
}

func TestRetryable(t *testing.T) {
	t.Parallel()
	// What a kind says without a reason, and whether the provider's advice to
	// try again counts.
	bare := map[events.FailureKind]bool{events.Unreachable: true, events.TimedOut: true, events.RateLimited: true, events.Overloaded: true}
	yes, no := true, false
	for kind, byReason := range reasons() {
		byReason[""] = bare[kind]
		byReason["a reason of tomorrow"] = bare[kind]
		for reason, want := range byReason {
			f := &events.Failure{Kind: kind, Reason: reason, Detail: "please retry", Status: 503, RetryAfter: time.Second}
			assert.Equal(t, want, f.Retryable(), "%s/%s", kind, reason)
			f.ShouldRetry = &no
			assert.False(t, f.Retryable(), "%s/%s, advised against", kind, reason)
			f.ShouldRetry = &yes
			assert.Equal(t, want || kind == events.Rejected, f.Retryable(), "%s/%s, advised", kind, reason)
		}
	}
	assert.False(t, (&events.Failure{Kind: "a kind of tomorrow"}).Retryable())
}

func TestFailureIs(t *testing.T) {
	t.Parallel()
	f := events.NewFailure(events.Rejected, events.ReasonAuth, "no")
	for _, tt := range []struct {
		why    string
		target error
		want   bool
	}{
		{"the kind", &events.Failure{Kind: events.Rejected}, true},
		{"kind and reason", &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth}, true},
		{"itself", f, true},
		{"another kind", &events.Failure{Kind: events.Other}, false},
		{"another reason", &events.Failure{Kind: events.Rejected, Reason: events.ReasonQuota}, false},
		{"a reason alone", &events.Failure{Reason: events.ReasonAuth}, false},
		{"the zero failure", &events.Failure{}, false},
		{"another failure, full", events.NewFailure(events.Rejected, events.ReasonAuth, "no"), false},
		{"one with usage", &events.Failure{Kind: events.Rejected, Usage: events.Usage{Input: events.Known(1)}}, false},
		{"one with a cause", (&events.Failure{Kind: events.Rejected}).WithCause(context.Canceled), false},
		{"another error", context.Canceled, false},
	} {
		assert.Equal(t, tt.want, errors.Is(f, tt.target), tt.why)
		assert.Equal(t, tt.want, errors.Is(fmt.Errorf("call: %w", f), tt.target), "%s, wrapped", tt.why)
	}
}

func TestFailureCause(t *testing.T) {
	t.Parallel()
	f := events.NewFailure(events.Cancelled, events.ReasonUser, "")
	with := f.WithCause(context.Canceled)
	require.ErrorIs(t, with, context.Canceled)
	require.ErrorIs(t, with, &events.Failure{Kind: events.Cancelled})
	assert.NotErrorIs(t, f, context.Canceled, "a copy has it")
	require.NoError(t, f.Unwrap())
	assert.NotContains(t, with.Error(), context.Canceled.Error(), "a cause is not printed")
}

func TestAsFailure(t *testing.T) {
	t.Parallel()
	f := events.NewFailure(events.Other, "", "")
	got, ok := events.AsFailure(fmt.Errorf("a: %w", fmt.Errorf("b: %w", f)))
	assert.True(t, ok)
	assert.Same(t, f, got)
	for _, err := range []error{nil, context.Canceled} {
		got, ok = events.AsFailure(err)
		assert.False(t, ok)
		assert.Nil(t, got)
	}
}

func TestFailureError(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]*events.Failure{
		"other":               {Kind: events.Other},
		"rejected/auth":       {Kind: events.Rejected, Reason: events.ReasonAuth},
		"rejected/auth: no":   {Kind: events.Rejected, Reason: events.ReasonAuth, Detail: "no"},
		"overloaded (openai)": {Kind: events.Overloaded, Provider: "openai", RetryAfter: -1},
		"rate_limited: slow (openai, HTTP 429, code, retry after 2s)": {
			Kind: events.RateLimited, Detail: "slow", Provider: "openai", Status: 429, ProviderCode: "code", RetryAfter: 2 * time.Second,
		},
		"other: two lines (a b)": {Kind: events.Other, Detail: "two\nlines", Provider: "a\r\x1b[1mb"},
	} {
		assert.Equal(t, want, f.Error())
		assert.False(t, strings.ContainsAny(f.Error(), "\n\r\x1b"))
	}
}
