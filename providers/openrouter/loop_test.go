package openrouter_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// TestLoop goes the whole way of an agent over two answers of the wire: asked, called,
// answered, and the second request has the reasoning_details of the first reply as they
// came, put together from their pieces, in order.
func TestLoop(t *testing.T) {
	t.Parallel()
	weather, err := request.NewTool("weather", "The weather.", `{"type":"object","properties":{"city":{"type":"string"}}}`)
	require.NoError(t, err)
	r := request.Request{Messages: []request.Message{request.UserText("Paris?")}, Tools: []request.Tool{weather}, Effort: request.EffortLow}
	turn := func(name string) (*stream.Reply, string) {
		body, err := os.ReadFile(filepath.Join("testdata", "loop", name))
		require.NoError(t, err)
		rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body}
		m, err := openrouter.New(openrouter.Config{Key: conformance.Canary, Model: "anthropic/claude-sonnet-4.5", HTTPClient: &http.Client{Transport: rt}})
		require.NoError(t, err)
		reply, err := stream.Collect(m.Stream(t.Context(), r))
		require.NoError(t, err)
		require.Len(t, rt.Requests(), 1)
		return reply, string(rt.Requests()[0].Body)
	}
	first, _ := turn("1.sse")
	require.True(t, first.Executable())
	assert.Equal(t, "I need \"it\"\nné.", first.Thinking())
	r.Messages = append(r.Messages, first.Turn(), first.Answer(func(c events.ToolCall) (string, error) {
		assert.Equal(t, `{"city": "Paris", "n": 9007199254740993}`, c.Arguments)
		return `{"sky":"clear"}`, nil
	}))
	second, sent := turn("2.sse")
	assert.Contains(t, sent, `"messages":[{"role":"user","content":"Paris?"},{"role":"assistant","content":"Let me look.","reasoning_details":[`+
		`{"type":"reasoning.text","format":"anthropic-claude-v1","index":0,"text":"I need \"it\"\nné.","signature":"EqQBCg+/="},`+
		`{"type":"reasoning.encrypted","data":"b3BhcXVl","id":"rs_1","format":"anthropic-claude-v1","index":1}],`+
		`"tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"weather","arguments":"{\"city\": \"Paris\", \"n\": 9007199254740993}"}}]},`+
		`{"role":"tool","tool_call_id":"toolu_1","content":"{\"sky\":\"clear\"}"}],`)
	assert.Equal(t, "Clear.", second.Text())
	assert.Equal(t, events.StopEnd, second.Stop())
	assert.Equal(t, events.Known(64), second.Usage().CacheRead)
}
