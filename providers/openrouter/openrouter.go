package openrouter

import (
	"context"
	"net/http"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Provider is the name of this provider in failures, names and ProviderData.
const Provider = "openrouter"

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

// An API is one of those through which OpenRouter offers its models.
type API string

// The APIs.
const (
	// ChatCompletions is the zero API.
	ChatCompletions API = ""
	// Responses is OpenAI's other API, in front of any model: items and not messages,
	// without stop sequences and seed.
	Responses API = "responses"
)

// DefaultBaseURL is where OpenRouter answers.
const DefaultBaseURL = "https://openrouter.ai/api/v1"

// Config describes one model. The zero Config is refused: Model is required.
type Config struct {
	// Key is the API key, sent as a bearer token; empty sends none, which is
	// enough to replay recordings.
	Key providers.Secret
	// Model is the id as OpenRouter knows it, for instance "openai/gpt-5".
	Model string
	// API is the one to call; the zero API is ChatCompletions.
	API API
	// Name replaces "openrouter:<model>".
	Name string
	// BaseURL replaces [DefaultBaseURL]: the address up to and without
	// "/chat/completions" or "/responses". With a key it is https or loopback.
	BaseURL string
	// Referer and Title say which app calls, as OpenRouter's rankings show it:
	// sent as HTTP-Referer and X-OpenRouter-Title where not empty.
	Referer, Title string
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec is what the model can do; nil: nothing is known, which refuses nothing.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// A Model is one model behind OpenRouter. It is immutable and safe for concurrent use,
// and prints nothing of its key.
type Model struct {
	name, model string
	language    language
	spec        request.Spec
	client      *http.Client
	limits      transport.Limits
	// header and secrets are functions so that no printer reaches the key.
	header  func() http.Header
	secrets func() []string
}

var _ providers.Model = (*Model)(nil)

// New returns a model. Errors are failures of kind invalid_request and reason
// bad_config.
func New(c Config) (*Model, error) {
	base := c.BaseURL
	if base == "" {
		base = DefaultBaseURL
	}
	if c.Model == "" {
		return nil, transport.BadConfig(Provider, "no model")
	}
	if err := transport.CheckKey(Provider, c.Key); err != nil {
		return nil, err
	}
	language, err := languageOf(c.API, base, c.Key != "")
	if err != nil {
		return nil, err
	}
	m := &Model{
		name: c.Name, model: c.Model, language: language,
		client: transport.NewClient(c.HTTPClient), limits: c.Limits,
		header:  func() http.Header { return headerOf(c) },
		secrets: func() []string { return []string{string(c.Key)} },
	}
	if m.name == "" {
		m.name = Provider + ":" + c.Model
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	return m, nil
}

func headerOf(c Config) http.Header {
	h := http.Header{}
	if c.Key != "" {
		h.Set("Authorization", "Bearer "+string(c.Key))
	}
	if c.Referer != "" {
		h.Set("HTTP-Referer", c.Referer)
	}
	if c.Title != "" {
		h.Set("X-OpenRouter-Title", c.Title)
	}
	return h
}

// Name returns "openrouter:<model>", or what Config says.
func (m *Model) Name() string { return m.name }

// Spec returns what the model can do.
func (m *Model) Spec() request.Spec { return m.spec }

// Stream returns the reply to req as a lazy stream.
func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
	return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
		call, decoder, err := m.language.prepare(req, m.model, m.spec)
		call.Provider, call.URL, call.Header = Provider, m.language.url, m.header()
		call.Secrets, call.Limits = m.secrets(), m.limits
		return call, decoder, err
	})
}
