package openai

import (
	"context"
	"net/http"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Provider is the name of this provider in failures, names and ProviderData.
const Provider = "openai"

// The keys of the request's Extra that this adapter reads, by the API that is called: a
// raw JSON object that is merged last into the body.
const (
	// ExtraKey is that of Chat Completions. It cannot set model, messages, tools,
	// stream.
	ExtraKey = "chat"
	// ResponsesExtraKey is that of Responses. It cannot set model, input, stream. Its
	// tools follow those of the request: so OpenAI's own are asked for
	// ({"tools":[{"type":"web_search"}]}). What it wants included comes besides sealed
	// reasoning; an empty list of that has none sealed.
	ResponsesExtraKey = "responses"
)

// An API is one of the two through which OpenAI offers its models.
type API string

// The APIs.
const (
	// ChatCompletions is the zero API.
	ChatCompletions API = ""
	// Responses shows a model's reasoning and gives it back to it, sealed, in the next
	// request; and it has OpenAI's own tools (web search, code, files, images, MCP). It
	// takes no stop sequences and no seed. Nothing is stored at OpenAI.
	Responses API = "responses"
)

// DefaultBaseURL is where OpenAI answers.
const DefaultBaseURL = "https://api.openai.com/v1"

// Config describes one model. The zero Config is refused: Model is required.
type Config struct {
	// Key is the API key, sent as a bearer token; empty sends none, which is
	// enough to replay recordings.
	Key providers.Secret
	// Model is the id as OpenAI knows it, for instance "gpt-5".
	Model string
	// API is the one to call; the zero API is ChatCompletions.
	API API
	// Name replaces "openai:<model>".
	Name string
	// BaseURL replaces [DefaultBaseURL]: the address up to and without
	// "/chat/completions" or "/responses". With a key it is https or loopback.
	BaseURL string
	// Organization and Project are sent as headers where not empty.
	Organization, Project string
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec replaces what [SpecFor] or [ResponsesSpecFor] knows of the model.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// A Model is one model of OpenAI. It is immutable and safe for concurrent use,
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
		name: c.Name, model: c.Model, language: language, spec: language.specFor(c.Model),
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
	if c.Organization != "" {
		h.Set("OpenAI-Organization", c.Organization)
	}
	if c.Project != "" {
		h.Set("OpenAI-Project", c.Project)
	}
	return h
}

// Name returns "openai:<model>", or what Config says.
func (m *Model) Name() string { return m.name }

// Spec returns what the model can do.
func (m *Model) Spec() request.Spec { return m.spec }

// Stream returns the reply to req as a lazy stream.
func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
	return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
		return m.prepare(req)
	})
}

func (m *Model) prepare(req request.Request) (transport.Call, transport.Decoder, error) {
	call, decoder, err := m.language.prepare(req, m.model, m.spec)
	call.Provider, call.URL, call.Header = Provider, m.language.url, m.header()
	call.Secrets, call.Limits = m.secrets(), m.limits
	return call, decoder, err
}
