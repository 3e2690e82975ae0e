package compatible_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// TestLoop goes the whole way of an agent over two answers of the wire: asked, called,
// answered, and what the second request sends back of the first reply is what the
// provider said, byte for byte, with the thinking that it asks for.
func TestLoop(t *testing.T) {
	t.Parallel()
	for vendor, c := range map[string]struct{ id, turn, after string }{
		"deepseek": {
			id:    "call_00_a",
			turn:  `{"role":"assistant","content":"Let me look.","reasoning_content":"I need \"it\"\nné.","tool_calls":`,
			after: `"stream":true,"stream_options":{"include_usage":true},"max_tokens":100,"thinking":{"type":"enabled"},"reasoning_effort":"low"}`,
		},
		"mistral": {
			id: "abc123XYZ",
			turn: `{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"I need \"it\"\nné."}],"closed":true,"signature":"s+/="},` +
				`{"type":"text","text":"Let me look."}],"tool_calls":`,
			after: `"stream":true,"max_tokens":100,"reasoning_effort":"low"}`,
		},
	} {
		t.Run(vendor, func(t *testing.T) {
			t.Parallel()
			l := newLoop(t, vendor)
			first, sent := l.turn(t, "1.sse")
			const before = `{"role":"system","content":"Be brief."},{"role":"user","content":"Paris?"}`
			assert.Contains(t, sent, `"messages":[`+before+`],`)
			require.True(t, first.Executable())
			assert.Equal(t, "I need \"it\"\nné.", first.Thinking())
			assert.Equal(t, "Let me look.", first.Text())
			assert.Equal(t, vendor, first.Turn().Data.Origin)

			l.request.Messages = append(l.request.Messages, first.Turn(), first.Answer(func(call events.ToolCall) (string, error) {
				assert.Equal(t, `{"city": "Paris", "n": 9007199254740993}`, call.Arguments)
				return `{"sky":"clear"}`, nil
			}))
			second, sent := l.turn(t, "2.sse")
			assert.Equal(t, `{"model":"m","messages":[`+before+`,`+
				c.turn+`[{"id":"`+c.id+`","type":"function","function":{"name":"weather","arguments":"{\"city\": \"Paris\", \"n\": 9007199254740993}"}}]},`+
				`{"role":"tool","tool_call_id":"`+c.id+`","content":"{\"sky\":\"clear\"}"}],`+
				`"tools":[{"type":"function","function":{"name":"weather","description":"The weather.","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}],`+c.after, sent)
			assert.Equal(t, "Clear.", second.Text())
			assert.Equal(t, events.StopEnd, second.Stop())
			assert.Equal(t, events.Known(64), second.Usage().CacheRead)
		})
	}
}

// A loop is a conversation with a preset over recorded answers.
type loop struct {
	vendor  string
	request request.Request
}

func newLoop(t *testing.T, vendor string) *loop {
	t.Helper()
	weather, err := request.NewTool("weather", "The weather.", `{"type":"object","properties":{"city":{"type":"string"}}}`)
	require.NoError(t, err)
	return &loop{vendor, request.Request{
		System: "Be brief.", Messages: []request.Message{request.UserText("Paris?")}, Tools: []request.Tool{weather},
		MaxOutputTokens: 100, Effort: request.EffortLow,
	}}
}

// turn returns the reply that a file has, and the body that asked for it.
func (l *loop) turn(t *testing.T, name string) (*stream.Reply, string) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "loops", l.vendor, name))
	require.NoError(t, err)
	rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body}
	config, known := compatible.Preset(l.vendor)
	require.True(t, known)
	config.Key, config.Model, config.HTTPClient = key, "m", &http.Client{Transport: rt}
	m, err := compatible.New(config)
	require.NoError(t, err)
	reply, err := stream.Collect(m.Stream(t.Context(), l.request))
	require.NoError(t, err)
	require.Len(t, rt.Requests(), 1)
	return reply, string(rt.Requests()[0].Body)
}
