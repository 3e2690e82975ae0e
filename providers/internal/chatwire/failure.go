package chatwire

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// A wireError is a provider's error object, whatever its shape.
type wireError struct {
	message, code, kind, param string
	// inner is OpenRouter's metadata.error_type.
	inner string
	// status is an HTTP status that the object itself names.
	status int
}

// errorOf reads an error of any known shape: {"error": {...}} (OpenAI and most),
// {"error": "..."} (Venice, xAI, Ollama), the same in an array (Gemini's
// compatible endpoint), flat (Mistral, Doubleword), {"detail": "..."} (servers on
// FastAPI).
func errorOf(v *fastjson.Value) (wireError, bool) {
	if list := v.GetArray(); len(list) > 0 {
		return errorOf(list[0])
	}
	switch inner := v.Get("error"); {
	case inner.GetObject() != nil:
		return errorFields(inner), true
	case len(inner.GetStringBytes()) > 0:
		e := errorFields(v)
		e.message = wirejson.String(inner)
		return e, true
	}
	if detail := wirejson.String(v.Get("detail")); detail != "" {
		return wireError{message: detail}, true
	}
	flat := errorFields(v)
	named := flat.code != "" || flat.kind != "" || wirejson.String(v.Get("object")) == "error"
	return flat, flat.message != "" && named
}

func errorFields(v *fastjson.Value) wireError {
	e := wireError{
		message: messageOf(v),
		code:    word(v.Get("code")),
		kind:    word(v.Get("type")),
		param:   wirejson.String(v.Get("param")),
		inner:   wirejson.String(v.Get("metadata", "error_type")),
	}
	// Groq says status_code, Mistral raw_status_code.
	for _, text := range []string{word(v.Get("status_code")), word(v.Get("raw_status_code")), e.code} {
		if n, err := strconv.Atoi(text); err == nil && n >= 400 && n < 600 && e.status == 0 {
			e.status = n
		}
	}
	return e
}

// maxUpstream bounds what is told of an upstream's own error, in bytes.
const maxUpstream = 512

// messageOf returns the message of an error object. OpenRouter's own says no more
// than that an upstream failed: metadata names which and holds what it sent, as
// text or as JSON (openrouter.ai/docs/api/reference/errors-and-debugging, a stored
// copy read 2026-11-30, and recordings).
func messageOf(v *fastjson.Value) string {
	upstream := wirejson.String(v.Get("metadata", "provider_name"))
	raw := v.Get("metadata", "raw")
	text := wirejson.String(raw)
	if raw.GetObject() != nil {
		text = wirejson.Raw(raw)
	}
	// Cleaned before it is cut, so that no half of a credential is left.
	text = events.CutText(events.CleanDetail(text), maxUpstream)
	parts := []string{wirejson.String(v.Get("message")), events.CutText(upstream, 64), text}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// word returns a code, which some send as a number.
func word(v *fastjson.Value) string {
	if v != nil && v.Type() == fastjson.TypeNumber {
		return wirejson.Raw(v)
	}
	return wirejson.String(v)
}

// A verdict is what an error comes to.
type verdict struct {
	kind   events.FailureKind
	reason events.Reason
}

// verdictOfCode returns what an exact code or type of a provider means.
//
// Sources: recorded bodies of OpenAI, Azure (DeploymentNotFound, content_filter),
// Groq (tool_use_failed), Perplexity (too_many_prompt_tokens), Doubleword
// (forbidden), DeepSeek and others (authentication_error, overloaded_error);
// OpenRouter's error types, openrouter.ai/docs/client-sdks/python/components/
// apierrortype, a stored copy read 2026-11-30; unsupported_value in an issue of
// github.com/openai/openai-agents-python (2089), read likewise, and unknown_parameter
// in bodies quoted in public repositories; invalid_model is Mistral's type of a model
// that does not exist, which it sends with 400 (github.com/tadascience/mistral.ai and
// many bodies quoted elsewhere, read 2026-12-01). The two billing_
// codes are in other clients' tables only; exceed_context_size_error (llama.cpp),
// overloaded, internal_server_error, permission_error and rate_limit_error of this
// API are not confirmed.
func verdictOfCode(code string) (verdict, bool) {
	switch code {
	case "insufficient_quota":
		return verdict{events.Rejected, events.ReasonQuota}, true
	case "billing_hard_limit_reached", "billing_not_active", "payment_required":
		return verdict{events.Rejected, events.ReasonBilling}, true
	case "invalid_api_key", "authentication_error", "authentication":
		return verdict{events.Rejected, events.ReasonAuth}, true
	case "permission_error", "forbidden", "permission_denied":
		return verdict{events.Rejected, events.ReasonPermission}, true
	case "model_not_found", "not_found_error", "not_found", "DeploymentNotFound", "invalid_model":
		return verdict{events.Rejected, events.ReasonNotFound}, true
	case "context_length_exceeded", "too_many_prompt_tokens", "exceed_context_size_error":
		return verdict{events.Rejected, events.ReasonContextOverflow}, true
	case "content_filter", "content_policy_violation":
		return verdict{events.Rejected, events.ReasonContentBlocked}, true
	case "unsupported_parameter", "unsupported_value", "unknown_parameter":
		return verdict{events.Rejected, events.ReasonUnsupported}, true
	case "payload_too_large":
		return verdict{events.Rejected, events.ReasonTooLarge}, true
	case "rate_limit_exceeded", "rate_limit_error":
		return verdict{events.RateLimited, events.ReasonRateLimit}, true
	case "overloaded", "overloaded_error", "provider_overloaded":
		return verdict{events.Overloaded, events.ReasonOverloaded}, true
	case "server_error", "internal_server_error":
		return verdict{events.Overloaded, events.ReasonServer}, true
	case "timeout":
		return verdict{events.TimedOut, events.ReasonHTTP}, true
	case "tool_use_failed":
		return verdict{events.InvalidReply, events.ReasonBadToolCall}, true
	default:
		return verdict{}, false
	}
}

// verdictOfStatus returns what an error status means by itself.
func verdictOfStatus(status int) (verdict, bool) {
	if status < 400 || status >= 600 {
		return verdict{}, false
	}
	f := transport.FailureOfStatus(status)
	return verdict{f.Kind, f.Reason}, true
}

// verdict returns what an error object means that came in an answer of a status
// that says nothing: by its codes, then by the status it names, then by type.
// What nobody knows is the server's fault, for the request was taken.
func (e wireError) verdict() verdict {
	for _, code := range []string{e.code, e.inner, e.kind} {
		if v, ok := verdictOfCode(code); ok {
			return v
		}
	}
	if v, ok := verdictOfStatus(e.status); ok {
		return v
	}
	if e.kind == "invalid_request_error" {
		return verdict{events.Rejected, events.ReasonBadRequest}
	}
	return verdict{events.Overloaded, events.ReasonServer}
}

// refine returns what an error object says more precisely than the status of its
// answer: which rejection it is. A code never turns a rejection into something to
// be tried again (Groq sends rate_limit_exceeded with 413 for a request that is
// larger than the limit).
func (e wireError) refine(base verdict) verdict {
	if base.kind != events.Rejected && base.kind != events.RateLimited {
		return base
	}
	for _, code := range []string{e.code, e.inner, e.kind} {
		v, ok := verdictOfCode(code)
		if !ok || v.kind != events.Rejected {
			continue
		}
		if base.kind == events.Rejected || v.reason == events.ReasonQuota || v.reason == events.ReasonBilling {
			return v
		}
	}
	return base
}

// failure returns the error as a failure of the verdict.
func (e wireError) failure(v verdict) *events.Failure {
	f := events.NewFailure(v.kind, v.reason, e.message)
	f.ProviderCode = e.code
	if f.ProviderCode == "" {
		f.ProviderCode = e.kind
	}
	f.Feature = e.feature()
	return f
}

// feature returns what the provider refused, when code and parameter say so.
//
// A response_format that is refused has no code of its own: OpenAI sends null for a
// model that takes no schema (github.com/openai/openai-dotnet, issue 276) and for a
// schema that it does not take, Groq none for one beside tools, Vercel's gateway
// invalid_request_error. The parameter says it all the same.
func (e wireError) feature() string {
	switch e.code {
	case "unsupported_parameter", "unsupported_value", "unknown_parameter":
	case "", "invalid_request_error":
		if e.param == "response_format" && (e.code != "" || e.kind == "invalid_request_error") {
			return request.FeatureAnswerSchema
		}
		return ""
	default:
		return ""
	}
	switch e.param {
	case "tools", "tool_choice":
		return request.FeatureTools
	case "parallel_tool_calls":
		return request.FeatureParallelTools
	case "reasoning_effort", "reasoning", "reasoning.effort":
		return request.FeatureEffort
	case "temperature":
		return request.FeatureTemperature
	case "max_tokens", "max_completion_tokens":
		return request.FeatureMaxTokensField
	case "response_format":
		return request.FeatureAnswerSchema
	case "stream_options":
		return request.FeatureStreamOptions
	default:
		return ""
	}
}

// inBand returns the failure for an error inside a stream.
func inBand(e wireError) *events.Failure { return e.failure(e.verdict()) }

// FailureOf maps an answer that is no stream to its failure, as
// transport.Call.Failure asks for: nil where neither the status (4xx and 5xx do)
// nor the body says that it is an error. The body may be of any kind and is not
// kept; what it calls its message is.
func FailureOf(status int, _ http.Header, body []byte) *events.Failure {
	var parser wirejson.Parser
	var e wireError
	found := false
	if v, err := parser.Parse(body); err == nil {
		e, found = errorOf(v)
	}
	base, known := verdictOfStatus(status)
	var f *events.Failure
	switch {
	case known:
		f = e.failure(e.refine(base))
	case found:
		f = inBand(e)
	default:
		return nil
	}
	f.Status = status
	if f.Detail == "" {
		f.Detail = "HTTP " + strconv.Itoa(status) + " " + http.StatusText(status)
	}
	return f
}
