package cohere

import (
	"context"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Provider is the name of this provider in failures, names and ProviderData.
const Provider = "cohere"

// ExtraKey is the key of the request's Extra that this adapter reads: a raw JSON
// object that is merged last into the body. It cannot set model, messages, tools,
// stream, nor documents where the request has files.
const ExtraKey = "cohere"

// DefaultBaseURL is where Cohere answers.
const DefaultBaseURL = "https://api.cohere.com/v2"

// Config describes one model. The zero Config is refused: Model is required.
type Config struct {
	// Key is the API key, sent as a bearer token. It may be empty, to replay
	// recordings and for local hosts.
	Key providers.Secret
	// Model is the id as Cohere knows it, for instance "command-a-03-2025".
	Model string
	// Name replaces "cohere:<model>".
	Name string
	// BaseURL replaces [DefaultBaseURL]; "/chat" is added. With a key it is https
	// or loopback.
	BaseURL string
	// ClientName tells Cohere which project asks (X-Client-Name); empty: not said.
	ClientName string
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec replaces what [SpecFor] knows of the model.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// A Model is one model of Cohere. It is immutable and safe for concurrent use, and
// prints nothing of its key.
type Model struct {
	name, model, url string
	spec             request.Spec
	profile          coherewire.Profile
	client           *http.Client
	limits           transport.Limits
	// header and secrets are functions so that no printer reaches the key.
	header  func() http.Header
	secrets func() []string
}

var _ providers.Model = (*Model)(nil)

// New returns a model. Errors are failures of kind invalid_request and reason
// bad_config.
func New(c Config) (*Model, error) {
	if err := check(&c); err != nil {
		return nil, err
	}
	m := &Model{
		name: c.Name, model: c.Model, url: strings.TrimRight(c.BaseURL, "/") + "/chat",
		spec: SpecFor(c.Model), client: transport.NewClient(c.HTTPClient), limits: c.Limits,
		profile: coherewire.Profile{Origin: Provider, NoKey: c.Key == ""},
	}
	if m.name == "" {
		m.name = Provider + ":" + c.Model
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	header, key := headerOf(&c), string(c.Key)
	m.header = func() http.Header { return header.Clone() }
	m.secrets = func() []string { return []string{key} }
	return m, nil
}

// check fills in the default and reports what is wrong.
func check(c *Config) error {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	if c.Model == "" {
		return transport.BadConfig(Provider, "no model")
	}
	if err := transport.CheckKey(Provider, c.Key, providers.Secret(c.ClientName)); err != nil {
		return err
	}
	return transport.CheckEndpoint(Provider, c.BaseURL, c.Key != "")
}

func headerOf(c *Config) http.Header {
	h := http.Header{}
	if c.Key != "" {
		h.Set("Authorization", "Bearer "+string(c.Key))
	}
	if c.ClientName != "" {
		h.Set("X-Client-Name", c.ClientName)
	}
	return h
}

// Name returns "cohere:<model>", or what Config says.
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
	call, decoder, err := coherewire.Prepare(req, m.model, m.spec, m.profile)
	call.Provider, call.URL, call.Header = Provider, m.url, m.header()
	call.Secrets, call.Limits = m.secrets(), m.limits
	return call, decoder, err
}
