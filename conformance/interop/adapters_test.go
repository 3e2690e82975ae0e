package interop_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/azure"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/providers/vertex"
	"github.com/weirsdk/weir/request"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The wire families, by their keys of Request.Extra.
const (
	chat      = "chat"
	responses = "responses"
	messages  = "messages"
	converse  = "converse"
	google    = "gemini"
	cohereV2  = "cohere"
	ollamaAPI = "ollama"
)

// An adapter is one API of one provider.
type adapter struct {
	name, family string
	// bytes are the folders of its replies, the first that has a file decides; framed
	// says that they are put into messages of an AWS event stream.
	bytes  []string
	framed bool
	// models are ids that it knows; the first is what tests of one model use. Every
	// adapter is asked for a model that nobody knows besides.
	models []string
	make   func(model string, spec *request.Spec, client *http.Client) (providers.Model, error)
	// counts says that its provider counts tokens.
	counts bool
}

// The folders of replies.
const (
	chatBytes       = "../../providers/internal/chatwire/testdata/conformance"
	responsesBytes  = "../../providers/internal/responseswire/testdata/conformance"
	compatibleBytes = "../../providers/compatible/testdata/conformance"
)

func bytesOf(provider string) string { return "../../providers/" + provider + "/testdata/conformance" }

const unknownModel = "somebody/model-9-preview"

// adapters returns every adapter of weir. Those of the compatible endpoints are the
// presets that have a way of their own.
func adapters() []adapter {
	gpts := []string{
		"gpt-5.1", "gpt-4o", "gpt-4o-2024-05-13", "gpt-4.1", "o1", "o3-mini", "o4-mini", "gpt-5", "gpt-5-mini", "gpt-5.2", "gpt-4-turbo",
		"gpt-5.4", "gpt-5.5", "gpt-5.6-sol", "gpt-5-chat-latest",
	}
	claudes := []string{
		"claude-sonnet-4-5", "claude-opus-4-1", "claude-haiku-4-5", "claude-opus-4-5", "claude-opus-4-6", "claude-sonnet-4-6", "claude-opus-4-7",
		"claude-opus-5", "claude-sonnet-5", "claude-haiku-5-5", "claude-opus-5-5", "claude-fable-5", "claude-fable-5-1",
	}
	geminis := []string{
		"gemini-3.8-flash", "gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3-pro-preview", "gemini-3-flash-preview",
		"gemini-3.1-pro-preview", "gemini-3.1-flash-lite", "gemini-3.5-flash", "gemini-3.6-flash", "gemini-3.7-flash", "gemini-4-argon",
	}
	all := []adapter{
		{
			name: "openai chat", family: chat, bytes: []string{chatBytes}, models: gpts,
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return openai.New(openai.Config{Model: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "openai responses", family: responses, bytes: []string{responsesBytes}, models: gpts, counts: true,
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return openai.New(openai.Config{Model: model, API: openai.Responses, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "azure chat", family: chat, bytes: []string{bytesOf("azure")}, models: []string{"my-deployment"},
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return azure.New(azure.Config{Endpoint: "https://r.example", Deployment: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "azure responses", family: responses, bytes: []string{responsesBytes}, models: []string{"my-deployment"},
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return azure.New(azure.Config{Endpoint: "https://r.example", Deployment: model, API: azure.Responses, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "openrouter chat", family: chat, bytes: []string{bytesOf("openrouter")},
			models: []string{"anthropic/claude-sonnet-4.5", "openai/gpt-5", "google/gemini-2.5-pro", "mistralai/mistral-large"},
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return openrouter.New(openrouter.Config{Model: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "openrouter responses", family: responses, bytes: []string{responsesBytes}, models: []string{"openai/gpt-5", "anthropic/claude-sonnet-4.5"},
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return openrouter.New(openrouter.Config{Model: model, API: openrouter.Responses, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "anthropic", family: messages, bytes: []string{bytesOf("anthropic")}, models: claudes, counts: true,
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return anthropic.New(anthropic.Config{Model: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "vertex claude", family: messages, bytes: []string{bytesOf("anthropic")}, models: claudes, counts: true,
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return vertex.New(vertex.Config{Project: "p", Location: "global", API: vertex.Messages, Model: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "bedrock invoke", family: messages, bytes: []string{bytesOf("anthropic")}, framed: true, models: bedrocks(), counts: true,
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return bedrock.New(bedrock.Config{Region: "us-east-1", API: bedrock.InvokeMessages, Model: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "bedrock converse", family: converse, bytes: []string{bytesOf("bedrock")}, framed: true, models: bedrocks(), counts: true,
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return bedrock.New(bedrock.Config{Region: "us-east-1", Model: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "gemini", family: google, bytes: []string{bytesOf("gemini")}, models: geminis, counts: true,
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return gemini.New(gemini.Config{Model: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "vertex gemini", family: google, bytes: []string{bytesOf("gemini")}, models: geminis, counts: true,
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return vertex.New(vertex.Config{Project: "p", Location: "global", Model: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "cohere", family: cohereV2, bytes: []string{bytesOf("cohere")},
			models: []string{
				"command-a-plus-05-2026", "command-a-03-2025", "command-a-reasoning-08-2025", "command-a-vision-07-2025", "command-a-translate-08-2025",
				"command-r7b-12-2024", "command-r-08-2024", "north-mini-code-1-0",
			},
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return cohere.New(cohere.Config{Model: model, Spec: spec, HTTPClient: client})
			},
		},
		{
			name: "ollama", family: ollamaAPI, bytes: []string{bytesOf("ollama")},
			models: []string{"qwen3:4b", "gpt-oss:20b", "gpt-oss:120b-cloud", "gemma3", "llama3.2", "glm-5.2:cloud"},
			make: func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
				return ollama.New(ollama.Config{Model: model, Spec: spec, HTTPClient: client})
			},
		},
	}
	for _, preset := range []string{
		"unheard-of", "alibaba", "deepseek", "groq", "mistral", "moonshotai", "zai", "vercelgateway", "xai", "databricks", "ollama", "vllm",
	} {
		all = append(all, compatibleAdapter(preset, chat))
	}
	for _, preset := range []string{"unheard-of", "xai", "groq", "vercelgateway", "databricks", "vllm", "mistral"} {
		all = append(all, compatibleAdapter(preset, responses))
	}
	return all
}

func bedrocks() []string {
	return []string{
		"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic.claude-opus-4-1-20250805-v1:0", "global.anthropic.claude-opus-4-6-v1",
		"anthropic.claude-sonnet-4-6", "us.anthropic.claude-opus-4-7", "anthropic.claude-fable-5", "us.amazon.nova-2-lite-v1:0", "amazon.nova-pro-v1:0",
		"openai.gpt-oss-120b-1:0",
	}
}

func compatibleAdapter(preset, family string) adapter {
	a := adapter{name: "compatible " + preset + " " + family, family: family, bytes: []string{compatibleBytes, chatBytes}, models: []string{"a-model"}}
	if family == responses {
		a.bytes, a.counts = []string{responsesBytes}, preset == "mistral"
	}
	a.make = func(model string, spec *request.Spec, client *http.Client) (providers.Model, error) {
		c, known := compatible.Preset(preset)
		if !known {
			c = compatible.Config{Provider: preset, BaseURL: "https://unheard-of.example/v1"}
		}
		if compatible.NeedsAccount(preset) != "" {
			c.Account = "acme"
		}
		if family == responses {
			c.API = compatible.Responses
		}
		c.Model, c.Spec, c.HTTPClient = model, spec, client
		return compatible.New(c)
	}
	return a
}

// model makes a model of an adapter whose exchanges go through rt.
func (a adapter) model(tb testing.TB, id string, rt http.RoundTripper) providers.Model {
	tb.Helper()
	m, err := a.make(id, nil, &http.Client{Transport: rt})
	require.NoError(tb, err, a.name)
	return m
}

// some returns the first of the models that the adapter knows, and one that it does not.
func (a adapter) some(n int) []string {
	return append(slices.Clone(a.models[:min(len(a.models), n, mostModels)]), unknownModel)
}

// every runs a test for each adapter.
func every(t *testing.T, run func(t *testing.T, a adapter)) {
	t.Helper()
	for _, a := range adapters() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			run(t, a)
		})
	}
}
