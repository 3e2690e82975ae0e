package azure

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// Provider is the name of this provider in failures, names and ProviderData.
const Provider = "azure"

// The keys of the request's Extra that this adapter reads, by the API that is called: a
// raw JSON object that is merged last into the body.
const (
	// ExtraKey is that of Chat Completions. It cannot set model, messages, tools,
	// stream.
	ExtraKey = "chat"
	// ResponsesExtraKey is that of Responses. It cannot set model, input, stream. Its
	// tools follow those of the request.
	ResponsesExtraKey = "responses"
)

// An API is one of the two through which a deployment is called.
type API string

// The APIs.
const (
	// ChatCompletions is the zero API.
	ChatCompletions API = ""
	// Responses shows a model's reasoning and gives it back to it, sealed, in the next
	// request; and it has tools that Azure runs. Nothing is stored there. A deployment
	// that does not think refuses to be asked for reasoning, and its name does not tell:
	// it is asked for where Config.Spec says that it thinks, or a request has an effort.
	Responses API = "responses"
)

// Scope is what a token of Entra ID is asked for.
const Scope = "https://ai.azure.com/.default"

// Config describes one deployment. Endpoint and Deployment are required.
type Config struct {
	// Endpoint is the address of the resource without the path of the API, for
	// instance "https://my-resource.openai.azure.com". With a credential it is https
	// or loopback.
	Endpoint string
	// Deployment is the name of the deployment.
	Deployment string
	// API is the one to call; the zero API is ChatCompletions.
	API API
	// APIVersion is that of the classic path, for instance "2024-10-21"; empty means
	// the v1 path, which has none.
	APIVersion string
	// Key is the key of the resource, sent as api-key. Token gives an access token of
	// Entra ID for every call, sent as a bearer token. Of both at most one; none sends
	// none, which is enough to replay recordings.
	Key   providers.Secret
	Token providers.TokenSource
	// Name replaces "azure:<deployment>".
	Name string
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec is what the model can do; nil: nothing is known, which refuses nothing.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// New returns a model. Errors are failures of kind invalid_request and reason
// bad_config.
func New(c Config) (*Model, error) {
	if what := c.problem(); what != "" {
		return nil, transport.BadConfig(Provider, what)
	}
	if err := transport.CheckKey(Provider, c.Key); err != nil {
		return nil, err
	}
	hasKey := c.Key != "" || c.Token != nil
	language, err := c.language(hasKey)
	if err != nil {
		return nil, err
	}
	m := &Model{
		name: c.Name, deployment: c.Deployment, language: language, models: c.root() + "/models" + c.query(),
		client: transport.NewClient(c.HTTPClient), limits: c.Limits,
		credential: func(ctx context.Context) (http.Header, []string, error) { return credentialOf(ctx, c) },
	}
	if m.name == "" {
		m.name = Provider + ":" + c.Deployment
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	return m, nil
}

// problem returns what is wrong with the Config apart from the form of its address,
// or nothing.
func (c Config) problem() string {
	switch {
	case c.Endpoint == "":
		return "no endpoint"
	case c.Deployment == "":
		return "no deployment"
	case c.API != ChatCompletions && c.API != Responses:
		return "there is no API " + string(c.API)
	case c.Deployment == "." || c.Deployment == "..":
		return "the deployment is a step of a path"
	case c.Key != "" && c.Token != nil:
		return "both a key and a source of tokens"
	case strings.Contains(c.Endpoint+"/", "/openai/"):
		return "the endpoint holds the path of the API, which is added to it: leave out all from /openai on"
	default:
		return ""
	}
}

// root returns where the API begins.
func (c Config) root() string {
	root := strings.TrimRight(c.Endpoint, "/") + "/openai"
	if c.APIVersion == "" {
		return root + "/v1"
	}
	return root
}

func (c Config) query() string {
	if c.APIVersion == "" {
		return ""
	}
	return "?api-version=" + url.QueryEscape(c.APIVersion)
}

// credentialOf returns the header of one call, and what of it is secret.
func credentialOf(ctx context.Context, c Config) (http.Header, []string, error) {
	switch {
	case c.Token != nil:
		token, err := transport.Token(ctx, Provider, c.Token)
		if err != nil {
			return nil, nil, err
		}
		return http.Header{"Authorization": {"Bearer " + string(token)}}, []string{string(token)}, nil
	case c.Key != "":
		return http.Header{"Api-Key": {string(c.Key)}}, []string{string(c.Key)}, nil
	default:
		return http.Header{}, nil, nil
	}
}
