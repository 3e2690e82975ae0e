package ollama

import (
	"context"
	"net/http"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Provider is the name of this provider in failures, names and ProviderData.
const Provider = "ollama"

// ExtraKey is the key of the request's Extra that this adapter reads: a raw JSON
// object that is merged last into the body. It cannot set model, messages, tools,
// stream.
const ExtraKey = "ollama"

// DefaultHost is where a local server answers.
const DefaultHost = "http://127.0.0.1:11434"

// Config describes one model. The zero Config is refused: Model is required.
type Config struct {
	// Model is the id as the server knows it, for instance "qwen3:4b".
	Model string
	// Name replaces "ollama:<model>".
	Name string
	// Host replaces [DefaultHost]. It is a base URL, or host or host:port for
	// plain http; a host alone gets port 11434. With a key it is https or
	// loopback.
	Host string
	// Key is the API key of the hosted service, sent as a bearer token; empty
	// sends none.
	Key providers.Secret
	// KeepAlive is how long the server keeps the model loaded after the reply: 0
	// unloads it at once, a negative time keeps it for good, nil leaves it to the
	// server (five minutes).
	KeepAlive *time.Duration
	// ContextLength is the size of the context window in tokens (num_ctx); 0
	// leaves it to the server. Another size loads the model anew.
	ContextLength int
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec replaces what [SpecFor] knows of the model. Efforts that name others than
	// off and high say that it takes levels of thinking, each by its name, as the
	// server lists them (POST /api/show, thinking.values); else any effort but off
	// turns thinking on, with a Notice where it is not high.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// A Model is one model of one Ollama server. It is immutable and safe for
// concurrent use, and prints nothing of its key.
type Model struct {
	name, model, url string
	spec             request.Spec
	profile          ollamawire.Profile
	client           *http.Client
	limits           transport.Limits
	// key is a function so that no printer reaches it.
	key func() string
}

var _ providers.Model = (*Model)(nil)

// New returns a model. Nothing is sent: whether the server is there and has the
// model shows when a stream is ranged. Errors are failures of kind
// invalid_request and reason bad_config.
func New(c Config) (*Model, error) {
	switch {
	case c.Model == "":
		return nil, transport.BadConfig(Provider, "no model")
	case c.ContextLength < 0:
		return nil, transport.BadConfig(Provider, "the context length is negative")
	}
	if err := transport.CheckKey(Provider, c.Key); err != nil {
		return nil, err
	}
	base, err := endpoint(c.Host, c.Key != "")
	if err != nil {
		return nil, err
	}
	m := &Model{
		name: c.Name, model: c.Model, url: base + "/api/chat",
		spec: SpecFor(c.Model), client: transport.NewClient(c.HTTPClient), limits: c.Limits,
		key: func() string { return string(c.Key) },
	}
	if m.name == "" {
		m.name = Provider + ":" + c.Model
	}
	if c.ContextLength > 0 {
		m.spec.ContextWindow = c.ContextLength
	}
	if isCloud(base) {
		m.spec.StructuredAnswer = request.No // see SpecFor
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	m.profile = profileOf(c, m.spec)
	return m, nil
}

func profileOf(c Config, spec request.Spec) ollamawire.Profile {
	p := ollamawire.Profile{Origin: Provider, NoKey: c.Key == "", ContextLength: c.ContextLength, ThinkLevels: takesLevels(spec)}
	if c.KeepAlive != nil {
		p.KeepAlive = string(events.AppendQuoted(nil, c.KeepAlive.String()))
	}
	return p
}

// Name returns "ollama:<model>", or what Config says.
func (m *Model) Name() string { return m.name }

// Spec returns what the model can do.
func (m *Model) Spec() request.Spec { return m.spec }

// Stream returns the reply to req as a lazy stream.
func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
	return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
		call, decoder, err := ollamawire.Prepare(req, m.model, m.spec, m.profile)
		call.Provider, call.URL, call.Header = Provider, m.url, m.header()
		call.Secrets, call.Limits = []string{m.key()}, m.limits
		return call, decoder, err
	})
}

func (m *Model) header() http.Header {
	h := http.Header{}
	if key := m.key(); key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
	return h
}

// Free returns a table in which the models cost nothing, under the names that
// they have: what runs on one's own machine is free, which is not the same as
// unpriced.
func Free(models ...*Model) price.Table {
	names := make([]string, len(models))
	for i, m := range models {
		names[i] = m.name
	}
	return price.Free(names...)
}
