package coherewire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/coherewire"
)

func TestFailureOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		status int
		body   string
		kind   events.FailureKind
		reason events.Reason
		detail string
		code   string
	}{
		{"the documented shape", 400, `{"id":"r1","message":"invalid request"}`, events.Rejected, events.ReasonBadRequest, "invalid request", ""},
		{"a prompt that does not fit", 400, `{"error_type":"TOO_MANY_TOKENS","message":"too many"}`, events.Rejected, events.ReasonContextOverflow, "too many", "TOO_MANY_TOKENS"},
		{"a code that is not known leaves the status", 400, `{"error_type":"NEW","message":"x"}`, events.Rejected, events.ReasonBadRequest, "x", "NEW"},
		{"a code without a message", 400, `{"error_type":"NEW"}`, events.Rejected, events.ReasonBadRequest, "HTTP 400 Bad Request", "NEW"},
		{"a wrong key", 401, `{"message":"invalid api token"}`, events.Rejected, events.ReasonAuth, "invalid api token", ""},
		{"no payment method", 402, `{"message":"x"}`, events.Rejected, events.ReasonBilling, "x", ""},
		{"no right", 403, `{"message":"x"}`, events.Rejected, events.ReasonPermission, "x", ""},
		{"no such model", 404, `{"message":"x"}`, events.Rejected, events.ReasonNotFound, "x", ""},
		{"a field that is not known", 422, `{"message":"unknown field"}`, events.Rejected, events.ReasonBadRequest, "unknown field", ""},
		{"too many requests, or a trial key's month: told apart by words alone", 429, `{"message":"You are using a Trial key"}`, events.RateLimited, events.ReasonRateLimit, "You are using a Trial key", ""},
		{"an invalid token", 498, `{"message":"x"}`, events.Rejected, events.ReasonAuth, "x", ""},
		{"a request that was cancelled on its way", 499, `{"message":"x"}`, events.Overloaded, events.ReasonServer, "x", ""},
		{"a fault", 500, `{"message":"internal server error"}`, events.Overloaded, events.ReasonServer, "internal server error", ""},
		{"too much load", 503, `{"message":"x"}`, events.Overloaded, events.ReasonOverloaded, "x", ""},
		{"a gateway's clock", 504, `{"message":"x"}`, events.TimedOut, events.ReasonHTTP, "x", ""},
		{"an error object of another wire", 400, `{"error":{"message":"x"}}`, events.Rejected, events.ReasonBadRequest, "x", ""},
		{"an error that is a text", 400, `{"error":"x"}`, events.Rejected, events.ReasonBadRequest, "x", ""},
		{"an error that is none beside a message", 400, `{"error":null,"message":"x"}`, events.Rejected, events.ReasonBadRequest, "x", ""},
		{"no JSON", 502, `<html>`, events.Overloaded, events.ReasonServer, "HTTP 502 Bad Gateway", ""},
		{"nothing", 500, ``, events.Overloaded, events.ReasonServer, "HTTP 500 Internal Server Error", ""},
		{"a list", 400, `["x"]`, events.Rejected, events.ReasonBadRequest, "HTTP 400 Bad Request", ""},
		{"null", 400, `null`, events.Rejected, events.ReasonBadRequest, "HTTP 400 Bad Request", ""},
		{"an error instead of a stream", 200, `{"message":"x"}`, events.Overloaded, events.ReasonServer, "x", ""},
	} {
		f := coherewire.FailureOf(c.status, nil, []byte(c.body))
		require.NotNil(t, f, c.why)
		assert.Equal(t, c.kind, f.Kind, c.why)
		assert.Equal(t, c.reason, f.Reason, c.why)
		assert.Equal(t, c.detail, f.Detail, c.why)
		assert.Equal(t, c.code, f.ProviderCode, c.why)
	}
	assert.Equal(t, "r1", coherewire.FailureOf(400, nil, []byte(`{"id":"r1","message":"x"}`)).RequestID)
	for _, fine := range []string{`{}`, `{"id":"a","message":{"role":"assistant"},"finish_reason":"COMPLETE"}`, `{"error":null}`, ``} {
		assert.Nil(t, coherewire.FailureOf(200, nil, []byte(fine)), fine)
	}
}
