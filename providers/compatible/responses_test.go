package compatible_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// The family's bytes, all of which package openai plays: here those that a profile
// without a row could spoil.
func TestResponsesConformance(t *testing.T) {
	t.Parallel()
	config, _ := compatible.Preset("lmstudio")
	config.Model, config.API, config.Key = "m", compatible.Responses, conformance.Canary
	conformance.Run(t, conformance.Adapter{
		New:  newOf(config),
		Wire: os.DirFS("../internal/responseswire/testdata/conformance"),
		Only: []string{
			"text", "tool-call", "parallel-calls", "thinking", "thinking-signed", "structured-answer", "hosted-tool", "citations",
			"usage", "usage-cached", "usage-thinking", "error-400",
		},
	})
}

// The bytes are those of the family as Mistral's documents have them: reasoning in
// the open, no more in a response than what they name, its own errors.
func TestConformanceOfMistralResponses(t *testing.T) {
	t.Parallel()
	config, _ := compatible.Preset("mistral")
	config.Model, config.API = "mistral-medium-latest", compatible.Responses
	const docs = " (docs.mistral.ai/studio/conversations/responses, a stored copy read 2026-12-01)"
	conformance.Run(t, conformance.Adapter{
		New:  newOf(config),
		Wire: os.DirFS("testdata/mistral-responses"),
		Only: []string{
			"text", "tool-call", "parallel-calls", "thinking", "structured-answer", "usage", "usage-cached", "usage-thinking", "error-401",
		},
		Unsupported: map[string]string{
			"thinking-signed": "reasoning is in the open, and nothing seals it" + docs,
			"hosted-tool":     "the tools are functions of the client: those that Mistral runs are of its Conversations API" + docs,
			"citations":       "what it can do has no search and no sources" + docs,
		},
	})
}

// A preset speaks the second API from the same address, with what the family knows
// of the vendor.
func TestResponses(t *testing.T) {
	t.Parallel()
	const body = "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"id\":\"rs\",\"type\":\"reasoning\",\"encrypted_content\":\"E\",\"summary\":[]}}\n\n" +
		"data: {\"type\":\"response.output_text.done\",\"output_index\":1,\"text\":\"Hi\"}\n\ndata: {\"type\":\"response.completed\"}\n\n"
	for _, c := range []struct {
		vendor, url string
		encrypted   bool
	}{
		{"xai", "https://api.x.ai/v1/responses", true},
		{"deepseek", "https://api.deepseek.com/responses", false},
		{"lmstudio", "http://localhost:1234/v1/responses", false},
	} {
		t.Run(c.vendor, func(t *testing.T) {
			t.Parallel()
			rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(body)}
			config, known := compatible.Preset(c.vendor)
			require.True(t, known)
			config.API, config.Model, config.ExtraBody = compatible.Responses, "m", `{"user":"u","x":1}`
			config.HTTPClient = &http.Client{Transport: rt}
			m, err := compatible.New(config)
			require.NoError(t, err)
			reply, err := stream.Collect(m.Stream(t.Context(), request.Request{
				Messages: []request.Message{request.UserText("hi")},
				Extra:    map[string]string{compatible.ResponsesExtraKey: `{"x":2}`, compatible.ExtraKey: `{"n":1}`},
			}))
			require.NoError(t, err)
			assert.Equal(t, "Hi", reply.Text())
			assert.Equal(t, c.vendor, reply.Turn().Data.Origin)
			sent := rt.Requests()[0]
			assert.Equal(t, c.url, sent.URL)
			include := ""
			if c.encrypted {
				include = `"include":["reasoning.encrypted_content"],`
			}
			assert.JSONEq(t, `{"model":"m","input":[{"role":"user","content":"hi"}],"stream":true,"store":false,`+include+`"user":"u","x":2}`, string(sent.Body))
		})
	}
	for why, c := range map[string]compatible.Config{
		"no such API":                {API: "messages"},
		"quirks of the other API":    {API: compatible.Responses, Quirks: &compatible.Quirks{}},
		"the path is in the address": {API: compatible.Responses, BaseURL: "https://api.test/v1/responses"},
	} {
		c.Provider, c.Model = "acme", "m"
		if c.BaseURL == "" {
			c.BaseURL = "https://api.test/v1"
		}
		_, err := compatible.New(c)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, why)
	}
}
