package responseswire

import (
	"net/http"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

// path is where the language is spoken below a base URL.
const path = "/responses"

// Prepare makes a request ready for one model of this family. It returns the call
// with its body, its notices and what maps its failures (everything else is the
// adapter's to set), and the decoder for its answer. Errors are of kind
// invalid_request.
func Prepare(r request.Request, model string, spec request.Spec, profile Profile) (transport.Call, transport.Decoder, error) {
	spec = profile.specOf(spec)
	if len(r.HostedTools) > 1 && profile.Search == SearchTool {
		spec.WebSearch.MaxUses = request.No // the wire's word would bound the others too
	}
	if !profile.encrypts(&r, spec) {
		profile.EncryptedReasoning = EncryptedNever
	}
	if profile.AnswerWithoutTools && len(r.Tools) > 0 {
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

// target returns the target of preparing. Breakpoints are on parts of a user's input
// alone: instructions and tools have none.
func (p Profile) target(s request.Spec) request.Target {
	return request.Target{Spec: s, Format: Format, Origin: p.Origin, OneWish: true, Unmarkable: []request.CachePlace{
		request.CacheTools, request.CacheSystem, request.CacheAssistant, request.CacheResults,
	}}
}

func (p Profile) failureOf(status int, header http.Header, body []byte) *events.Failure {
	f := FailureOf(status, header, body)
	if p.NoKey {
		wirejson.ExplainRefusal(f)
	}
	return f
}

// FailureOf maps an answer that is no stream to its failure, as
// [openaierror.FailureOf] does.
func FailureOf(status int, header http.Header, body []byte) *events.Failure {
	return openaierror.FailureOf(status, header, body)
}

// URLFor returns where a provider answers below its base URL. An error is a
// failure of kind invalid_request and reason bad_config: what
// [transport.CheckEndpoint] refuses, and a base that has the path already.
func URLFor(provider, base string, hasKey bool) (string, error) {
	if err := transport.CheckEndpoint(provider, base, hasKey); err != nil {
		return "", err
	}
	base = strings.TrimRight(base, "/")
	if strings.HasSuffix(base, path) {
		return "", transport.BadConfig(provider, "the base URL ends in "+path+", which is added to it: leave that out")
	}
	return base + path, nil
}

// ModelsURL returns where a provider lists its models, by where it answers (see
// [URLFor]).
func ModelsURL(url string) string { return strings.TrimSuffix(url, path) + "/models" }
