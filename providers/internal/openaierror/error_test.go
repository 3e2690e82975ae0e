package openaierror_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
	"github.com/weirsdk/weir/request"
)

// The shapes and codes of Chat Completions are held by the tests of package chatwire,
// which reads every error through this one. These are of the Responses API.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, body string
		kind      events.FailureKind
		reason    events.Reason
		code      string
	}{
		{"the error of a failed response", `{"error":{"code":"server_error","message":"m"}}`, events.Overloaded, events.ReasonServer, "server_error"},
		{"an error event, flat", `{"type":"error","code":"rate_limit_exceeded","message":"m","param":null}`, events.RateLimited, events.ReasonRateLimit, "rate_limit_exceeded"},
		{"no capacity", `{"error":{"code":"server_is_overloaded","message":"m"}}`, events.Overloaded, events.ReasonOverloaded, "server_is_overloaded"},
		{"no capacity, told as a wish", `{"error":{"code":"slow_down","message":"m"}}`, events.Overloaded, events.ReasonOverloaded, "slow_down"},
		{"a prompt that is refused", `{"error":{"code":"invalid_prompt","message":"m"}}`, events.Rejected, events.ReasonBadRequest, "invalid_prompt"},
		{"an image that is refused for what it shows", `{"error":{"code":"image_content_policy_violation","message":"m"}}`, events.Rejected, events.ReasonContentBlocked, "image_content_policy_violation"},
		{"an image above the size", `{"error":{"code":"image_file_too_large","message":"m"}}`, events.Rejected, events.ReasonTooLarge, "image_file_too_large"},
		{"a store that answers late", `{"error":{"code":"vector_store_timeout","message":"m"}}`, events.TimedOut, events.ReasonHTTP, "vector_store_timeout"},
		{"a type beside the error, which its code hides", `{"error":{"code":"server_error","message":"m"},"error_type":"authentication"}`, events.Rejected, events.ReasonAuth, "server_error"},
		{"a type beside the error that is not known", `{"error":{"code":"invalid_prompt","message":"m"},"error_type":"new"}`, events.Rejected, events.ReasonBadRequest, "invalid_prompt"},
		{"a policy", `{"error":{"code":"bio_policy","message":"m"}}`, events.Rejected, events.ReasonContentBlocked, "bio_policy"},
		{"a policy, in an event with a type that is no API's", `{"type":"error","error":{"type":"invalid_request","code":"cyber_policy","message":"m"}}`, events.Rejected, events.ReasonContentBlocked, "cyber_policy"},
		{"what the model was about to do", `{"error":{"code":"misalignment_policy_violation","message":"m"}}`, events.Rejected, events.ReasonContentBlocked, "misalignment_policy_violation"},
		{"data that may not be there", `{"error":{"code":"data_residency_mismatch","message":"m"}}`, events.Rejected, events.ReasonBadRequest, "data_residency_mismatch"},
		{"a type that ends without _error", `{"type":"error","error":{"type":"invalid_request","code":null,"message":"m"}}`, events.Rejected, events.ReasonBadRequest, "invalid_request"},
		{"a request at fault, whose code is lossy", `{"error":{"code":"server_error","message":"m"},"error_type":"invalid_request"}`, events.Rejected, events.ReasonBadRequest, "server_error"},
		{"a field that is too long, whose code is lossy", `{"error":{"code":"server_error","message":"m"},"error_type":"string_too_long"}`, events.Rejected, events.ReasonBadRequest, "server_error"},
		{"a server at fault, whose code is lossy", `{"error":{"code":"invalid_prompt","message":"m"},"error_type":"server"}`, events.Overloaded, events.ReasonServer, "invalid_prompt"},
		{"nobody serves the model, whose code is lossy", `{"error":{"code":"invalid_prompt","message":"m"},"error_type":"provider_unavailable"}`, events.Overloaded, events.ReasonServer, "invalid_prompt"},
		{"an image that is not found, in a chunk of Chat Completions", `{"error":{"code":400,"message":"m","metadata":{"error_type":"image_not_found"}}}`, events.Rejected, events.ReasonBadRequest, "400"},
		{"a status beside a type that says less", `{"error":{"code":429,"message":"m","type":"invalid_request_error"}}`, events.RateLimited, events.ReasonRateLimit, "429"},
		{"an event of no known code is the server's fault", `{"type":"error","code":null,"message":"m"}`, events.Overloaded, events.ReasonServer, "error"},
	} {
		e, ok := openaierror.Of(fastjson.MustParse(c.body))
		require.True(t, ok, c.why)
		f := e.Failure()
		assert.Equal(t, c.kind, f.Kind, c.why)
		assert.Equal(t, c.reason, f.Reason, c.why)
		assert.Equal(t, c.code, f.ProviderCode, c.why)
		assert.Equal(t, "m", f.Detail, c.why)
	}
	_, ok := openaierror.Of(fastjson.MustParse(`{"type":"response.created","response":{}}`))
	assert.False(t, ok, "no error")
}

// Of an answer with an error status the type beside the error says which rejection.
func TestTypeBesideTheError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		code   string
		kind   string
		want   events.Reason
	}{
		{400, "invalid_prompt", "context_length_exceeded", events.ReasonContextOverflow},
		{400, "invalid_prompt", "invalid_request", events.ReasonBadRequest},
		{402, "server_error", "payment_required", events.ReasonBilling},
		{401, "server_error", "authentication", events.ReasonAuth},
		{402, "server_error", "token_limit_exceeded", events.ReasonBilling}, // the status says more
		{404, "server_error", "invalid_request", events.ReasonNotFound},     // likewise
		{400, "server_error", "refusal", events.ReasonContentBlocked},
		{503, "server_error", "not_found", events.ReasonOverloaded}, // a status that may be tried again stays so
	} {
		body := `{"error":{"code":"` + c.code + `","message":"m"},"metadata":null,"error_type":"` + c.kind + `"}`
		assert.Equal(t, c.want, openaierror.FailureOf(c.status, http.Header{}, []byte(body)).Reason, c.kind)
	}
}

func TestFeature(t *testing.T) {
	t.Parallel()
	f := openaierror.FailureOf(400, http.Header{}, []byte(`{"error":{"message":"m","type":"invalid_request_error","param":"text.format","code":null}}`))
	assert.Equal(t, request.FeatureAnswerSchema, f.Feature)
	f = openaierror.FailureOf(400, http.Header{}, []byte(`{"error":{"message":"m","type":"invalid_request_error","param":"reasoning.effort","code":"unsupported_value"}}`))
	assert.Equal(t, request.FeatureEffort, f.Feature)
	assert.Nil(t, openaierror.FailureOf(200, http.Header{}, []byte(`{}`)))
}

// Azure says in innererror that a content filter refused the request, and which one.
func TestInnerError(t *testing.T) {
	t.Parallel()
	const inner = `"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"hate":{"filtered":true,"severity":"high"},"jailbreak":{"filtered":true,"detected":true},"sexual":{"filtered":false,"severity":"safe"},"error":"x"}}`
	for _, c := range []struct{ why, body, code, detail string }{
		{"as documented", `{"error":{"message":"m","type":null,"param":"prompt","code":"content_filter","status":400,` + inner + `}}`, "content_filter", "m: filtered: hate, jailbreak"},
		{"the outer code says nothing", `{"error":{"message":"m","type":"invalid_request_error","code":null,` + inner + `}}`, "invalid_request_error", "m: filtered: hate, jailbreak"},
		{"no filter is named", `{"error":{"message":"m","code":null,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, "", "m"},
		{"an inner error that is none", `{"error":{"message":"m","code":"content_filter","innererror":"x"}}`, "content_filter", "m"},
	} {
		f := openaierror.FailureOf(400, http.Header{}, []byte(c.body))
		assert.Equal(t, events.Rejected, f.Kind, c.why)
		assert.Equal(t, events.ReasonContentBlocked, f.Reason, c.why)
		assert.Equal(t, c.code, f.ProviderCode, c.why)
		assert.Equal(t, c.detail, f.Detail, c.why)
	}
}

// FastAPI lists what it found wrong, and says where.
func TestDetail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, body, detail string }{
		{"where and what", `{"detail":[{"loc":["body","input",0,"role"],"msg":"field required","type":"value_error.missing"},{"msg":"y"}]}`, "body.input.0.role: field required"},
		{"what alone", `{"detail":[{"msg":"field required"}]}`, "field required"},
		{"in words", `{"detail":"no such model"}`, "no such model"},
		{"nothing that says something", `{"detail":[]}`, "HTTP 422 Unprocessable Entity"},
		{"not what FastAPI sends", `{"detail":[1]}`, "HTTP 422 Unprocessable Entity"},
	} {
		f := openaierror.FailureOf(422, http.Header{}, []byte(c.body))
		assert.Equal(t, events.Rejected, f.Kind, c.why)
		assert.Equal(t, c.detail, f.Detail, c.why)
	}
}
