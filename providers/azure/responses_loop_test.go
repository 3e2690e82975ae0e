package azure_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/azure"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// The loop of an agent: what the second request sends back of the first reply is what
// the wire said, sealed reasoning with it, byte for byte.
func TestResponsesLoop(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/responses/thinking-signed.sse")
	require.NoError(t, err)
	rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body}
	m, err := azure.New(azure.Config{Endpoint: resource, Deployment: "d", API: azure.Responses, Key: key, HTTPClient: &http.Client{Transport: rt}})
	require.NoError(t, err)
	weather, err := request.NewTool("weather", "The weather.", `{"type":"object","properties":{"city":{"type":"string"}}}`)
	require.NoError(t, err)
	r := request.Request{
		System: "Be brief.", Messages: []request.Message{request.UserText("Paris?")}, Tools: []request.Tool{weather},
		MaxOutputTokens: 100, Effort: request.EffortLow,
	}
	reply, err := stream.Collect(m.Stream(t.Context(), r))
	require.NoError(t, err)
	require.True(t, reply.Executable())
	assert.Equal(t, "I need the weather.", reply.Thinking())
	r.Messages = append(r.Messages, reply.Turn(), reply.Answer(func(c events.ToolCall) (string, error) {
		assert.Equal(t, `{"city":"Paris"}`, c.Arguments)
		return "clear", nil
	}))
	for range m.Stream(t.Context(), r) {
	}

	items := []string{
		`{"id":"rs_68f1c0ffee00","type":"reasoning","encrypted_content":"c2lnbmF0dXJlLW9mLXdlaXI=","summary":[{"type":"summary_text","text":"I need the weather."}]}`,
		`{"id":"fc_68f1c0ffee01","type":"function_call","status":"completed","arguments":"{\"city\":\"Paris\"}","call_id":"call_1","name":"weather"}`,
	}
	for _, item := range items {
		assert.Contains(t, string(body), `"item":`+item, "as the wire has it")
	}
	const before = `{"model":"d","input":[{"role":"user","content":"Paris?"}`
	const after = `],"stream":true,"store":false,"include":["reasoning.encrypted_content"],"instructions":"Be brief.",` +
		`"tools":[{"type":"function","name":"weather","description":"The weather.","parameters":{"type":"object","properties":{"city":{"type":"string"}}},"strict":false}],` +
		`"max_output_tokens":100,"reasoning":{"effort":"low"}}`
	sent := rt.Requests()
	require.Len(t, sent, 2)
	assert.Equal(t, resource+"/openai/v1/responses", sent[1].URL)
	assert.Equal(t, before+after, string(sent[0].Body))
	assert.Equal(t, before+","+items[0]+","+items[1]+`,{"type":"function_call_output","call_id":"call_1","output":"clear"}`+after, string(sent[1].Body))
}
