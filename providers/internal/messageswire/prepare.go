package messageswire

import (
	"net/http"
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/claudethinking"
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
	spec = specOf(spec, profile)
	p, err := schema.Prepare(r, request.Target{Spec: spec, Format: Format, Origin: profile.Origin, Cites: true}, schema.AnthropicStrict)
	if err != nil {
		return transport.Call{}, nil, err
	}
	unread, err := wirejson.CheckExtra(r.Extra, r.Strict)
	if err != nil {
		return transport.Call{}, nil, err
	}
	plan := thinking(&p.Request, profile)
	if r.Strict && plan.Wrong != "" {
		return transport.Call{}, nil, badParameter(plan.Wrong)
	}
	body, err := Encode(model, p, profile)
	if err != nil {
		return transport.Call{}, nil, err
	}
	call := transport.Call{Body: body, Failure: profile.failureOf, Notices: slices.Concat(p.Notices, unread, plan.Told)}
	return call, NewDecoder(p, profile), nil
}

// specOf returns the Spec narrowed to what the wire has words for. The one word for
// automatic caching is not taken by every host; a marker on the last block says the
// same (platform.claude.com/docs/en/build-with-claude/prompt-caching; of hosts, what
// public code of AWS says; stored copies read 2026-12-01). More than four markers are
// refused with 400 (github.com/bytedance/deer-flow, issue 2448, read likewise).
func specOf(s request.Spec, profile Profile) request.Spec {
	s.CacheAutomatic, s.CacheKey, s.MaxCacheMarkers = request.No, request.No, maxCacheMarkers
	if s.Efforts == nil && profile.Thinking != ThinkingBudget {
		s.Efforts = claudethinking.Efforts()
	}
	return s
}

const maxCacheMarkers = 4

func (p Profile) failureOf(status int, header http.Header, body []byte) *events.Failure {
	f := FailureOf(status, header, body)
	if p.NoKey {
		wirejson.ExplainRefusal(f)
	}
	return f
}
