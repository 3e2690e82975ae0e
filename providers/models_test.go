package providers_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/azure"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/providers/vertex"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The wire APIs whose adapters are here.
const (
	apiChat     = "openai-chat"
	apiMessages = "anthropic-messages"
	apiOllama   = "ollama-chat"
	apiCohere   = "cohere-chat"
	apiGemini   = "gemini-generate"
	// apiResponses is a second one of the adapters of apiChat.
	apiResponses = "openai-responses"
)

// canary is the key that every model of these tests is given.
const canary = "tk-canary-0123456789abcdef"

// canaryToken is the source of it.
func canaryToken(context.Context) (providers.Secret, error) { return canary, nil }

// model returns the real adapter for an API and a vendor of it, on a round
// tripper of the test's.
func model(tb testing.TB, api, vendor string, rt http.RoundTripper) providers.Model {
	tb.Helper()
	client := &http.Client{Transport: rt}
	var m providers.Model
	var err error
	switch {
	case api == apiMessages:
		m, err = anthropic.New(anthropic.Config{Key: canary, Model: "m", HTTPClient: client})
	case api == apiOllama:
		m, err = ollama.New(ollama.Config{Model: "m", HTTPClient: client})
	case api == apiCohere:
		m, err = cohere.New(cohere.Config{Key: canary, Model: "m", HTTPClient: client})
	case api == apiGemini && vendor == "vertex":
		m, err = vertex.New(vertex.Config{Project: "p", Location: "global", Token: canaryToken, Model: "m", HTTPClient: client})
	case api == apiGemini:
		m, err = gemini.New(gemini.Config{Key: canary, Model: "m", HTTPClient: client})
	case api == apiResponses:
		m, err = responsesModel(vendor, client)
	case vendor == "" || vendor == "openai":
		m, err = openai.New(openai.Config{Key: canary, Model: "m", HTTPClient: client})
	case vendor == "azure":
		m, err = azure.New(azure.Config{Endpoint: "https://azure.test", Key: canary, Deployment: "m", HTTPClient: client})
	case vendor == "openrouter":
		m, err = openrouter.New(openrouter.Config{Key: canary, Model: "m", HTTPClient: client})
	default:
		m, err = compatible.New(compatible.Config{
			Provider: vendor, BaseURL: "https://api.test/v1", Key: canary, Model: "m", HTTPClient: client,
		})
	}
	require.NoError(tb, err)
	return m
}

// responsesModel returns a model through the Responses API.
func responsesModel(vendor string, client *http.Client) (providers.Model, error) {
	switch vendor {
	case "", "openai":
		return openai.New(openai.Config{Key: canary, Model: "m", API: openai.Responses, HTTPClient: client})
	case "azure":
		return azure.New(azure.Config{Endpoint: "https://azure.test", Key: canary, Deployment: "m", API: azure.Responses, HTTPClient: client})
	case "openrouter":
		return openrouter.New(openrouter.Config{Key: canary, Model: "m", API: openrouter.Responses, HTTPClient: client})
	default:
		return compatible.New(compatible.Config{
			Provider: vendor, API: compatible.Responses, BaseURL: "https://api.test/v1", Key: canary, Model: "m", HTTPClient: client,
		})
	}
}

// hello is a request that every model takes.
func hello() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hello")}, MaxOutputTokens: 100}
}

// contentType is the label of a successful body of an API.
func contentType(api string) string {
	if api == apiOllama {
		return "application/x-ndjson"
	}
	return "text/event-stream"
}

// whole is a good body of an API.
func whole(api string, body []byte) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {contentType(api)}}, Body: body}
}

// play ranges the stream of one call to its end.
func play(tb testing.TB, api, vendor string, rt http.RoundTripper) []events.Event {
	tb.Helper()
	var all []events.Event
	for ev := range model(tb, api, vendor, rt).Stream(tb.Context(), hello()) {
		all = append(all, ev)
	}
	return all
}

// fold folds events that were played.
func fold(all []events.Event) *stream.Reply {
	var r stream.Reply
	for _, ev := range all {
		r.Add(ev)
	}
	return &r
}

// lines is the canonical JSON of events, one a line.
func lines(all []events.Event) string {
	var b []byte
	for _, ev := range all {
		b = append(events.AppendJSON(b, ev), '\n')
	}
	return string(b)
}
