package geminiwire

import (
	"net/http"
	"strconv"

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
func Prepare(r request.Request, spec request.Spec, profile Profile) (transport.Call, transport.Decoder, error) {
	if len(r.Tools)+len(r.HostedTools) > 0 && r.ToolChoice.Mode != request.ToolNone && !profile.AnswerBesideTools {
		// "Function calling with a response mime type: 'application/json' is
		// unsupported" (github.com/googleapis/python-genai, issue 867, read 2026-12-01).
		spec.StructuredAnswer = request.No
	}
	// What the wire keeps on request is made by another call, whose name goes in Extra
	// (cachedContent); newer models keep beginnings of prompts unasked
	// (openrouter.ai/docs/guides/best-practices/prompt-caching, read 2026-12-01).
	spec.CacheMarkers, spec.CacheLong, spec.CacheKey = request.No, request.No, request.No
	// googleSearch has no options at the Gemini API (googleapis.github.io/java-genai,
	// GoogleSearch.excludeDomains, read 2026-12-01).
	spec.WebSearch.MaxUses, spec.WebSearch.Location = request.No, request.No
	spec.WebSearch.AllowedDomains = request.No
	if !profile.ExcludeDomains {
		spec.WebSearch.BlockedDomains = request.No
	}
	if spec.Efforts == nil && profile.Thinking == ThinkingLevel {
		spec.Efforts = levels()
	}
	p, err := schema.Prepare(r, request.Target{Spec: spec, Format: Format, Origin: profile.Origin, OneWish: true}, schema.GeminiJSON)
	if err != nil {
		return transport.Call{}, nil, err
	}
	unread, err := wirejson.CheckExtra(r.Extra, r.Strict)
	if err != nil {
		return transport.Call{}, nil, err
	}
	p.Notices = append(p.Notices, unread...)
	if err := boundBudget(&p, profile); err != nil {
		return transport.Call{}, nil, err
	}
	if err := leaveOutHosted(&p, profile); err != nil {
		return transport.Call{}, nil, err
	}
	body, err := Encode(p, profile)
	if err != nil {
		return transport.Call{}, nil, err
	}
	call := transport.Call{Body: body, Failure: profile.FailureOf, Notices: p.Notices}
	return call, NewDecoder(p, profile), nil
}

// levels are the words of thinkingLevel, and off, which is spelled as a budget. There is
// none above xhigh.
func levels() []request.Effort {
	return []request.Effort{
		request.EffortOff, request.EffortMinimal, request.EffortLow, request.EffortMedium, request.EffortHigh, request.EffortXHigh,
	}
}

// leaveOutHosted leaves the provider's own tools out of a request that declares tools,
// for a model that refuses both, with a notice, or refuses it under Strict.
func leaveOutHosted(p *request.Prepared, profile Profile) error {
	r := &p.Request
	if profile.Hosted != HostedAlone || len(r.HostedTools) == 0 || !declares(r) {
		return nil
	}
	const detail = "hosted_tools: the model does not take them beside declared tools"
	if r.Strict {
		return badParameter(detail)
	}
	r.HostedTools = nil
	p.Notices = append(p.Notices, events.NoticeInfo{Code: events.NoticeParameterDropped, Detail: detail})
	return nil
}

// declares reports whether the model may call tools that the request declares.
func declares(r *request.Request) bool {
	return len(r.Tools) > 0 && r.ToolChoice.Mode != request.ToolNone
}

// boundBudget holds a thinking budget to what the model takes, with a notice, or
// refuses it under Strict.
func boundBudget(p *request.Prepared, profile Profile) error {
	r := &p.Request
	if r.ThinkingBudget == nil {
		return nil
	}
	want := *r.ThinkingBudget
	got := profile.bounded(want)
	if got == want {
		return nil
	}
	wrong := "thinking_budget: the model does not take " + strconv.Itoa(want)
	if r.Strict {
		return badParameter(wrong)
	}
	detail := wrong + "; " + strconv.Itoa(got) + " takes its place"
	r.ThinkingBudget = &got
	p.Notices = append(p.Notices, events.NoticeInfo{Code: events.NoticeEffortClamped, Detail: detail})
	return nil
}

func (p Profile) bounded(budget int) int {
	if p.MostBudget > 0 {
		budget = min(budget, p.MostBudget)
	}
	return max(budget, p.LeastBudget)
}

// FailureOf is [FailureOf], which says of a refused credential that there is none.
func (p Profile) FailureOf(status int, header http.Header, body []byte) *events.Failure {
	f := FailureOf(status, header, body)
	if p.NoKey {
		wirejson.ExplainRefusal(f)
	}
	return f
}
