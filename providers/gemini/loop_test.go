package gemini_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// The wire of a tool loop, written by ai.google.dev/gemini-api/docs/thought-signatures
// and /function-calling, stored copies read 2026-12-01: thoughts and two calls, of
// which the first is signed, and then the answer.
const (
	called = `data: {"candidates": [{"content": {"parts": [{"text": "**Two cities**\n\n","thought": true}],"role": "model"},"index": 0}],"modelVersion": "gemini-3.8-flash","responseId": "l1"}

data: {"candidates": [{"content": {"parts": [{"text": "I look."}],"role": "model"},"index": 0}],"modelVersion": "gemini-3.8-flash","responseId": "l1"}

data: {"candidates": [{"content": {"parts": [{"functionCall": {"name": "weather","args": {"city": "Graz","day": 1.0},"id": "fc7x"},"thoughtSignature": "EpwI\u002b/=="},{"functionCall": {"name": "weather","args": {"city": "Wien","day": 2}}}],"role": "model"},"index": 0}],"modelVersion": "gemini-3.8-flash","responseId": "l1"}

data: {"candidates": [{"content": {"parts": [{"text": "","thoughtSignature": "AA=="}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 50,"candidatesTokenCount": 20,"totalTokenCount": 80,"thoughtsTokenCount": 10},"modelVersion": "gemini-3.8-flash","responseId": "l1"}

`
	answered = `data: {"candidates": [{"content": {"parts": [{"text": "Rain in Graz, sun in Wien."}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 90,"candidatesTokenCount": 9,"totalTokenCount": 99},"modelVersion": "gemini-3.8-flash","responseId": "l2"}

`
	// secondBody is what the second request has to be, byte for byte: the call's id
	// and arguments as they came, its signature on it and none on the other, the end's
	// on its own part, no minted id, no thoughts.
	secondBody = `{"contents":[{"role":"user","parts":[{"text":"Weather?"}]},` +
		`{"role":"model","parts":[{"text":"I look."},` +
		`{"functionCall":{"id":"fc7x","name":"weather","args":{"city": "Graz","day": 1.0}},"thoughtSignature":"EpwI\u002b/=="},` +
		`{"functionCall":{"name":"weather","args":{"city": "Wien","day": 2}}},` +
		`{"text":"","thoughtSignature":"AA=="}]},` +
		`{"role":"user","parts":[{"functionResponse":{"id":"fc7x","name":"weather","response":{"output":"rain"}}},` +
		`{"functionResponse":{"name":"weather","response":{"output":"sun"}}}]}],` +
		`"tools":[{"functionDeclarations":[{"name":"weather","description":"Weather of a city.","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"},"day":{"type":"number"}}}}]}]}`
)

func TestToolLoop(t *testing.T) {
	t.Parallel()
	weather, err := request.NewTool("weather", "Weather of a city.", `{"type":"object","properties":{"city":{"type":"string"},"day":{"type":"number"}}}`)
	require.NoError(t, err)
	rt := &canned.Script{Answers: []*canned.Transport{ok(called), ok(answered), ok(answered)}}
	m := model(t, gemini.Config{Key: "k", Model: "gemini-3.8-flash", HTTPClient: &http.Client{Transport: rt}})
	req := request.Request{Messages: []request.Message{request.UserText("Weather?")}, Tools: []request.Tool{weather}}
	var reply *stream.Reply
	for range 2 {
		reply, err = stream.Collect(validator.Guard(m.Stream(t.Context(), req), validator.ForRequest(req)))
		require.NoError(t, err)
		if !reply.Executable() {
			break
		}
		say := map[string]string{`{"city": "Graz","day": 1.0}`: "rain", `{"city": "Wien","day": 2}`: "sun"}
		req.Messages = append(req.Messages, reply.Turn(), reply.Answer(func(c events.ToolCall) (string, error) {
			return say[c.Arguments], nil
		}))
	}
	assert.Equal(t, "Rain in Graz, sun in Wien.", reply.Text())
	require.Len(t, rt.Sent(), 2)
	assert.Equal(t, secondBody, rt.Sent()[1])

	// The conversation goes through JSON as a recorder or a database stores it.
	stored, err := req.Canonical()
	require.NoError(t, err)
	again, err := request.Parse(stored)
	require.NoError(t, err)
	_, err = stream.Collect(m.Stream(t.Context(), again))
	require.NoError(t, err)
	assert.Contains(t, rt.Sent()[2], `"thoughtSignature":"EpwI\u002b/=="},{"functionCall":{"name":"weather","args":{"city": "Wien","day": 2}}},{"text":"","thoughtSignature":"AA=="}`)
}
