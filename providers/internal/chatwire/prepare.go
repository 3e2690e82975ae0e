package chatwire

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

// usualPath is where the language is spoken below a base URL.
const usualPath = "/chat/completions"

// Prepare makes a request ready for one model of this family. It returns the call
// with its body, its notices and what maps its failures (everything else is the
// adapter's to set), and the decoder for its answer. Errors are of kind
// invalid_request.
func Prepare(r request.Request, model string, spec request.Spec, profile Profile) (transport.Call, transport.Decoder, error) {
	profile.Search = profile.Search.of(model)
	spec = profile.effortSpec(spec)
	if spec.StructuredAnswer == request.No || profile.AnswerWithoutTools && len(r.Tools) > 0 {
		profile.Answer = AnswerWords
	}
	if !profile.Answer.takesSchema() {
		spec.StructuredAnswer = request.No
	}
	p, err := schema.Prepare(r, profile.target(spec), schema.OpenAIStrict)
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
	call := transport.Call{Body: body, Failure: profile.failureOf, Notices: append(p.Notices, unread...)}
	return call, NewDecoder(p, profile), nil
}

func (p Profile) failureOf(status int, header http.Header, body []byte) *events.Failure {
	f := FailureOf(status, header, body)
	if p.NoKey {
		wirejson.ExplainRefusal(f)
	}
	return f
}

// URLFor returns where a provider of the usual path answers, as [Profile.URL] does.
func URLFor(provider, base string, hasKey bool) (string, error) {
	return Profile{}.URL(provider, base, hasKey)
}

// URL returns where a provider answers below its base URL. An error is a failure of
// kind invalid_request and reason bad_config: what [transport.CheckEndpoint]
// refuses, and a base that has the path already.
func (p Profile) URL(provider, base string, hasKey bool) (string, error) {
	if err := transport.CheckEndpoint(provider, base, hasKey); err != nil {
		return "", err
	}
	base = strings.TrimRight(base, "/")
	if strings.HasSuffix(base, p.path()) {
		return "", transport.BadConfig(provider, "the base URL ends in "+p.path()+", which is added to it: leave that out")
	}
	return base + p.path(), nil
}

func (p Profile) path() string { return cmp.Or(p.Path, usualPath) }

// ModelsURL returns where a provider lists its models, by where it answers
// (see [Profile.URL]).
func (p Profile) ModelsURL(url string) string {
	return strings.TrimSuffix(url, p.path()) + "/models"
}
