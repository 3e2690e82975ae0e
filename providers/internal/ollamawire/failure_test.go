package ollamawire_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
)

func TestFailureOfCaptures(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/error/*.json")
	require.NoError(t, err)
	want := map[string]struct {
		kind   events.FailureKind
		reason events.Reason
		why    string
	}{
		"400-no-model":               {events.Rejected, events.ReasonBadRequest, "the client's mistake"},
		"400-think-level-high":       {events.Rejected, events.ReasonBadRequest, "the model takes no levels; no code says so"},
		"400-think-on-model-without": {events.Rejected, events.ReasonBadRequest, "the model cannot think; no code says so"},
		"400-top-logprobs-over":      {events.Rejected, events.ReasonBadRequest, "the client's mistake"},
		"400-wrong-type":             {events.Rejected, events.ReasonBadRequest, "the client's mistake"},
		"500-bad-option-type":        {events.Overloaded, events.ReasonServer, "a mistake of the client, but the status is the evidence"},
		"500-format-bad-ref":         {events.Overloaded, events.ReasonServer, "a mistake of the client, but the status is the evidence"},
		"500-format-invalid-array":   {events.Overloaded, events.ReasonServer, "a mistake of the client, but the status is the evidence"},
		"503-fault-queue-full-2":     {events.Overloaded, events.ReasonOverloaded, "the queue is full"},
		"503-fault-queue-full-3":     {events.Overloaded, events.ReasonOverloaded, "the queue is full"},
	}
	assert.Len(t, paths, len(want))
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile(path)
			require.NoError(t, err)
			w, ok := want[name]
			require.True(t, ok, "no expectation")
			f := ollamawire.FailureOf(statusOf(name), nil, body)
			assert.Equal(t, w.kind, f.Kind, w.why)
			assert.Equal(t, w.reason, f.Reason, w.why)
			assert.Equal(t, statusOf(name), f.Status)
			assert.NotContains(t, f.Detail, `{"error"`, "the text, not the raw body")
			assert.NotEmpty(t, f.Detail)
		})
	}
}

func statusOf(name string) int {
	return int(name[0]-'0')*100 + int(name[1]-'0')*10 + int(name[2]-'0')
}

func TestFailureOf(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct {
		why    string
		status int
		body   string
		kind   events.FailureKind
		reason events.Reason
		code   string
		detail string
	}{
		{"model is not there", 404, `{"error":"model 'm' not found"}`, events.Rejected, events.ReasonNotFound, "", "model 'm' not found"},
		{"hosted service without a key", 401, `{"error":"unauthorized","signin_url":"https://x"}`, events.Rejected, events.ReasonAuth, "", "unauthorized"},
		{"no subscription", 402, `{"error":"pay"}`, events.Rejected, events.ReasonBilling, "", "pay"},
		{"not allowed", 403, `{"error":"no"}`, events.Rejected, events.ReasonPermission, "", "no"},
		{"hosted service's limit", 429, `{"error":"too many requests"}`, events.RateLimited, events.ReasonRateLimit, "", "too many requests"},
		{"an error object of a proxy", 429, `{"error":{"message":"slow down","code":"rate"}}`, events.RateLimited, events.ReasonRateLimit, "rate", "slow down"},
		{"an error object with a type only", 500, `{"error":{"message":"m","type":"server_error"}}`, events.Overloaded, events.ReasonServer, "server_error", "m"},
		{"an error object that says nothing", 500, `{"error":{}}`, events.Overloaded, events.ReasonServer, "", "error without a message"},
		{"an error of another type", 400, `{"error":[1]}`, events.Rejected, events.ReasonBadRequest, "", "[1]"},
		{"a gateway in front", 502, "<html>\n<h1>502</h1>", events.Overloaded, events.ReasonServer, "", "an HTML or XML page, not an answer of the API"},
		{"a gateway's clock", 504, "upstream timed out\n", events.TimedOut, events.ReasonHTTP, "", "upstream timed out"},
		{"gin's own 404", 404, "404 page not found", events.Rejected, events.ReasonNotFound, "", "404 page not found"},
		{"nothing in the body", 503, "", events.Overloaded, events.ReasonOverloaded, "", "Service Unavailable"},
		{"an empty error", 500, `{"error":""}`, events.Overloaded, events.ReasonServer, "", `{"error":""}`},
		{"a list", 500, `[{"error":"x"}]`, events.Overloaded, events.ReasonServer, "", `[{"error":"x"}]`},
		{"bytes that are no text", 500, "\xff\x00\x1b[31mred", events.Overloaded, events.ReasonServer, "", "\uFFFDred"},
		{"a long text is cut", 500, long, events.Overloaded, events.ReasonServer, "", long[:256]},
		{"an error object on 200", 200, `{"error":"model runner stopped"}`, events.Overloaded, events.ReasonServer, "", "model runner stopped"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			f := ollamawire.FailureOf(c.status, nil, []byte(c.body))
			require.NotNil(t, f)
			assert.Equal(t, c.kind, f.Kind)
			assert.Equal(t, c.reason, f.Reason)
			assert.Equal(t, c.code, f.ProviderCode)
			assert.Equal(t, c.detail, f.Detail)
			assert.Empty(t, f.Feature, "no code of this protocol names what was refused")
		})
	}
}

func TestFailureOfWhatIsNone(t *testing.T) {
	t.Parallel()
	for _, body := range []string{``, `{}`, `{"error":null}`, `{"error":""}`, `{"message":{"content":"x"},"done":true}`, `<html>`, `[1]`} {
		assert.Nil(t, ollamawire.FailureOf(200, nil, []byte(body)), "of %q", body)
	}
}
