package geminiwire_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
)

func told(code, status, details string) string {
	return `{"error":{"code":` + code + `,"message":"no","status":"` + status + `","details":[` + details + `]}}`
}

func info(reason string) string {
	return `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"` + reason + `"}`
}

func quota(id string) string {
	return `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"` + id + `"}]}`
}

func wait(delay string) string {
	return `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"` + delay + `"}`
}

func TestFailureOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		status int
		body   string
		kind   events.FailureKind
		reason events.Reason
		code   string
		wait   time.Duration
	}{
		{"a bad request", 400, told("400", "INVALID_ARGUMENT", ""), events.Rejected, events.ReasonBadRequest, "INVALID_ARGUMENT", 0},
		{"a wrong key, which has status 400 too", 400, told("400", "INVALID_ARGUMENT", info("API_KEY_INVALID")), events.Rejected, events.ReasonAuth, "INVALID_ARGUMENT", 0},
		{"no token", 401, told("401", "UNAUTHENTICATED", info("ACCESS_TOKEN_EXPIRED")), events.Rejected, events.ReasonAuth, "UNAUTHENTICATED", 0},
		{"an API that is not enabled", 403, told("403", "PERMISSION_DENIED", info("SERVICE_DISABLED")), events.Rejected, events.ReasonPermission, "PERMISSION_DENIED", 0},
		{"a project without billing", 403, told("403", "PERMISSION_DENIED", info("BILLING_DISABLED")), events.Rejected, events.ReasonBilling, "PERMISSION_DENIED", 0},
		{"no such model", 404, told("404", "NOT_FOUND", ""), events.Rejected, events.ReasonNotFound, "NOT_FOUND", 0},
		{"a limit by the minute", 429, told("429", "RESOURCE_EXHAUSTED", quota("GenerateRequestsPerMinutePerProjectPerModel")+","+wait("34.4s")), events.RateLimited, events.ReasonRateLimit, "RESOURCE_EXHAUSTED", 34400 * time.Millisecond},
		{"a quota by the day", 429, told("429", "RESOURCE_EXHAUSTED", quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier")+","+wait("39600s")), events.Rejected, events.ReasonQuota, "RESOURCE_EXHAUSTED", 11 * time.Hour},
		{"both at once", 429, told("429", "RESOURCE_EXHAUSTED", quota("PerMinute")+","+quota("RequestsPerDay")), events.Rejected, events.ReasonQuota, "RESOURCE_EXHAUSTED", 0},
		{"a delay that cannot be read", 429, told("429", "RESOURCE_EXHAUSTED", wait("soon")), events.RateLimited, events.ReasonRateLimit, "RESOURCE_EXHAUSTED", 0},
		{"a delay of another unit", 429, told("429", "RESOURCE_EXHAUSTED", wait("3m0s")), events.RateLimited, events.ReasonRateLimit, "RESOURCE_EXHAUSTED", 0},
		{"a negative delay", 429, told("429", "RESOURCE_EXHAUSTED", wait("-3s")), events.RateLimited, events.ReasonRateLimit, "RESOURCE_EXHAUSTED", 0},
		{"a fault of the server's", 500, told("500", "INTERNAL", ""), events.Overloaded, events.ReasonServer, "INTERNAL", 0},
		{"too much load", 503, told("503", "UNAVAILABLE", ""), events.Overloaded, events.ReasonOverloaded, "UNAVAILABLE", 0},
		{"too slow", 504, told("504", "DEADLINE_EXCEEDED", ""), events.TimedOut, events.ReasonHTTP, "DEADLINE_EXCEEDED", 0},
		{"a list, without alt=sse", 404, "[" + told("404", "NOT_FOUND", "") + "]", events.Rejected, events.ReasonNotFound, "NOT_FOUND", 0},
		{"a status that nobody knows", 418, told("418", "TEAPOT", ""), events.Rejected, events.ReasonBadRequest, "TEAPOT", 0},
		{"no status, and a code", 429, `{"error":{"code":429,"message":"no"}}`, events.RateLimited, events.ReasonRateLimit, "429", 0},
		{"an error as text", 502, `{"error":"no"}`, events.Overloaded, events.ReasonServer, "", 0},
		{"a page", 502, `<html>`, events.Overloaded, events.ReasonServer, "", 0},
		{"status 200 and an error", 200, told("503", "UNAVAILABLE", ""), events.Overloaded, events.ReasonOverloaded, "UNAVAILABLE", 0},
		{"status 200, an error and no status", 200, `{"error":{"code":401,"message":"no"}}`, events.Rejected, events.ReasonAuth, "401", 0},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			f := geminiwire.FailureOf(c.status, http.Header{}, []byte(c.body))
			require.NotNil(t, f)
			assert.Equal(t, c.kind, f.Kind)
			assert.Equal(t, c.reason, f.Reason)
			assert.Equal(t, c.code, f.ProviderCode)
			assert.Equal(t, c.wait, f.RetryAfter)
			assert.Equal(t, c.status, f.Status)
			assert.NotEmpty(t, f.Detail)
		})
	}
	for _, body := range []string{`{"candidates":[]}`, `{"error":null}`, `{"error":7}`, "", "x"} {
		assert.Nil(t, geminiwire.FailureOf(200, http.Header{}, []byte(body)), body)
	}
}

// A header's wait is the transport's, and comes before that of the body.
func TestWaitOfTheHeader(t *testing.T) {
	t.Parallel()
	answer := &canned.Transport{
		Status: 429, Header: http.Header{"Content-Type": {"application/json"}, "Retry-After": {"7"}},
		Body: []byte(told("429", "RESOURCE_EXHAUSTED", wait("3s"))),
	}
	f, ok := terminal(t, play(t, answer, minting())).Failure()
	require.True(t, ok)
	assert.Equal(t, 7*time.Second, f.RetryAfter)
	answer.Header.Del("Retry-After")
	f, _ = terminal(t, play(t, answer, minting())).Failure()
	assert.Equal(t, 3*time.Second, f.RetryAfter)
}
