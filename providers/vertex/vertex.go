package vertex

import (
	"context"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Provider is the name of this provider in failures, names and ProviderData.
const Provider = "vertex"

// Scope is what an access token is asked for.
const Scope = "https://www.googleapis.com/auth/cloud-platform"

// The keys of the request's Extra that this adapter reads, by the API: a raw JSON
// object that is merged last into the body.
const (
	// GenerateContentExtraKey cannot set model or contents; its tools are added to
	// those of the request, and may not declare functions.
	GenerateContentExtraKey = "gemini"
	// MessagesExtraKey cannot set model, messages, tools, stream, anthropic_version.
	MessagesExtraKey = "messages"
)

// messagesVersion is the version of Anthropic's language that Vertex AI takes
// (platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai, a stored copy
// read 2026-12-01).
const messagesVersion = "vertex-2023-10-16"

// An API is a language of Vertex AI.
type API uint8

// The APIs.
const (
	// GenerateContent is that of Google's models, streamGenerateContent.
	GenerateContent API = iota
	// Messages is that of Anthropic's models, by streamRawPredict.
	Messages
)

// Config describes one model. The zero Config is refused: Model is required, and
// Project and Location but in express mode.
type Config struct {
	// Project is the id or number of the project that is billed. Without it and
	// without a location the model is called in express mode, by [GenerateContent].
	Project string
	// Location is where the model runs: a region ("us-east5"), a multi-region ("us",
	// "eu") or "global". Not every model is everywhere.
	Location string
	// Token gives an OAuth access token for every call, sent as a bearer token. Key is
	// an API key of express mode, sent as x-goog-api-key. Set one of them, or none,
	// which is enough to replay recordings.
	Token providers.TokenSource
	Key   providers.Secret
	// API is the language to speak.
	API API
	// Model is the id as Vertex AI knows it, for instance "gemini-3.8-flash",
	// "claude-opus-5-5" or "claude-sonnet-4-5@20250929", with its publisher or without
	// ("google/gemini-3.8-flash"), or a resource of the location: a tuned model's
	// endpoint, "endpoints/123". The whole name of one, "projects/p/locations/l/...",
	// is its project and its location too.
	Model string
	// Beta are the names of beta features of Anthropic's to ask for. Only [Messages]
	// has them.
	Beta []string
	// Name replaces "vertex:<model>".
	Name string
	// BaseURL replaces the address of the location up to and with the version,
	// https://<location>-aiplatform.googleapis.com/v1. With a credential it is https
	// or loopback.
	BaseURL string
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec replaces what [SpecFor] knows of the model.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// A Model is one model of Vertex AI. It is immutable and safe for concurrent use, and
// prints nothing of its credential.
type Model struct {
	name, model            string
	url, countURL, listURL string
	api                    API
	spec                   request.Spec
	gemini                 geminiwire.Profile
	messages               messageswire.Profile
	header                 http.Header
	client                 *http.Client
	limits                 transport.Limits
	// authorize is a function so that no printer reaches the key.
	authorize func(context.Context, *transport.Call) error
}

var _ providers.Model = (*Model)(nil)

// New returns a model. Errors are failures of kind invalid_request and reason
// bad_config.
func New(c Config) (*Model, error) {
	if err := check(&c); err != nil {
		return nil, err
	}
	known := rowFor(c.Model, c.API)
	m := &Model{
		name: c.Name, model: c.Model, url: c.url(), countURL: c.countURL(), listURL: c.listURL(), api: c.API,
		spec: known.spec, gemini: known.gemini, header: http.Header{},
		client: transport.NewClient(c.HTTPClient), limits: c.Limits,
		authorize: func(ctx context.Context, call *transport.Call) error { return authorize(ctx, c.Key, c.Token, call) },
	}
	if m.name == "" {
		m.name = Provider + ":" + c.Model
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	if len(c.Beta) > 0 {
		m.header.Set(betaHeader, strings.Join(c.Beta, ","))
	}
	noKey := c.Key == "" && c.Token == nil
	m.gemini.Origin, m.gemini.NoKey, m.gemini.OwnIDs = Provider, noKey, true
	// Content of its reference
	// (cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/Content, a stored copy
	// read 2026-12-01) wants fileData.mimeType.
	m.gemini.TypedFiles = true
	m.messages = messageswire.Profile{
		Origin: Provider, NoKey: noKey, MaxOutput: m.spec.MaxOutput, Thinking: known.messages, BodyVersion: messagesVersion, NoURLs: true,
	}
	return m, nil
}

// authorize adds the credential of one call to its header, and tells it as secret.
func authorize(ctx context.Context, key providers.Secret, source providers.TokenSource, call *transport.Call) error {
	switch {
	case source != nil:
		token, err := transport.Token(ctx, Provider, source)
		if err != nil {
			return err
		}
		call.Secrets = append(call.Secrets, string(token))
		call.Header.Set("Authorization", "Bearer "+string(token))
	case key != "":
		call.Secrets = append(call.Secrets, string(key))
		call.Header.Set("X-Goog-Api-Key", string(key))
	}
	return nil
}

// Name returns "vertex:<model>", or what Config says.
func (m *Model) Name() string { return m.name }

// Spec returns what the model can do.
func (m *Model) Spec() request.Spec { return m.spec }

// Stream returns the reply to req as a lazy stream.
func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
	return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
		return m.prepare(ctx, req)
	})
}

func (m *Model) prepare(ctx context.Context, req request.Request) (transport.Call, transport.Decoder, error) {
	call, decoder, err := m.spelled(req)
	call.Provider, call.URL, call.Limits = Provider, m.url, m.limits
	if err != nil {
		return call, decoder, err
	}
	call.Header = m.headerOf(&req)
	err = m.authorize(ctx, &call) // before call is returned: it gets secrets
	return call, decoder, err
}

// spelled spells a request in the language of the model.
func (m *Model) spelled(req request.Request) (transport.Call, transport.Decoder, error) {
	if m.api == GenerateContent {
		call, decoder, err := geminiwire.Prepare(req, m.spec, m.gemini)
		call.Framing = transport.SSEOrJSON
		return call, decoder, err
	}
	call, decoder, err := messageswire.Prepare(req, "", m.spec, m.messages)
	call.Failure = m.eitherFailure(call.Failure)
	return call, decoder, err
}

// eitherFailure maps the failures of [Messages]: Anthropic's by their type, and those
// of Google in front of it, which have none, by their status (uni-api issue 41 and
// anthropic-sdk-python pull request 1199 show the two).
func (m *Model) eitherFailure(anthropics func(int, http.Header, []byte) *events.Failure) func(int, http.Header, []byte) *events.Failure {
	return func(status int, header http.Header, body []byte) *events.Failure {
		f := anthropics(status, header, body)
		if f == nil || f.ProviderCode != "" {
			return f
		}
		return m.gemini.FailureOf(status, header, body)
	}
}
