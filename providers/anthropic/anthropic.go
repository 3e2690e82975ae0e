package anthropic

import (
	"context"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Provider is the name of this provider in failures, names and ProviderData.
const Provider = "anthropic"

// ExtraKey is the key of the request's Extra that this adapter reads: a raw JSON
// object that is merged last into the body. It cannot set model, messages, tools,
// stream, anthropic_version.
const ExtraKey = "messages"

// DefaultBaseURL is where Anthropic answers.
const DefaultBaseURL = "https://api.anthropic.com/v1"

// DefaultVersion is the version of the API that is asked for (anthropic-sdk-go
// v1.60, read August to October 2026).
const DefaultVersion = "2023-06-01"

// Config describes one model. The zero Config is refused: Model is required.
type Config struct {
	// Key is the API key, sent as x-api-key. OAuthToken is sent as a bearer
	// token instead; set one of them, or none, which is enough to replay
	// recordings and for local hosts.
	Key, OAuthToken providers.Secret
	// Model is the id as Anthropic knows it, for instance "claude-sonnet-5".
	Model string
	// Name replaces "anthropic:<model>".
	Name string
	// BaseURL replaces [DefaultBaseURL]. With a credential it is https or
	// loopback.
	BaseURL string
	// Version replaces [DefaultVersion].
	Version string
	// Beta are the names of beta features to ask for. OAuth tokens need one as
	// well.
	Beta []string
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec replaces what [SpecFor] knows of the model.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// A Model is one model of Anthropic. It is immutable and safe for concurrent use,
// and prints nothing of its credentials.
type Model struct {
	name, model, url string
	spec             request.Spec
	profile          messageswire.Profile
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
	known := rowFor(c.Model)
	m := &Model{
		name: c.Name, model: c.Model, url: strings.TrimRight(c.BaseURL, "/") + "/messages",
		spec: known.spec, client: transport.NewClient(c.HTTPClient), limits: c.Limits,
	}
	if m.name == "" {
		m.name = Provider + ":" + c.Model
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	m.profile = messageswire.Profile{
		Origin: Provider, NoKey: c.Key == "" && c.OAuthToken == "",
		MaxOutput: m.spec.MaxOutput, Thinking: known.thinking,
	}
	header := headerOf(&c)
	key, token := string(c.Key), string(c.OAuthToken)
	m.header = func() http.Header { return header.Clone() }
	m.secrets = func() []string { return []string{key, token} }
	return m, nil
}

// check fills in the defaults and reports what is wrong.
func check(c *Config) error {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	if c.Version == "" {
		c.Version = DefaultVersion
	}
	switch {
	case c.Model == "":
		return transport.BadConfig(Provider, "no model")
	case c.Key != "" && c.OAuthToken != "":
		return transport.BadConfig(Provider, "both a key and an OAuth token")
	}
	if err := transport.CheckKey(Provider, c.Key, c.OAuthToken); err != nil {
		return err
	}
	return transport.CheckEndpoint(Provider, c.BaseURL, c.Key != "" || c.OAuthToken != "")
}

func headerOf(c *Config) http.Header {
	h := http.Header{}
	h.Set("Anthropic-Version", c.Version)
	if len(c.Beta) > 0 {
		h.Set("Anthropic-Beta", strings.Join(c.Beta, ","))
	}
	if c.Key != "" {
		h.Set("X-Api-Key", string(c.Key))
	}
	if c.OAuthToken != "" {
		h.Set("Authorization", "Bearer "+string(c.OAuthToken))
	}
	return h
}

// Name returns "anthropic:<model>", or what Config says.
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
	call, decoder, err := messageswire.Prepare(req, m.model, m.spec, m.profile)
	call.Provider, call.URL, call.Header = Provider, m.url, m.header()
	call.Secrets, call.Limits = m.secrets(), m.limits
	return call, decoder, err
}
