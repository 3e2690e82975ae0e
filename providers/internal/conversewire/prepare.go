package conversewire

import (
	"net/http"
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/claudethinking"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

// Prepare makes a request ready for one model of this family. It returns the call
// with its body, its framing, its notices and what maps its failures (everything
// else is the adapter's to set), and the decoder for its answer. Errors are of kind
// invalid_request.
func Prepare(r request.Request, spec request.Spec, profile Profile) (transport.Call, transport.Decoder, error) {
	p, err := schema.Prepare(r, profile.target(spec), schema.AnthropicStrict)
	if err != nil {
		return transport.Call{}, nil, err
	}
	unread, err := wirejson.CheckExtra(r.Extra, r.Strict)
	if err != nil {
		return transport.Call{}, nil, err
	}
	unsaid, err := unspellable(&p.Request, profile)
	if err != nil {
		return transport.Call{}, nil, err
	}
	body, err := Encode(p, profile)
	if err != nil {
		return transport.Call{}, nil, err
	}
	call := transport.Call{
		Body: body, Framing: transport.EventStream, Failure: profile.FailureOf,
		Notices: append(append(p.Notices, unread...), unsaid...),
	}
	return call, NewDecoder(p, profile), nil
}

// target returns the target of preparing. The wire has no word for automatic caching: a
// marker on the last block says the same. A request may have four markers (the wire
// counts as Anthropic does: github.com/bytedance/deer-flow, issue 2448, read 2026-12-01).
func (p Profile) target(s request.Spec) request.Target {
	s.CacheAutomatic, s.CacheKey, s.MaxCacheMarkers = request.No, request.No, maxCacheMarkers
	s.WebSearch.Tool = request.No // a model's own search is a raw systemTool
	if s.Efforts == nil && (p.Thinking == ThinkingEffort || p.Thinking == ThinkingAdaptive) {
		s.Efforts = claudethinking.Efforts()
	}
	t := request.Target{Spec: s, Format: Format, Origin: p.Origin, Cites: true}
	if p.UnmarkedTools {
		t.Unmarkable = []request.CachePlace{request.CacheTools}
	}
	return t
}

const maxCacheMarkers = 4

// FailureOf is [FailureOf] of the profile: a refusal for want of a credential says
// so.
func (p Profile) FailureOf(status int, header http.Header, body []byte) *events.Failure {
	f := FailureOf(status, header, body)
	if p.NoKey {
		wirejson.ExplainRefusal(f)
	}
	return f
}

// unspellable tells what of the request has no word on the wire for a model of
// this profile, or refuses it under Strict.
func unspellable(r *request.Request, profile Profile) ([]events.NoticeInfo, error) {
	plan := thinking(r, profile)
	if r.Parallel != nil && len(r.Tools) > 0 {
		plan.tell(events.NoticeParameterDropped, "parallel: the wire has no word for it", "")
	}
	if r.Cache.Tools != "" && r.ToolChoice.Mode == request.ToolNone {
		plan.tell(events.NoticeParameterDropped, "cache.tools: no tools are sent where none may be called", "")
		r.Cache.Tools = ""
	}
	if r.Strict && plan.wrong != "" {
		return nil, badParameter(plan.wrong)
	}
	notices := plan.told
	e := encoder{origin: profile.Origin}
	for i := range r.Messages {
		if e.speaks(&r.Messages[i]) {
			continue
		}
		detail := "messages[" + strconv.Itoa(i) + "]: a turn of reasoning alone would be taken for a prefill"
		if r.Strict {
			return nil, badHistory(detail)
		}
		notices = append(notices, events.NoticeInfo{Code: events.NoticeEmptyBlockDropped, Detail: detail})
	}
	return notices, nil
}
