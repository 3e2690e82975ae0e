package openai_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// TestResponsesLoop goes the whole way of an agent over two answers of the wire:
// asked, called, answered, and what the second request sends back of the first reply
// is what the provider said, byte for byte.
func TestResponsesLoop(t *testing.T) {
	t.Parallel()
	weather, err := request.NewTool("weather", "The weather.", `{"type":"object","properties":{"city":{"type":"string"}}}`)
	require.NoError(t, err)
	r := request.Request{
		System: "Be brief.", Messages: []request.Message{request.UserText("Paris?")}, Tools: []request.Tool{weather},
		MaxOutputTokens: 100, Effort: request.EffortLow,
	}
	turn := func(name string) (*stream.Reply, string) {
		body, err := os.ReadFile(filepath.Join("testdata", "responses-loop", name))
		require.NoError(t, err)
		rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body}
		m, err := openai.New(openai.Config{Key: key, Model: "gpt-5.1", API: openai.Responses, HTTPClient: &http.Client{Transport: rt}})
		require.NoError(t, err)
		reply, err := stream.Collect(m.Stream(t.Context(), r))
		require.NoError(t, err)
		require.Len(t, rt.Requests(), 1)
		assert.Equal(t, openai.DefaultBaseURL+"/responses", rt.Requests()[0].URL)
		return reply, string(rt.Requests()[0].Body)
	}

	first, sent := turn("1.sse")
	const before = `{"model":"gpt-5.1","input":[{"role":"user","content":"Paris?"}`
	const after = `],"stream":true,"store":false,"include":["reasoning.encrypted_content"],"instructions":"Be brief.",` +
		`"tools":[{"type":"function","name":"weather","description":"The weather.","parameters":{"type":"object","properties":{"city":{"type":"string"}}},"strict":false}],` +
		`"max_output_tokens":100,"reasoning":{"effort":"low"}}`
	assert.Equal(t, before+after, sent)
	require.True(t, first.Executable())
	assert.Equal(t, "I need it.", first.Thinking())
	assert.Equal(t, "Let me look.", first.Text())

	r.Messages = append(r.Messages, first.Turn(), first.Answer(func(c events.ToolCall) (string, error) {
		assert.Equal(t, `{"city": "Paris", "n": 9007199254740993}`, c.Arguments)
		return `{"sky":"clear"}`, nil
	}))
	second, sent := turn("2.sse")
	assert.Equal(t, before+
		`,{"id":"rs_1","type":"reasoning","encrypted_content":"gAAAAABq\/+\u003d=","summary":[{"type":"summary_text","text":"I need it."}]}`+
		`,{"id":"msg_1","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Let me look."}],"phase":"commentary","role":"assistant"}`+
		`,{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\"city\": \"Paris\", \"n\": 9007199254740993}","call_id":"call_1","name":"weather"}`+
		`,{"type":"function_call_output","call_id":"call_1","output":"{\"sky\":\"clear\"}"}`+after, sent)
	assert.Equal(t, "Clear.", second.Text())
	assert.Equal(t, events.StopEnd, second.Stop())
	assert.Equal(t, events.Known(80), second.Usage().CacheRead)
}
