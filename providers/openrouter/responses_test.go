package openrouter_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// The bytes are those of the family in OpenRouter's dress, which is that of recordings
// quoted in public repositories: comments first, no event names, ids of its own,
// reasoning that is sealed in its last frame and has a format, a server tool's items,
// the cost in the usage, [DONE], errors with a type beside them. What has no bytes
// here is of the family (package openai plays all of it).
func TestResponsesConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New: func(tb testing.TB, rt http.RoundTripper) providers.Model {
			tb.Helper()
			m, err := openrouter.New(openrouter.Config{
				Key: conformance.Canary, Model: "openai/gpt-5.1", API: openrouter.Responses, HTTPClient: &http.Client{Transport: rt},
			})
			require.NoError(tb, err)
			return m
		},
		Wire: os.DirFS("testdata/responses"),
		Only: []string{
			"text", "tool-call", "parallel-calls", "thinking", "thinking-signed", "structured-answer", "hosted-tool", "citations",
			"usage", "usage-cached", "usage-thinking", "usage-unusable",
			"error-400", "error-401", "error-403", "error-404", "error-429", "error-quota", "error-context", "error-500", "error-503",
			"error-first",
		},
	})
}

// The second API has an address and a key of Extra of its own, takes a budget, and
// tells what a reply costs.
func TestResponses(t *testing.T) {
	t.Parallel()
	_, err := openrouter.New(openrouter.Config{Model: "m", API: "messages"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})

	body := "data: {\"type\":\"response.output_text.done\",\"text\":\"Hi\"}\n\n" +
		"data: {\"type\":\"response.completed\",\"response\":{\"usage\":{\"input_tokens\":3,\"output_tokens\":2,\"cost\":0.00012}}}\n\n"
	rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(body)}
	m, err := openrouter.New(openrouter.Config{Model: "a/b", API: openrouter.Responses, Title: "T", HTTPClient: &http.Client{Transport: rt}})
	require.NoError(t, err)
	assert.Equal(t, "openrouter:a/b", m.Name())
	reply, err := stream.Collect(m.Stream(t.Context(), request.Request{
		Messages: []request.Message{request.UserText("hi")}, ThinkingBudget: new(2000),
		Extra: map[string]string{openrouter.ResponsesExtraKey: `{"provider":{"sort":"price"}}`, openrouter.ExtraKey: `{"n":1}`},
	}))
	require.NoError(t, err)
	assert.Equal(t, "Hi", reply.Text())
	assert.Empty(t, reply.Notices())
	cost, told := reply.Cost()
	require.True(t, told)
	assert.Equal(t, events.Micros(120), cost.Micros)
	sent := rt.Requests()[0]
	assert.Equal(t, openrouter.DefaultBaseURL+"/responses", sent.URL)
	assert.Equal(t, "T", sent.Header.Get("X-OpenRouter-Title"))
	assert.JSONEq(t, `{"model":"a/b","input":[{"role":"user","content":"hi"}],"stream":true,"store":false,
		"include":["reasoning.encrypted_content"],"reasoning":{"max_tokens":2000},"provider":{"sort":"price"}}`, string(sent.Body))
}
