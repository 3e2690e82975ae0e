package chatwire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

func TestFailureOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		why     string
		status  int
		body    string
		kind    events.FailureKind
		reason  events.Reason
		code    string
		feature string
	}{
		{"a bad key", 401, `{"error":{"message":"no","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, events.Rejected, events.ReasonAuth, "invalid_api_key", ""},
		{"a bad key told as 400", 400, `{"code":"invalid_api_key","error":"no"}`, events.Rejected, events.ReasonAuth, "invalid_api_key", ""},
		{"no money", 402, `{"error":{"code":402,"message":"credits"}}`, events.Rejected, events.ReasonBilling, "402", ""},
		{"not allowed", 403, `{"error":{"code":"forbidden","message":"no"}}`, events.Rejected, events.ReasonPermission, "forbidden", ""},
		{"an unknown model", 404, `{"error":{"message":"no","code":"model_not_found"}}`, events.Rejected, events.ReasonNotFound, "model_not_found", ""},
		{"an unknown model, error as text", 404, `{"error":"Specified model not found"}`, events.Rejected, events.ReasonNotFound, "", ""},
		{"an unknown model, told as 400 (Mistral)", 400, `{"object":"error","message":"no","type":"invalid_model","param":null,"code":"1500"}`, events.Rejected, events.ReasonNotFound, "1500", ""},
		{"a 200 that names its status (Mistral)", 200, `{"object":"error","message":"slow","type":"rate_limited","param":null,"code":"1300","raw_status_code":429}`, events.RateLimited, events.ReasonRateLimit, "1300", ""},
		{"too long, by code", 400, `{"error":{"message":"long","type":"invalid_request_error","code":"context_length_exceeded"}}`, events.Rejected, events.ReasonContextOverflow, "context_length_exceeded", ""},
		{"too long, by type beside a numeric code", 400, `{"error":{"message":"long","type":"too_many_prompt_tokens","code":400}}`, events.Rejected, events.ReasonContextOverflow, "400", ""},
		{"too long, told by message alone, is not guessed", 400, `{"error":{"message":"maximum context length","code":"invalid_request_error"}}`, events.Rejected, events.ReasonBadRequest, "invalid_request_error", ""},
		{"a filter", 400, `{"error":{"message":"no","code":"content_filter","innererror":{}}}`, events.Rejected, events.ReasonContentBlocked, "content_filter", ""},
		{"quota is no rate limit", 429, `{"error":{"message":"q","type":"insufficient_quota","code":"insufficient_quota"}}`, events.Rejected, events.ReasonQuota, "insufficient_quota", ""},
		{"a rate limit", 429, `{"error":{"message":"slow","type":"requests","code":"rate_limit_exceeded"}}`, events.RateLimited, events.ReasonRateLimit, "rate_limit_exceeded", ""},
		{"a request above the limit stays too large", 413, `{"error":{"message":"big","code":"rate_limit_exceeded"}}`, events.Rejected, events.ReasonTooLarge, "rate_limit_exceeded", ""},
		{"a failed tool call of an HTTP error is a rejection", 400, `{"error":{"message":"t","code":"tool_use_failed"}}`, events.Rejected, events.ReasonBadRequest, "tool_use_failed", ""},
		{"the same inside a 200", 200, `{"error":{"message":"t","code":"tool_use_failed"}}`, events.InvalidReply, events.ReasonBadToolCall, "tool_use_failed", ""},
		{"flat, with a numeric code", 400, `{"code":400,"message":"no","type":"Bad Request"}`, events.Rejected, events.ReasonBadRequest, "400", ""},
		{"FastAPI", 422, `{"detail":"no"}`, events.Rejected, events.ReasonBadRequest, "", ""},
		{"timeout", 408, ``, events.TimedOut, events.ReasonHTTP, "", ""},
		{"gateway timeout", 504, `<html>`, events.TimedOut, events.ReasonHTTP, "", ""},
		{"a conflict", 409, `{}`, events.Rejected, events.ReasonBadRequest, "", ""},
		{"a server error", 500, `{"error":{"message":"x","type":"api_error"}}`, events.Overloaded, events.ReasonServer, "api_error", ""},
		{"a server error stays one, whatever the code", 500, `{"error":{"message":"x","code":"model_not_found"}}`, events.Overloaded, events.ReasonServer, "model_not_found", ""},
		{"of a rate limit only money makes a rejection", 429, `{"error":{"message":"x","code":"forbidden"}}`, events.RateLimited, events.ReasonRateLimit, "forbidden", ""},
		{"a full queue", 503, `{"error":{"message":"busy","type":"api_error","code":null}}`, events.Overloaded, events.ReasonOverloaded, "api_error", ""},
		{"overloaded", 529, ``, events.Overloaded, events.ReasonOverloaded, "", ""},
		{"a 200 with a rate limit inside", 200, `{"error":{"code":429,"message":"slow"}}`, events.RateLimited, events.ReasonRateLimit, "429", ""},
		{"a 200 with nothing but a text", 200, `{"error":"gone"}`, events.Overloaded, events.ReasonServer, "", ""},
		{"an upstream's type (OpenRouter)", 200, `{"error":{"code":999,"message":"m","metadata":{"error_type":"context_length_exceeded"}}}`, events.Rejected, events.ReasonContextOverflow, "999", ""},
		{"OpenRouter: a key", 200, openrouter("authentication"), events.Rejected, events.ReasonAuth, "999", ""},
		{"OpenRouter: not allowed", 200, openrouter("permission_denied"), events.Rejected, events.ReasonPermission, "999", ""},
		{"OpenRouter: no credits", 200, openrouter("payment_required"), events.Rejected, events.ReasonBilling, "999", ""},
		{"OpenRouter: no such model", 200, openrouter("not_found"), events.Rejected, events.ReasonNotFound, "999", ""},
		{"OpenRouter: too large", 200, openrouter("payload_too_large"), events.Rejected, events.ReasonTooLarge, "999", ""},
		{"OpenRouter: an upstream that is full", 200, openrouter("provider_overloaded"), events.Overloaded, events.ReasonOverloaded, "999", ""},
		{"OpenRouter: a type that is not in the table", 200, openrouter("provider_unavailable"), events.Overloaded, events.ReasonServer, "999", ""},
		{"OpenRouter: an upstream that is slow", 200, openrouter("timeout"), events.TimedOut, events.ReasonHTTP, "999", ""},
		{"a 200 that blames the request", 200, `{"error":{"message":"m","type":"invalid_request_error"}}`, events.Rejected, events.ReasonBadRequest, "invalid_request_error", ""},
		{"max_tokens", 400, unsupported("max_tokens"), events.Rejected, events.ReasonUnsupported, "unsupported_parameter", request.FeatureMaxTokensField},
		{"temperature", 400, `{"error":{"message":"x","param":"temperature","code":"unsupported_value"}}`, events.Rejected, events.ReasonUnsupported, "unsupported_value", request.FeatureTemperature},
		{"effort", 400, unsupported("reasoning_effort"), events.Rejected, events.ReasonUnsupported, "unsupported_parameter", request.FeatureEffort},
		{"tools", 400, unsupported("tools"), events.Rejected, events.ReasonUnsupported, "unsupported_parameter", request.FeatureTools},
		{"parallel", 400, unsupported("parallel_tool_calls"), events.Rejected, events.ReasonUnsupported, "unsupported_parameter", request.FeatureParallelTools},
		{"a search of another model", 400, unsupported("web_search_options"), events.Rejected, events.ReasonUnsupported, "unsupported_parameter", request.FeatureWebSearch},
		{"the cache", 400, unsupported("prompt_cache_retention"), events.Rejected, events.ReasonUnsupported, "unsupported_parameter", request.FeatureCache},
		{"answer", 400, unsupported("response_format"), events.Rejected, events.ReasonUnsupported, "unsupported_parameter", request.FeatureAnswerSchema},
		{"an answer that nobody knows of", 400, `{"error":{"message":"Unknown parameter: 'response_format'.","type":"invalid_request_error","param":"response_format","code":"unknown_parameter"}}`, events.Rejected, events.ReasonUnsupported, "unknown_parameter", request.FeatureAnswerSchema},
		{"an answer of a model that takes none (OpenAI)", 400, `{"error":{"message":"Invalid parameter","type":"invalid_request_error","param":"response_format","code":null}}`, events.Rejected, events.ReasonBadRequest, "invalid_request_error", request.FeatureAnswerSchema},
		{"an answer beside tools (Groq)", 400, `{"error":{"message":"json mode cannot be combined with tool/function calling","type":"invalid_request_error","param":"response_format"}}`, events.Rejected, events.ReasonBadRequest, "invalid_request_error", request.FeatureAnswerSchema},
		{"an answer (Vercel's gateway)", 400, `{"error":{"message":"Invalid input","param":"response_format","code":"invalid_request_error"}}`, events.Rejected, events.ReasonBadRequest, "invalid_request_error", request.FeatureAnswerSchema},
		{"an answer that only the message names (DeepSeek)", 400, `{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`, events.Rejected, events.ReasonBadRequest, "invalid_request_error", ""},
		{"a parameter without code or type", 400, `{"error":{"message":"x","param":"response_format"}}`, events.Rejected, events.ReasonBadRequest, "", ""},
		{"another parameter without a code", 400, `{"error":{"message":"x","type":"invalid_request_error","param":"temperature","code":null}}`, events.Rejected, events.ReasonBadRequest, "invalid_request_error", ""},
		{"an answer with a code of another kind", 400, `{"error":{"message":"x","type":"invalid_request_error","param":"response_format","code":"invalid_api_key"}}`, events.Rejected, events.ReasonAuth, "invalid_api_key", ""},
		{"stream options", 400, unsupported("stream_options"), events.Rejected, events.ReasonUnsupported, "unsupported_parameter", request.FeatureStreamOptions},
		{"another parameter", 400, unsupported("stop"), events.Rejected, events.ReasonUnsupported, "unsupported_parameter", ""},
		{"a parameter without the code says nothing exact", 400, `{"error":{"message":"x","param":"temperature","code":"invalid_value"}}`, events.Rejected, events.ReasonBadRequest, "invalid_value", ""},
	}
	for _, tt := range tests {
		f := chatwire.FailureOf(tt.status, nil, []byte(tt.body))
		require.NotNil(t, f, tt.why)
		assert.Equal(t, tt.kind, f.Kind, tt.why)
		assert.Equal(t, tt.reason, f.Reason, tt.why)
		assert.Equal(t, tt.code, f.ProviderCode, tt.why)
		assert.Equal(t, tt.feature, f.Feature, tt.why)
		assert.Equal(t, tt.status, f.Status, tt.why)
		assert.NotEmpty(t, f.Detail, tt.why)
	}
}

func openrouter(kind string) string {
	return `{"error":{"code":999,"message":"m","metadata":{"error_type":"` + kind + `"}}}`
}

func unsupported(param string) string {
	return `{"error":{"message":"no","type":"invalid_request_error","param":"` + param + `","code":"unsupported_parameter"}}`
}

func TestFailureOfNoError(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"id":"c1","choices":[{"message":{"content":"hi"}}]}`, `{}`, `[]`, `7`, ``, `<html>`, `{"error":null}`, `{"message":"hello"}`,
	} {
		assert.Nil(t, chatwire.FailureOf(200, nil, []byte(body)), body)
		assert.Nil(t, chatwire.FailureOf(302, nil, []byte(body)), body)
		assert.Nil(t, chatwire.FailureOf(600, nil, []byte(body)), body)
	}
}

// The error bodies of the reported bugs.
func TestFailureCases(t *testing.T) {
	t.Parallel()
	words := failures()
	words["invalid_request"] = events.Failure{Kind: events.Rejected, Reason: events.ReasonBadRequest}
	words["quota"] = events.Failure{Kind: events.Rejected, Reason: events.ReasonQuota}
	dirs, err := filepath.Glob("testdata/failure/*")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, dir := range dirs {
		var c struct {
			Status   int
			Reason   string
			Expected struct{ Terminal struct{ Kind string } }
		}
		text, err := os.ReadFile(filepath.Join(dir, "case.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &c))
		bodies, err := filepath.Glob(filepath.Join(dir, "body.*"))
		require.NoError(t, err)
		require.Len(t, bodies, 1, dir)
		body, err := os.ReadFile(bodies[0])
		require.NoError(t, err)
		f := chatwire.FailureOf(c.Status, nil, body)
		require.NotNil(t, f, c.Reason)
		want, ok := words[c.Expected.Terminal.Kind]
		require.True(t, ok, "unknown word %q", c.Expected.Terminal.Kind)
		assert.Equal(t, want.Kind, f.Kind, c.Reason)
		if c.Status != 503 { // any of overloaded's reasons
			assert.Equal(t, want.Reason, f.Reason, c.Reason)
		}
	}
}

// OpenRouter's own message says nothing of what an upstream sent.
func TestFailureOfTellsTheUpstream(t *testing.T) {
	t.Parallel()
	const key = "sk-canary-0123456789abcdef"
	told := func(metadata string) string {
		f := chatwire.FailureOf(429, nil, []byte(`{"error":{"code":429,"message":"Provider returned error","metadata":`+metadata+`}}`))
		assert.Equal(t, events.RateLimited, f.Kind)
		return f.Detail
	}
	for _, c := range []struct{ why, metadata, want string }{
		{"text", `{"provider_name":"Acme","raw":"model busy,\ntry later"}`, "Provider returned error: Acme: model busy, try later"},
		{"JSON", `{"provider_name":"Acme","raw":{"error":{"message":"busy"}}}`, `Provider returned error: Acme: {"error":{"message":"busy"}}`},
		{"JSON as text", `{"raw":"{\"detail\":\"busy\"}"}`, `Provider returned error: {"detail":"busy"}`},
		{"the name alone", `{"provider_name":"Acme","raw":""}`, "Provider returned error: Acme"},
		{"nothing", `{"raw":null}`, "Provider returned error"},
		{"no object", `7`, "Provider returned error"},
		{"a key in it", `{"raw":"bad key ` + key + `"}`, "Provider returned error: bad key [redacted]"},
	} {
		assert.Equal(t, c.want, told(c.metadata), c.why)
	}
	long := told(`{"provider_name":"` + strings.Repeat("n", 9000) + `","raw":"` + strings.Repeat("x", 9000) + `"}`)
	assert.Less(t, len(long), 640, "a body that an upstream sent is not repeated whole")
	assert.Greater(t, len(long), 500)
}
