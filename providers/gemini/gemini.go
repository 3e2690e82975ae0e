package gemini

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Provider is the name of this provider in failures, names and ProviderData.
const Provider = "gemini"

// ExtraKey is the key of the request's Extra that this adapter reads: a raw JSON
// object that is merged last into the body. It cannot set model or contents; its
// tools are added to those of the request, and may not declare functions.
const ExtraKey = "gemini"

// DefaultBaseURL is where the Gemini API answers, in the version that Google's own
// SDKs use (ai.google.dev/gemini-api/docs/api-versions, a stored copy read
// 2026-12-01).
const DefaultBaseURL = "https://generativelanguage.googleapis.com/v1beta"

// Config describes one model. The zero Config is refused: Model is required.
type Config struct {
	// Key is the API key, sent as x-goog-api-key; empty sends none, which is enough
	// to replay recordings.
	Key providers.Secret
	// Model is the id as Google knows it, for instance "gemini-3.8-flash", or the
	// name of a resource, for instance "tunedModels/mine".
	Model string
	// Name replaces "gemini:<model>".
	Name string
	// BaseURL replaces [DefaultBaseURL]: the address up to and without "/models".
	// With a key it is https or loopback.
	BaseURL string
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec replaces what [SpecFor] knows of the model.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// A Model is one model of the Gemini API. It is immutable and safe for concurrent
// use, and prints nothing of its key.
type Model struct {
	name, base, url string
	// resource is the name of the model, unescaped, and countURL where it counts.
	resource, countURL string
	spec               request.Spec
	profile            geminiwire.Profile
	client             *http.Client
	limits             transport.Limits
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
		name: c.Name, base: strings.TrimRight(c.BaseURL, "/"), resource: resource(c.Model),
		spec: known.spec, profile: known.profile, client: transport.NewClient(c.HTTPClient), limits: c.Limits,
	}
	// Without alt=sse one JSON array comes, with keys of the same meaning.
	m.url = m.base + "/" + escaped(m.resource) + ":streamGenerateContent?alt=sse"
	m.countURL = m.base + "/" + escaped(m.resource) + ":countTokens"
	m.profile.Origin, m.profile.NoKey = Provider, c.Key == ""
	if m.name == "" {
		m.name = Provider + ":" + c.Model
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	key := string(c.Key)
	m.header = func() http.Header { return headerOf(key) }
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
	if slices.ContainsFunc(strings.Split(c.Model, "/"), isStep) {
		return transport.BadConfig(Provider, "the model has a step of a path for a name")
	}
	if err := transport.CheckKey(Provider, c.Key); err != nil {
		return err
	}
	return transport.CheckEndpoint(Provider, c.BaseURL, c.Key != "")
}

// isStep reports whether a segment of a path is no name.
func isStep(segment string) bool { return segment == "" || segment == "." || segment == ".." }

// resource returns the name of a model: an id alone is one of the models.
func resource(model string) string {
	if !strings.Contains(model, "/") {
		model = "models/" + model
	}
	return model
}

// escaped returns the name of a resource as a path.
func escaped(resource string) string {
	parts := strings.Split(resource, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

func headerOf(key string) http.Header {
	h := http.Header{}
	if key != "" {
		h.Set("X-Goog-Api-Key", key)
	}
	return h
}

// Name returns "gemini:<model>", or what Config says.
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
	call, decoder, err := geminiwire.Prepare(req, m.spec, m.profile)
	call.Provider, call.URL, call.Header = Provider, m.url, m.header()
	call.Framing, call.Secrets, call.Limits = transport.SSEOrJSON, m.secrets(), m.limits
	return call, decoder, err
}
