package main

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/azure"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/openrouter"
)

// A target is the model that a command opens.
type target struct {
	api, vendor, model string
	client             *http.Client
	// key, baseURL and account are for live calls; an empty baseURL is the usual one,
	// in which account is what the user's own part of it is.
	key              providers.Secret
	baseURL, account string
}

// An opener opens a model of one API.
type opener func(target) (providers.Model, error)

// An api is a language that providers speak.
type api struct {
	name string
	// stream is the Content-Type of its streams.
	stream string
	open   opener
	// answer is the body of a small good answer.
	answer string
}

// The small good answers, one a family.
const (
	chatAnswer = `data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}

data: [DONE]

`
	responsesAnswer = `data: {"type":"response.completed","response":{"status":"completed"}}

`
	messagesAnswer = `data: {"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}

data: {"type":"message_stop"}

`
	geminiAnswer = `data: {"candidates":[{"content":{"parts":[{"text":"ok"}]},"finishReason":"STOP"}]}

`
	cohereAnswer = `data: {"type":"message-start","id":"m"}

data: {"type":"message-end","delta":{"finish_reason":"COMPLETE"}}

`
	ollamaAnswer = `{"message":{"role":"assistant","content":"ok"},"done":true,"done_reason":"stop"}
`
)

// apis returns the languages, in the order in which help lists them.
func apis() []api {
	return []api{
		{"openai-chat", "text/event-stream", openChat, chatAnswer},
		{"openai-responses", "text/event-stream", openResponses, responsesAnswer},
		{"anthropic-messages", "text/event-stream", openMessages, messagesAnswer},
		{"gemini-generate", "text/event-stream", openGemini, geminiAnswer},
		{"ollama-chat", "application/x-ndjson", openOllama, ollamaAnswer},
		{"cohere-chat", "text/event-stream", openCohere, cohereAnswer},
		{"bedrock-converse", eventStream, openBedrock, converseAnswer()},
		{"bedrock-invoke", eventStream, openBedrock, invokeAnswer()},
	}
}

func apiNamed(name string) (api, bool) {
	for _, a := range apis() {
		if a.name == name {
			return a, true
		}
	}
	return api{}, false
}

// apiNames returns their names.
func apiNames() []string {
	var names []string
	for _, a := range apis() {
		names = append(names, a.name)
	}
	return names
}

// checkAPI refuses an API that does not exist.
func checkAPI(command, name string) error {
	_, ok := apiNamed(name)
	switch list := strings.Join(apiNames(), ", "); {
	case name == "":
		return wrongUsage("%s: --api is missing; one of: %s", command, list)
	case !ok:
		return wrongUsage("%s: --api %q is unknown; one of: %s", command, name, list)
	}
	return nil
}

// contentType returns the usual Content-Type of an answer.
func contentType(name string, status int) string {
	a, _ := apiNamed(name)
	if status < 200 || status > 299 {
		return "application/json"
	}
	return a.stream
}

// openModel opens the model of a target whose API was checked.
func openModel(t target) (providers.Model, error) {
	a, _ := apiNamed(t.api)
	model, err := a.open(t)
	if err != nil {
		return nil, wrongUsage("%s: %s", t.api, err)
	}
	return model, nil
}

// tellDefault says that a vendor's name chose no dialect.
func (c console) tellDefault(command string, t target) {
	switch {
	case t.hasOneDialect() && t.vendor != "" && t.vendor != usualVendor(t.api):
		c.say(fmt.Sprintf("%s: %s has one dialect: vendor %q changes nothing in it", command, t.api, t.vendor))
	case !t.hasOneDialect() && !t.hasRow():
		c.say(fmt.Sprintf("%s: no row for vendor %q: the tolerant default is used", command, t.vendor))
	}
}

// hasOneDialect reports whether the API is spoken in one way, whoever the vendor is:
// only the vendors of OpenAI's APIs differ, and Vertex AI in its own.
func (t *target) hasOneDialect() bool { return !strings.HasPrefix(t.api, "openai-") && !t.onVertex() }

// hasRow reports whether a vendor of OpenAI's APIs, or of Vertex AI's, is one that the
// tool knows.
func (t *target) hasRow() bool {
	_, known := compatible.Preset(t.vendor)
	return t.onVertex() || t.vendor == "" || t.vendor == tolerant || known ||
		slices.Contains(vendors(), t.vendor) || compatible.QuirksOf(t.vendor) != compatible.Quirks{}
}

// tolerant is the name of the dialect for whom there is no row.
const tolerant = "compatible"

// nowhere is the address of an endpoint that has none of its own. Nothing is ever
// sent to it: record wants another one.
const nowhere = "https://endpoint.invalid/v1"

// openChat opens the adapter of a vendor of Chat Completions. A vendor without a
// row, or none, gets the tolerant default.
func openChat(t target) (providers.Model, error) {
	switch t.vendor {
	case openai.Provider:
		return openai.New(openai.Config{Model: t.model, Key: t.key, BaseURL: t.baseURL, HTTPClient: t.client})
	case azure.Provider:
		return azure.New(azure.Config{Endpoint: cmp.Or(t.baseURL, nowhere), Deployment: t.model, Key: t.key, HTTPClient: t.client})
	case openrouter.Provider:
		return openrouter.New(openrouter.Config{Model: t.model, Key: t.key, BaseURL: t.baseURL, HTTPClient: t.client})
	}
	return openCompatible(t, compatible.ChatCompletions)
}

// openResponses opens the adapter of a vendor of the Responses API, likewise.
func openResponses(t target) (providers.Model, error) {
	switch t.vendor {
	case openai.Provider:
		return openai.New(openai.Config{Model: t.model, API: openai.Responses, Key: t.key, BaseURL: t.baseURL, HTTPClient: t.client})
	case azure.Provider:
		return azure.New(azure.Config{Endpoint: cmp.Or(t.baseURL, nowhere), Deployment: t.model, API: azure.Responses, Key: t.key, HTTPClient: t.client})
	case openrouter.Provider:
		return openrouter.New(openrouter.Config{Model: t.model, API: openrouter.Responses, Key: t.key, BaseURL: t.baseURL, HTTPClient: t.client})
	}
	return openCompatible(t, compatible.Responses)
}

// openCompatible opens an endpoint that speaks one of OpenAI's APIs.
func openCompatible(t target, api compatible.API) (providers.Model, error) {
	config, known := compatible.Preset(cmp.Or(t.vendor, tolerant))
	config.API = api
	if !known {
		config.BaseURL = nowhere
	}
	if t.baseURL == "" && compatible.NeedsAccount(t.vendor) != "" {
		// Without an account nothing is sent there: record wants one, see target.readAccount.
		config.Account = cmp.Or(t.account, "account")
	}
	config.BaseURL = cmp.Or(t.baseURL, config.BaseURL)
	config.Model, config.Key, config.HTTPClient = t.model, t.key, t.client
	return compatible.New(config)
}

// openMessages opens the adapter of Anthropic, whoever the vendor is, but for Vertex AI.
func openMessages(t target) (providers.Model, error) {
	if t.onVertex() {
		return openVertex(t)
	}
	return anthropic.New(anthropic.Config{Model: t.model, Key: t.key, BaseURL: t.baseURL, HTTPClient: t.client})
}

// openGemini opens the adapter of the Gemini API, whoever the vendor is, but for Vertex
// AI.
func openGemini(t target) (providers.Model, error) {
	if t.onVertex() {
		return openVertex(t)
	}
	return gemini.New(gemini.Config{Model: t.model, Key: t.key, BaseURL: t.baseURL, HTTPClient: t.client})
}

// openCohere opens the adapter of Cohere, whoever the vendor is.
func openCohere(t target) (providers.Model, error) {
	return cohere.New(cohere.Config{Model: t.model, Key: t.key, BaseURL: t.baseURL, HTTPClient: t.client})
}

// openOllama opens the adapter of Ollama's own API, whoever the vendor is.
func openOllama(t target) (providers.Model, error) {
	return ollama.New(ollama.Config{Model: t.model, Key: t.key, Host: t.baseURL, HTTPClient: t.client})
}
