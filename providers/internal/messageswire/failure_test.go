package messageswire_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
)

func envelope(kind string) string {
	return `{"type":"error","error":{"type":"` + kind + `","message":"why"},"request_id":"req_1"}`
}

const spendCap = `{"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}`

func TestFailureOf(t *testing.T) {
	t.Parallel()
	const html = "<html><body>Bad Gateway</body></html>"
	for _, c := range []struct {
		why    string
		status int
		body   string
		kind   events.FailureKind
		reason events.Reason
	}{
		{"documented type", 400, envelope("invalid_request_error"), events.Rejected, events.ReasonBadRequest},
		{"documented type", 401, envelope("authentication_error"), events.Rejected, events.ReasonAuth},
		{"documented type", 402, envelope("billing_error"), events.Rejected, events.ReasonBilling},
		{"documented type", 403, envelope("permission_error"), events.Rejected, events.ReasonPermission},
		{"documented type", 404, envelope("not_found_error"), events.Rejected, events.ReasonNotFound},
		{"documented type", 413, envelope("request_too_large"), events.Rejected, events.ReasonTooLarge},
		{"documented type", 429, envelope("rate_limit_error"), events.RateLimited, events.ReasonRateLimit},
		{"documented type", 500, envelope("api_error"), events.Overloaded, events.ReasonServer},
		{"documented type", 504, envelope("timeout_error"), events.TimedOut, events.ReasonHTTP},
		{"documented type", 529, envelope("overloaded_error"), events.Overloaded, events.ReasonOverloaded},
		{"documented type", 409, envelope("conflict_error"), events.Rejected, events.ReasonBadRequest},
		{"the type says more than a gateway's status", 502, envelope("conflict_error"), events.Rejected, events.ReasonBadRequest},
		{"the type says more than a gateway's status", 500, envelope("overloaded_error"), events.Overloaded, events.ReasonOverloaded},
		{"the generic type says less than a client error's status", 429, envelope("api_error"), events.RateLimited, events.ReasonRateLimit},
		{"an unknown type goes by the status", 403, envelope("new_error"), events.Rejected, events.ReasonPermission},
		{"an overlong prompt is told apart by text only, which is never matched", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 3 tokens > 2 maximum"}}`, events.Rejected, events.ReasonBadRequest},
		{"a spend cap has the type of a rate limit, and no wait helps", 429, spendCap, events.Rejected, events.ReasonQuota},
		{"another code leaves the type its word", 429, strings.Replace(spendCap, "enforced", "new", 1), events.RateLimited, events.ReasonRateLimit},
		{"no code at all", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"x","details":null}}`, events.RateLimited, events.ReasonRateLimit},
		{"no body", 401, "", events.Rejected, events.ReasonAuth},
		{"no body", 402, "", events.Rejected, events.ReasonBilling},
		{"no body", 404, "", events.Rejected, events.ReasonNotFound},
		{"no body", 408, "", events.TimedOut, events.ReasonHTTP},
		{"a proxy that refuses the size", 413, html, events.Rejected, events.ReasonTooLarge},
		{"another client error", 422, "", events.Rejected, events.ReasonBadRequest},
		{"no body", 429, "", events.RateLimited, events.ReasonRateLimit},
		{"a proxy's page", 502, html, events.Overloaded, events.ReasonServer},
		{"unavailable", 503, html, events.Overloaded, events.ReasonOverloaded},
		{"gateway timeout", 504, html, events.TimedOut, events.ReasonHTTP},
		{"Anthropic's own status", 529, "", events.Overloaded, events.ReasonOverloaded},
		{"an error in a 200", 200, envelope("overloaded_error"), events.Overloaded, events.ReasonOverloaded},
		{"an error in a 200 that has only a number", 200, `{"error":{"message":"x","code":404}}`, events.Rejected, events.ReasonNotFound},
		{"a bare string", 404, `{"error":"model 'x' not found"}`, events.Rejected, events.ReasonNotFound},
		{"a list around the envelope", 400, `[{"error":{"type":"permission_error","message":"x"}}]`, events.Rejected, events.ReasonPermission},
		{"an empty list", 400, `[]`, events.Rejected, events.ReasonBadRequest},
		{"the message beside the type", 400, `{"type":"error","message":"x"}`, events.Rejected, events.ReasonBadRequest},
		{"error is a number", 400, `{"error":5}`, events.Rejected, events.ReasonBadRequest},
	} {
		f := messageswire.FailureOf(c.status, http.Header{}, []byte(c.body))
		require.NotNil(t, f, "%d %s", c.status, c.body)
		assert.Equal(t, c.kind, f.Kind, "%s: %d %s", c.why, c.status, c.body)
		assert.Equal(t, c.reason, f.Reason, "%s: %d %s", c.why, c.status, c.body)
		assert.Equal(t, c.status, f.Status)
		assert.NotEmpty(t, f.Detail)
		assert.NotContains(t, f.Detail, "<html>", "a raw body is never told")
	}
}

func TestFailureOfNoError(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", `{}`, `{"type":"message","content":[]}`, `{"error":null}`, "<html>", `[]`, `7`} {
		assert.Nil(t, messageswire.FailureOf(200, http.Header{}, []byte(body)), body)
	}
}

func TestFailureOfSaysWhatIsKnown(t *testing.T) {
	t.Parallel()
	f := messageswire.FailureOf(429, http.Header{"Request-Id": {"req_2"}}, []byte(envelope("rate_limit_error")))
	assert.Equal(t, "why", f.Detail)
	assert.Equal(t, "rate_limit_error", f.ProviderCode)
	assert.Equal(t, "req_1", f.RequestID)
	f = messageswire.FailureOf(429, http.Header{}, []byte(spendCap))
	assert.Equal(t, "enforced_spend_limit_reached", f.ProviderCode, "the type would say a rate limit")
	f = messageswire.FailureOf(502, http.Header{"Request-Id": {"req_2"}}, nil)
	assert.Equal(t, "req_2", f.RequestID)
}
