package bedrock

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Provider is the name of this provider in failures, names and ProviderData.
const Provider = "bedrock"

// The keys of the request's Extra that this adapter reads, by the API: a raw JSON
// object that is merged last into the body. Neither can set messages or tools.
const (
	ConverseExtraKey = "converse"
	MessagesExtraKey = "messages"
)

// messagesVersion is the version of Anthropic's language that Bedrock takes
// (anthropic-sdk-go v1.60, bedrock, read August to October 2026).
const messagesVersion = "bedrock-2023-05-31"

// An API is a language of Bedrock.
type API uint8

// The APIs.
const (
	// Converse is ConverseStream, one language for every model.
	Converse API = iota
	// InvokeMessages is InvokeModelWithResponseStream in Anthropic's language, for
	// Anthropic's models.
	InvokeMessages
)

// Config describes one model. The zero Config is refused: Model and Region are
// required.
type Config struct {
	// Key is an API key of Bedrock, sent as a bearer token. Token gives one for every
	// call instead, and Credentials the keys that sign it. Of the three at most one;
	// none sends none, which is enough to replay recordings.
	Key         providers.Secret
	Token       providers.TokenSource
	Credentials CredentialSource
	// Region is that of the endpoint and of the signature, for instance "us-east-1".
	Region string
	// Model is an id, an inference profile ("us.amazon.nova-2-lite-v1:0") or an ARN.
	Model string
	// API is the language to speak.
	API API
	// SystemTools are tools that Bedrock runs itself, by its own names
	// ("nova_grounding", "nova_code_interpreter"), offered with every request. Only
	// [Converse] has them.
	SystemTools []string
	// Name replaces "bedrock:<model>".
	Name string
	// BaseURL replaces https://bedrock-runtime.<region>.amazonaws.com, and ControlURL
	// https://bedrock.<region>.amazonaws.com, where models are listed; without one that is
	// BaseURL, if there is one. With a credential they are https or loopback.
	BaseURL, ControlURL string
	// HTTPClient is used for every call, but for its Timeout, which never governs
	// a stream; nil means a client with net/http's default transport.
	HTTPClient *http.Client
	// Spec replaces what [SpecFor] knows of the model.
	Spec *request.Spec
	// Limits bounds each exchange; the zero Limits are the defaults.
	Limits transport.Limits
}

// A Model is one model of Bedrock. It is immutable and safe for concurrent use, and
// prints nothing of its credentials.
type Model struct {
	name, url, region string
	// countURL is where the model counts, controlURL where models are listed.
	countURL, controlURL string
	api                  API
	spec                 request.Spec
	converse             conversewire.Profile
	messages             messageswire.Profile
	client               *http.Client
	limits               transport.Limits
	// auth is a function so that no printer reaches the key.
	auth func() authorization
}

// authorization is what a model authorizes its calls with.
type authorization struct {
	key    providers.Secret
	token  providers.TokenSource
	source CredentialSource
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
		name: c.Name, region: c.Region, api: c.API, spec: specOf(known, c.API),
		client: transport.NewClient(c.HTTPClient), limits: c.Limits,
		url:        strings.TrimRight(c.BaseURL, "/") + "/model/" + escaped(c.Model) + "/converse-stream",
		countURL:   strings.TrimRight(c.BaseURL, "/") + "/model/" + escaped(withoutProfile(c.Model)) + "/count-tokens",
		controlURL: strings.TrimRight(c.ControlURL, "/"),
	}
	if m.name == "" {
		m.name = Provider + ":" + c.Model
	}
	if c.Spec != nil {
		m.spec = *c.Spec
	}
	noKey := c.Key == "" && c.Token == nil && c.Credentials == nil
	m.converse = conversewire.Profile{Origin: Provider, NoKey: noKey, Thinking: known.converse, SystemTools: c.SystemTools, UnmarkedTools: known.unmarkedTools}
	if c.API == InvokeMessages {
		m.url = strings.TrimSuffix(m.url, "converse-stream") + "invoke-with-response-stream"
		m.messages = messageswire.Profile{
			Origin: Provider, MaxOutput: m.spec.MaxOutput, Thinking: known.messages, BodyVersion: messagesVersion, StreamInURL: true, NoURLs: true,
		}
	}
	auth := authorization{c.Key, c.Token, c.Credentials}
	m.auth = func() authorization { return auth }
	return m, nil
}

// check fills in the default and reports what is wrong.
func check(c *Config) error {
	credentials := 0
	for _, there := range []bool{c.Key != "", c.Token != nil, c.Credentials != nil} {
		if there {
			credentials++
		}
	}
	switch {
	case c.Model == "":
		return transport.BadConfig(Provider, "no model")
	case c.Region == "" || strings.Trim(c.Region, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return transport.BadConfig(Provider, "no region, or one that is none")
	case credentials > 1:
		return transport.BadConfig(Provider, "more than one of a key, a token source and credentials")
	case c.API > InvokeMessages:
		return transport.BadConfig(Provider, "an API that is not known")
	case c.API == InvokeMessages && len(c.SystemTools) > 0:
		return transport.BadConfig(Provider, "system tools are of Converse only")
	}
	c.addresses()
	if err := transport.CheckKey(Provider, c.Key); err != nil {
		return err
	}
	if err := transport.CheckEndpoint(Provider, c.ControlURL, credentials > 0); err != nil {
		return err
	}
	return transport.CheckEndpoint(Provider, c.BaseURL, credentials > 0)
}

// addresses fills in where the region answers.
func (c *Config) addresses() {
	domain := "." + c.Region + ".amazonaws.com"
	if strings.HasPrefix(c.Region, "cn-") {
		domain += ".cn"
	}
	if c.ControlURL == "" {
		c.ControlURL = cmp.Or(c.BaseURL, "https://bedrock"+domain)
	}
	c.BaseURL = withoutPort(cmp.Or(c.BaseURL, "https://bedrock-runtime"+domain))
	c.ControlURL = withoutPort(c.ControlURL)
}

// withoutPort returns an address without a port that its scheme implies: net/http sends
// one that is written out, and the signature leaves it out (github.com/aws/aws-sdk-go-v2
// v1.48.0, aws/signer/internal/v4, SanitizeHostForHeader, read 2026-12-01).
func withoutPort(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme+u.Port() != "https443" && u.Scheme+u.Port() != "http80" {
		return address
	}
	u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	return u.String()
}

// escaped returns an id as one segment of a path, spelled as AWS's own clients spell
// it, which the signature covers: an ARN holds colons and slashes.
func escaped(id string) string { return strings.ReplaceAll(url.QueryEscape(id), "+", "%20") }

// Name returns "bedrock:<model>", or what Config says.
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
	call.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/vnd.amazon.eventstream"}}
	err = m.authorize(ctx, &call) // before call is returned: it gets secrets
	return call, decoder, err
}

// spelled spells a request in the language of the model.
func (m *Model) spelled(req request.Request) (transport.Call, transport.Decoder, error) {
	if m.api == Converse {
		return conversewire.Prepare(req, m.spec, m.converse)
	}
	call, decoder, err := messageswire.Prepare(req, "", m.spec, m.messages)
	if err != nil {
		return call, nil, err
	}
	// The frames are Anthropic's, what is around them and its errors Bedrock's.
	call.Framing, call.Failure = transport.EventStream, m.converse.FailureOf
	return call, conversewire.NewChunkDecoder(decoder), nil
}
