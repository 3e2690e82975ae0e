package compatible

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

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

// An API is one of those of OpenAI's that other endpoints speak.
type API string

// The APIs.
const (
	// ChatCompletions is the zero API, which nearly everybody speaks.
	ChatCompletions API = ""
	// Responses is OpenAI's newer API. Of the presets databricks, deepseek, groq,
	// huggingface, lmstudio, mistral, ollama, perplexity, vllm and xai are known to speak
	// it, each with what it takes of it; others are asked as OpenAI. Perplexity speaks
	// nothing else.
	Responses API = "responses"
)

// Config describes one model of one endpoint. Provider, BaseURL and Model are
// required.
type Config struct {
	// Provider is the endpoint's name in failures and names, and the origin of
	// its ProviderData.
	Provider string
	// API is the one to call; the zero API is ChatCompletions.
	API API
	// BaseURL is the address up to and without "/chat/completions" or "/responses".
	// With a credential it is https or loopback. "{account}" in it stands for Account.
	BaseURL string
	// Account is what stands for "{account}" in BaseURL: the account, workspace or
	// resource that the addresses of some presets hold (see [NeedsAccount]). It is of
	// letters, digits, hyphens, underscores and dots; set it where BaseURL has a place
	// for it, and nowhere else.
	Account string
	// Model is the id as the endpoint knows it.
	Model string
	// Name replaces "<provider>:<model>".
	Name string
	// Key is the credential; empty sends none.
	Key providers.Secret
	// Token gives an access token for every call, which goes where Key would go. Of
	// both at most one.
	Token providers.TokenSource
	// KeyHeader is the header that carries Key, or the token, as it is; empty means a
	// bearer token in Authorization.
	KeyHeader string
	// SecretHeader are headers whose values are credentials too, for instance the
	// token of a gateway in front of the provider. They are sent as they are, never
	// printed, and scrubbed from failures; empty ones are not sent. None may be
	// that of Key, or stand in Header too.
	SecretHeader map[string]providers.Secret
	// Header is sent with every call. It is no place for credentials: it is
	// printed with the Config, and failures are not scrubbed of it.
	Header http.Header
	// ExtraBody is a raw JSON object that is merged into every body, before the
	// request's own Extra. It cannot set what that cannot.
	ExtraBody string
	// Quirks replaces what [QuirksOf] knows of Provider; they are of Chat Completions.
	Quirks *Quirks
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec is what the model can do; nil: nothing is known, which refuses nothing.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// A Model is one model of one endpoint. It is immutable and safe for concurrent
// use, and prints nothing of its key.
type Model struct {
	provider, name, model string

	language language
	spec     request.Spec
	client   *http.Client
	limits   transport.Limits
	// credential is a function so that no printer reaches the key.
	credential func(context.Context) (header http.Header, secrets []string, err error)
}

var _ providers.Model = (*Model)(nil)

// New returns a model. Errors are failures of kind invalid_request and reason
// bad_config.
func New(c Config) (*Model, error) {
	if what := c.problem(); what != "" {
		return nil, transport.BadConfig(c.Provider, what)
	}
	if err := transport.CheckKey(c.Provider, append(slices.Collect(maps.Values(c.SecretHeader)), c.Key)...); err != nil {
		return nil, err
	}
	base, err := c.baseURL()
	if err != nil {
		return nil, err
	}
	language, err := c.language(base, c.hasCredential())
	if err != nil {
		return nil, err
	}
	m := &Model{
		provider: c.Provider, name: c.Name, model: c.Model, language: language,
		client: transport.NewClient(c.HTTPClient), limits: c.Limits,
		credential: c.credential(),
	}
	if m.name == "" {
		m.name = c.Provider + ":" + c.Model
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	return m, nil
}

// problem returns what is wrong with the Config apart from its address, or
// nothing.
func (c Config) problem() string {
	switch {
	case c.Provider == "":
		return "no provider: Config.Provider is empty"
	case c.BaseURL == "":
		return noAddress(c.Provider)
	case c.Model == "":
		return "no model"
	case c.Key != "" && c.Token != nil:
		return "both a key and a source of tokens"
	case c.API != ChatCompletions && c.API != Responses:
		return "there is no API " + string(c.API)
	case c.API == Responses && c.Quirks != nil:
		return "quirks are of Chat Completions, and the API is Responses"
	case c.Quirks != nil && c.Quirks.Effort > EffortEnable:
		return "unknown spelling of the effort"
	case c.Quirks != nil && c.Quirks.Answer > AnswerWords:
		return "unknown spelling of a structured answer"
	case c.Quirks != nil && c.Quirks.Search > SearchBrowser:
		return "unknown spelling of a web search"
	case c.Quirks != nil && c.Quirks.CallIDs > CallIDNine:
		return "unknown spelling of ids of calls"
	case c.Quirks != nil && c.Quirks.Media > MediaInline:
		return "unknown spelling of speech and files"
	case c.Quirks != nil && c.Quirks.CacheMarkers > CacheMarkerBreakpoint:
		return "unknown spelling of a cache marker"
	case c.Quirks != nil && c.Quirks.Path != "" && !isPath(c.Quirks.Path):
		return "the path does not begin with a slash, or has a query"
	}
	taken := map[string]bool{}
	for name := range c.Header {
		taken[http.CanonicalHeaderKey(name)] = true
	}
	if c.Key != "" || c.Token != nil {
		taken[c.keyHeader()] = true
	}
	for name := range c.SecretHeader {
		name = http.CanonicalHeaderKey(name)
		if taken[name] {
			return "the header " + name + " is set twice"
		}
		taken[name] = true
	}
	return ""
}

func isPath(path string) bool { return path[0] == '/' && !strings.ContainsAny(path, "?#") }

// Name returns "<provider>:<model>", or what Config says.
func (m *Model) Name() string { return m.name }

// Spec returns what Config says that the model can do.
func (m *Model) Spec() request.Spec { return m.spec }

// Stream returns the reply to req as a lazy stream.
func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
	return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
		return m.prepare(ctx, req)
	})
}

func (m *Model) prepare(ctx context.Context, req request.Request) (transport.Call, transport.Decoder, error) {
	call, decoder, err := m.language.prepare(req, m.model, m.spec)
	call.Provider, call.URL, call.Limits = m.provider, m.language.url, m.limits
	if err == nil {
		call.Header, call.Secrets, err = m.credential(ctx)
	}
	return call, decoder, err
}
