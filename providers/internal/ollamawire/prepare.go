package ollamawire

import (
	"net/http"

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
	// The server keeps the prompt of a loaded model, and has no word for it (ollama v0.33,
	// api/types.go, read August to October 2026).
	spec.CacheMarkers, spec.CacheLong, spec.CacheKey = request.No, request.No, request.No
	spec.WebSearch.Tool, spec.HostedTools = request.No, request.No
	if !profile.ThinkLevels && spec.Efforts == nil {
		// Thinking is on or off; of any other effort a notice tells so.
		spec.Efforts = []request.Effort{request.EffortOff, request.EffortHigh}
	}
	p, err := r.Prepare(request.Target{Spec: spec, Format: Format, Origin: profile.Origin})
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

func (p Profile) failureOf(status int, header http.Header, body []byte) *events.Failure {
	f := FailureOf(status, header, body)
	if p.NoKey {
		wirejson.ExplainRefusal(f)
	}
	return f
}
