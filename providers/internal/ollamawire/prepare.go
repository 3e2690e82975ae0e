package ollamawire

import (
	"net/http"
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// Prepare makes a request ready for one model of this family. It returns the call
// with its body, its framing, its notices and what maps its failures (everything
// else is the adapter's to set), and the decoder for its answer. Errors are of
// kind invalid_request.
func Prepare(r request.Request, model string, spec request.Spec, profile Profile) (transport.Call, transport.Decoder, error) {
	if len(r.Tools) > 0 && r.ToolChoice.Mode != request.ToolNone {
		// The grammar of format leaves the model no room for a call (github.com/ollama/
		// ollama, issue 11185, a maintainer's word, and 13750, open; read 2026-11-30).
		spec.StructuredAnswer = request.No
	}
	p, err := r.Prepare(request.Target{Spec: profile.spec(spec), Format: Format, Origin: profile.Origin})
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
	call := transport.Call{
		Body: body, Framing: transport.NDJSON, Failure: profile.failureOf, Notices: append(p.Notices, unread...),
	}
	return call, NewDecoder(p, profile), nil
}

// spec returns what a model can do of what the wire has words for (ollama v0.33,
// api/types.go, read August to October 2026): whatever is known of the model, a request
// is told what has none. The server keeps the prompt of a loaded model unasked.
func (p Profile) spec(s request.Spec) request.Spec {
	s.ToolChoice, s.ParallelTools, s.ThinkingBudget = request.No, request.No, request.No
	s.CacheMarkers, s.CacheLong, s.CacheKey = request.No, request.No, request.No
	s.WebSearch.Tool, s.HostedTools = request.No, request.No
	if p.ThinkLevels {
		s.Efforts = levels(s.Efforts)
	} else {
		s.Efforts = onOrOff(s.Efforts)
	}
	return s
}

// levels returns the efforts of a model with levels: those that are known, for the
// server tells their names (POST /api/show, thinking.values:
// docs.ollama.com/capabilities/thinking, a stored copy read 2026-12-01), or else the
// words that every server takes.
func levels(known []request.Effort) []request.Effort {
	if known != nil {
		return known
	}
	return []request.Effort{request.EffortOff, request.EffortLow, request.EffortMedium, request.EffortHigh, request.EffortMax}
}

// onOrOff returns what true and false can say of a model's efforts; nil, unknown, is
// both. Of any other effort a notice tells so.
func onOrOff(known []request.Effort) []request.Effort {
	if known == nil {
		return []request.Effort{request.EffortOff, request.EffortHigh}
	}
	some := []request.Effort{}
	if slices.Contains(known, request.EffortOff) {
		some = append(some, request.EffortOff)
	}
	if slices.ContainsFunc(known, func(e request.Effort) bool { return e != request.EffortOff }) {
		some = append(some, request.EffortHigh)
	}
	return some
}

func (p Profile) failureOf(status int, header http.Header, body []byte) *events.Failure {
	f := FailureOf(status, header, body)
	if p.NoKey {
		wirejson.ExplainRefusal(f)
	}
	return f
}
