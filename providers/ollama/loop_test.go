package ollama_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// recorded is the answer of a file of testdata/loop.
func recorded(t *testing.T, name string) *canned.Transport {
	t.Helper()
	wire, err := os.ReadFile(filepath.Join("testdata", "loop", name))
	require.NoError(t, err)
	return &canned.Transport{Header: http.Header{"Content-Type": {"application/x-ndjson"}}, Body: wire}
}

// same compares a body with a file of testdata/loop, byte for byte.
func same(t *testing.T, name, got string) {
	t.Helper()
	canned.Golden(t, filepath.Join("testdata", "loop", name), []byte(got+"\n"), *update)
}

// TestToolLoop is calls, results and an answer, and a question after them: the thinking
// goes back with its turn, every argument as it came, and each result by the name of its
// tool and the id of its call, a minted one too.
func TestToolLoop(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("get_weather", "Weather of a city.", `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	require.NoError(t, err)
	rt := &canned.Script{Answers: []*canned.Transport{recorded(t, "call.ndjson"), recorded(t, "answer.ndjson"), recorded(t, "more.ndjson")}}
	m, err := ollama.New(ollama.Config{Model: "qwen3:4b", HTTPClient: &http.Client{Transport: rt}})
	require.NoError(t, err)
	req := request.Request{
		System: "Be brief.", Messages: []request.Message{request.UserText("Weather in Rome and Gräz?")},
		Tools: []request.Tool{tool}, MaxOutputTokens: 500, Effort: request.EffortHigh,
	}
	called, err := stream.Collect(m.Stream(t.Context(), req))
	require.NoError(t, err)
	assert.Equal(t, stream.OutcomeToolRequest, called.Outcome())
	require.Len(t, called.ToolCalls(), 2)
	assert.Equal(t, `{"city": "Rome", "n": 12345678901234567890}`, called.ToolCalls()[0].Arguments)
	req.Messages = append(req.Messages, called.Turn(), called.Answer(func(call events.ToolCall) (string, error) {
		return `{"celsius": 21, "of": "` + call.ID + `"}`, nil
	}))
	answered, err := stream.Collect(m.Stream(t.Context(), req))
	require.NoError(t, err)
	assert.Equal(t, stream.OutcomeFinal, answered.Outcome())
	assert.Equal(t, "Warm in both.", answered.Text())
	req.Messages = append(req.Messages, answered.Turn(), request.UserText("Thanks."))
	_, err = stream.Collect(m.Stream(t.Context(), req))
	require.NoError(t, err)
	require.Len(t, rt.Sent(), 3)
	same(t, "first.json", rt.Sent()[0])
	same(t, "results.json", rt.Sent()[1])
	same(t, "next.json", rt.Sent()[2])
}
