package openaierror

import (
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// A verdict is what an error comes to.
type verdict struct {
	kind   events.FailureKind
	reason events.Reason
}

// verdictOfCode returns what an exact code or type of a provider means.
//
// Sources: recorded bodies of OpenAI, Azure (DeploymentNotFound, content_filter; the
// inner code ResponsibleAIPolicyViolation in bodies quoted in public repositories),
// Groq (tool_use_failed), Perplexity (too_many_prompt_tokens), Doubleword
// (forbidden), DeepSeek and others (authentication_error, overloaded_error);
// OpenRouter's error types, openrouter.ai/docs/client-sdks/python/components/
// apierrortype, a stored copy read 2026-11-30; unsupported_value in an issue of
// github.com/openai/openai-agents-python (2089), read likewise, and unknown_parameter
// in bodies quoted in public repositories; invalid_model is Mistral's type of a model
// that does not exist, which it sends with 400 (github.com/tadascience/mistral.ai and
// many bodies quoted elsewhere, read 2026-12-01). Of the Responses API: openai-python,
// responses/response_error.py, and in its streams server_is_overloaded and slow_down
// (public reports of both), read 2026-12-01; its policies: openai-java, ResponseError
// (bio_policy, misalignment_policy_violation, data_residency_mismatch), and
// github.com/openai/codex, pull request 31439, and github.com/microsoft/PyRIT, pull
// request 2714 (bio_policy and cyber_policy, never to be tried again), read 2026-12-01.
// What data_residency_mismatch asks of the client is not confirmed. The two billing_
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
	case "content_filter", "content_policy_violation", "image_content_policy_violation", "ResponsibleAIPolicyViolation",
		"bio_policy", "cyber_policy", "misalignment_policy_violation", "refusal":
		return verdict{events.Rejected, events.ReasonContentBlocked}, true
	case "unsupported_parameter", "unsupported_value", "unknown_parameter":
		return verdict{events.Rejected, events.ReasonUnsupported}, true
	case "payload_too_large", "image_too_large", "image_file_too_large":
		return verdict{events.Rejected, events.ReasonTooLarge}, true
	case "invalid_prompt", "invalid_image", "invalid_image_format", "invalid_base64_image", "invalid_image_url",
		"image_too_small", "image_parse_error", "invalid_image_mode", "unsupported_image_media_type",
		"empty_image_file", "failed_to_download_image", "image_file_not_found", "data_residency_mismatch",
		"unsupported_image_format", "image_not_found", "image_download_failed":
		return verdict{events.Rejected, events.ReasonBadRequest}, true
	case "rate_limit_exceeded", "rate_limit_error":
		return verdict{events.RateLimited, events.ReasonRateLimit}, true
	case "overloaded", "overloaded_error", "provider_overloaded", "server_is_overloaded", "slow_down":
		return verdict{events.Overloaded, events.ReasonOverloaded}, true
	case "server_error", "internal_server_error", "server", "provider_unavailable":
		return verdict{events.Overloaded, events.ReasonServer}, true
	case "timeout", "vector_store_timeout":
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

// isInvalidRequest reports whether a code or type says no more than that the request is
// at fault, so that the status of an answer says it as well or better: OpenAI's type,
// which ChatGPT's backend calls invalid_request (github.com/router-for-me/CLIProxyAPI,
// issue 4854), and OpenRouter's types.
func isInvalidRequest(code string) bool {
	switch code {
	case "invalid_request_error", "invalid_request", "precondition_failed", "unprocessable",
		"max_tokens_exceeded", "token_limit_exceeded", "string_too_long":
		return true
	default:
		return false
	}
}

// verdict returns what an error object means that came in an answer of a status
// that says nothing: by its codes, then by the status it names, then by type.
// What nobody knows is the server's fault, for the request was taken.
func (e Error) verdict() verdict {
	invalid := verdict{events.Rejected, events.ReasonBadRequest}
	if isInvalidRequest(e.canonical) {
		return invalid // the code beside it is lossy
	}
	for _, code := range []string{e.canonical, e.Code, e.inner, e.Type} {
		if v, ok := verdictOfCode(code); ok {
			return v
		}
	}
	if v, ok := verdictOfStatus(e.status); ok {
		return v
	}
	if slices.ContainsFunc([]string{e.Code, e.inner, e.Type}, isInvalidRequest) {
		return invalid
	}
	return verdict{events.Overloaded, events.ReasonServer}
}

// refine returns what an error object says more precisely than the status of its
// answer: which rejection it is. A code never turns a rejection into something to
// be tried again (Groq sends rate_limit_exceeded with 413 for a request that is
// larger than the limit).
func (e Error) refine(base verdict) verdict {
	if base.kind != events.Rejected && base.kind != events.RateLimited {
		return base
	}
	for _, code := range []string{e.canonical, e.Code, e.inner, e.Type} {
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
func (e Error) failure(v verdict) *events.Failure {
	f := events.NewFailure(v.kind, v.reason, e.Message)
	f.ProviderCode = e.Code
	if f.ProviderCode == "" {
		f.ProviderCode = e.Type
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
func (e Error) feature() string {
	switch e.Code {
	case "unsupported_parameter", "unsupported_value", "unknown_parameter":
	case "", "invalid_request_error":
		if (e.Param == "response_format" || e.Param == "text.format") && (e.Code != "" || e.Type == "invalid_request_error") {
			return request.FeatureAnswerSchema
		}
		return ""
	default:
		return ""
	}
	switch e.Param {
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
	case "response_format", "text.format":
		return request.FeatureAnswerSchema
	case "stream_options":
		return request.FeatureStreamOptions
	case "prompt_cache_key", "prompt_cache_retention", "prompt_cache_options":
		return request.FeatureCache
	case "web_search_options":
		return request.FeatureWebSearch
	default:
		return ""
	}
}
