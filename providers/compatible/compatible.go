package compatible

import (
	"context"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Config describes one model of one endpoint. Provider, BaseURL and Model are
// required.
type Config struct {
	// Provider is the endpoint's name in failures and names, and the origin of
	// its ProviderData.
	Provider string
	// BaseURL is the address up to and without "/chat/completions". With a key it
	// is https or loopback.
	BaseURL string
	// Model is the id as the endpoint knows it.
	Model string
	// Name replaces "<provider>:<model>".
	Name string
	// Key is the credential; empty sends none.
	Key providers.Secret
	// KeyHeader is the header that carries Key as it is; empty means a bearer
	// token in Authorization.
	KeyHeader string
	// Header is sent with every call. It is no place for credentials: it is
	// printed with the Config, and failures are not scrubbed of it.
	Header http.Header
	// ExtraBody is a raw JSON object that is merged into every body, before the
	// request's own Extra["chat"]. It cannot set model, messages, tools, stream.
	ExtraBody string
	// Quirks replaces what [QuirksOf] knows of Provider.
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
	provider, name, model, url string

	spec    request.Spec
	profile chatwire.Profile
	client  *http.Client
	limits  transport.Limits
	// header and secrets are functions so that no printer reaches the key.
	header  func() http.Header
	secrets func() []string
}

var _ providers.Model = (*Model)(nil)

// New returns a model. Errors are failures of kind invalid_request and reason
// bad_config.
func New(c Config) (*Model, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	quirks := c.Quirks
	if quirks == nil {
		known := QuirksOf(c.Provider)
		quirks = &known
	}
	header := c.Header.Clone()
	m := &Model{
		provider: c.Provider, name: c.Name, model: c.Model,
		url:     strings.TrimRight(c.BaseURL, "/") + "/chat/completions",
		profile: quirks.profile(), client: transport.NewClient(c.HTTPClient), limits: c.Limits,
		header:  func() http.Header { return withKey(header, c.KeyHeader, string(c.Key)) },
		secrets: func() []string { return []string{string(c.Key)} },
	}
	m.profile.Origin, m.profile.ExtraBody = c.Provider, c.ExtraBody
	if m.name == "" {
		m.name = c.Provider + ":" + c.Model
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	return m, nil
}

func (c Config) check() error {
	what := ""
	switch {
	case c.Provider == "":
		what = "no provider"
	case c.Model == "":
		what = "no model"
	case c.Quirks != nil && c.Quirks.Effort > EffortThinking:
		what = "unknown spelling of the effort"
	default:
		return transport.CheckEndpoint(c.Provider, c.BaseURL, c.Key != "")
	}
	return &events.Failure{
		Kind: events.InvalidRequest, Reason: events.ReasonBadConfig, Detail: what,
		Provider: c.Provider, Sent: events.NotSent,
	}
}

func withKey(header http.Header, name, key string) http.Header {
	h := header.Clone()
	if h == nil {
		h = http.Header{}
	}
	switch {
	case key == "":
	case name == "":
		h.Set("Authorization", "Bearer "+key)
	default:
		h.Set(name, key)
	}
	return h
}

// Name returns "<provider>:<model>", or what Config says.
func (m *Model) Name() string { return m.name }

// Spec returns what Config says that the model can do.
func (m *Model) Spec() request.Spec { return m.spec }

// Stream returns the reply to req as a lazy stream.
func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
	return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
		body, decoder, err := chatwire.Prepare(req, m.model, m.spec, m.profile)
		return transport.Call{
			Provider: m.provider, URL: m.url, Header: m.header(), Body: body,
			Failure: chatwire.FailureOf, Secrets: m.secrets(), Limits: m.limits,
		}, decoder, err
	})
}
