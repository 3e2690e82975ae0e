package chatwire

import (
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// Prepare makes a request ready for one model of this family and returns the
// body to send and the decoder for its answer. Errors are of kind
// invalid_request.
func Prepare(r request.Request, model string, spec request.Spec, profile Profile) ([]byte, transport.Decoder, error) {
	if profile.Effort != EffortObject {
		// There is no word for a number of tokens: preparing leaves it out and says
		// so.
		spec.ThinkingBudget = request.No
	}
	p, err := r.Prepare(request.Target{Spec: spec, Format: Format, Origin: profile.Origin})
	if err != nil {
		return nil, nil, err
	}
	body, err := Encode(model, p, profile)
	if err != nil {
		return nil, nil, err
	}
	return body, NewDecoder(p, profile), nil
}
