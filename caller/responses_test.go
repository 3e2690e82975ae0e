package caller_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/azure"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/openrouter"
)

// responsesOf is a body of the Responses API with one text.
func responsesOf(text string) string {
	quoted := string(events.AppendQuoted(nil, text))
	return `data: {"type":"response.created","response":{"id":"r","model":"gpt-5.1-2025-11-13","service_tier":"auto","output":[]}}` + "\n\n" +
		`data: {"type":"response.output_text.done","output_index":0,"text":` + quoted + `}` + "\n\n" +
		`data: {"type":"response.completed","response":{"id":"r","service_tier":"default","usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":40},"output_tokens":10,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":110}}}` + "\n\n"
}

// responsesModels are models of every adapter of the API.
func responsesModels(t *testing.T, rt http.RoundTripper) map[string]providers.Model {
	t.Helper()
	client := &http.Client{Transport: rt}
	models := map[string]providers.Model{}
	add := func(name string, m providers.Model, err error) {
		require.NoError(t, err, name)
		models[name] = m
	}
	m1, err := openai.New(openai.Config{Model: "gpt-5.1", API: openai.Responses, HTTPClient: client})
	add("openai", m1, err)
	m2, err := azure.New(azure.Config{Endpoint: "https://acme.openai.azure.com", Deployment: "d", API: azure.Responses, Key: "key-1234", HTTPClient: client})
	add("azure", m2, err)
	m3, err := openrouter.New(openrouter.Config{Model: "openai/gpt-5.1", API: openrouter.Responses, HTTPClient: client})
	add("openrouter", m3, err)
	config, _ := compatible.Preset("mistral")
	config.Model, config.API, config.HTTPClient = "m", compatible.Responses, client
	m4, err := compatible.New(config)
	add("mistral", m4, err)
	return models
}

// A typed answer by the schema of the strict subset: each member is required there, and
// what the type leaves out comes as null.
func TestTypedAnswerOfResponses(t *testing.T) {
	t.Parallel()
	type place struct {
		Street string `json:"street,omitempty"`
	}
	type person struct {
		Name  string   `json:"name"`
		Email *string  `json:"email,omitempty"`
		Age   int      `json:"age,omitempty"`
		Tags  []string `json:"tags,omitempty"`
		Home  *place   `json:"home,omitempty"`
	}
	for _, c := range []struct {
		text string
		want person
	}{
		{`{"name":"Ada","email":null,"age":null,"tags":null,"home":null}`, person{Name: "Ada"}},
		{`{"name":"Ada","email":null,"age":36,"tags":["x"],"home":{"street":null}}`, person{Name: "Ada", Age: 36, Tags: []string{"x"}, Home: &place{}}},
	} {
		rt := &cannedTransport{exchanges: []cannedExchange{sseAnswer(responsesOf(c.text))}}
		for name, m := range responsesModels(t, rt) {
			got, result, err := caller.As[person](t.Context(), caller.New(m, caller.Config{}), ask("who?"))
			require.NoError(t, err, name)
			assert.Equal(t, c.want, got, name)
			assert.Len(t, result.Attempts, 1, "%s: a null costs no second try", name)
		}
		for _, sent := range rt.bodies() {
			for _, want := range []string{
				`"text":{"format":{"type":"json_schema"`, `"strict":true`, `"required":["name","email","age","tags","home"]`, `"type":["string","null"]`,
			} {
				assert.Contains(t, string(sent), want)
			}
		}
	}
}

// The tier that a response begins with is how it was asked ("auto"): the one that it ends
// with is priced, so that what a call costs is known.
func TestCostOfResponses(t *testing.T) {
	t.Parallel()
	rt := &cannedTransport{exchanges: []cannedExchange{sseAnswer(responsesOf("Hi"))}}
	c := caller.New(responsesModels(t, rt)["openai"], caller.Config{Prices: openai.Prices()})
	result, err := c.Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, "default", result.Reply.ServiceTier())
	assert.Equal(t, events.Micros(180), result.Cost, "60 * 1.25 + 40 * 0.125 + 10 * 10")
	assert.Equal(t, charge.Exact, result.CostCertainty)
}
