package coherewire

import (
	"net/http"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

// Prepare makes a request ready for one model of this family. It returns the call
// with its body, its notices and what maps its failures (everything else is the
// adapter's to set), and the decoder for its answer. Errors are of kind
// invalid_request.
func Prepare(r request.Request, model string, spec request.Spec, profile Profile) (transport.Call, transport.Decoder, error) {
	if !takesFormat(&r) {
		spec.StructuredAnswer = request.No
	}
	// The wire has no word for what is to be kept, and counts what was
	// (usage.cached_tokens).
	spec.CacheMarkers, spec.CacheLong, spec.CacheKey = request.No, request.No, request.No
	spec.WebSearch.Tool, spec.HostedTools = request.No, request.No
	spec.ParallelTools, spec.Efforts = request.No, onOrOff(spec.Efforts)
	// It cites documents unasked.
	p, err := schema.Prepare(r, request.Target{Spec: spec, Format: Format, Origin: profile.Origin, Cites: true}, schema.Cohere)
	if err != nil {
		return transport.Call{}, nil, err
	}
	unread, err := wirejson.CheckExtra(r.Extra, r.Strict)
	if err != nil {
		return transport.Call{}, nil, err
	}
	body, err := Encode(model, p, profile)
	if err != nil {
		return transport.Call{}, nil, err
	}
	call := transport.Call{Body: body, Failure: profile.failureOf(&p, spec.MaxOutput), Notices: append(p.Notices, unread...)}
	return call, NewDecoder(p, profile), nil
}

// onOrOff returns what the wire has words for of a model's efforts: whether it thinks,
// and not how hard, which preparing tells of then. Nil, unknown, is both.
func onOrOff(efforts []request.Effort) []request.Effort {
	if efforts == nil {
		return []request.Effort{request.EffortOff, request.EffortHigh}
	}
	some := []request.Effort{}
	if slices.Contains(efforts, request.EffortOff) {
		some = append(some, request.EffortOff)
	}
	if slices.ContainsFunc(efforts, func(e request.Effort) bool { return e != request.EffortOff }) {
		some = append(some, request.EffortHigh)
	}
	return some
}

// takesFormat reports whether the request may say response_format, which Cohere
// takes beside neither documents ("response_format is not supported with RAG":
// docs.cohere.com/errors-reference, a stored copy read 2026-12-01) nor tools
// (lfnovo/esperanto, pull request 95, read 2026-12-01).
func takesFormat(r *request.Request) bool {
	if len(r.Tools) > 0 && r.ToolChoice.Mode != request.ToolNone || strings.Contains(r.Extra[ExtraKey], `"documents"`) {
		return false
	}
	return !slices.ContainsFunc(r.Messages, func(m request.Message) bool {
		return slices.ContainsFunc(m.Blocks, func(b request.Block) bool { return b.Kind == request.BlockFile })
	})
}

// failureOf returns what maps the failures of one call. Cohere says TOO_MANY_TOKENS
// of a prompt that does not fit, and also of a max_tokens above the model's maximum
// (BerriAI/litellm and others report the latter; read 2026-12-01): only where the
// request asks for no such max_tokens does it mean the prompt.
func (p Profile) failureOf(r *request.Prepared, most int) func(int, http.Header, []byte) *events.Failure {
	capped := r.Request.MaxOutputTokens > 0 && most == 0 || strings.Contains(r.Request.Extra[ExtraKey], `"max_tokens"`)
	return func(status int, header http.Header, body []byte) *events.Failure {
		f := FailureOf(status, header, body)
		if f != nil && f.Reason == events.ReasonContextOverflow && capped {
			f.Reason = events.ReasonTooLarge
		}
		if p.NoKey {
			wirejson.ExplainRefusal(f)
		}
		return f
	}
}
