package ollama_test

import (
	"bytes"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// A script answers each call with the next body of testdata/loop and keeps what it was
// sent.
type script struct {
	answers []string
	sent    [][]byte
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.sent = append(s.sent, body)
	wire, err := os.ReadFile(filepath.Join("testdata", "loop", s.answers[len(s.sent)-1]))
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/x-ndjson"}},
		Body: io.NopCloser(bytes.NewReader(wire)), Request: r,
	}, nil
}

// same compares a body with a file of testdata/loop, byte for byte.
func same(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "loop", name)
	if *update {
		require.NoError(t, os.WriteFile(file, append(bytes.Clone(got), '\n'), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got)+"\n", name)
}

// TestToolLoop is calls, results and an answer, and a question after them: the thinking
// goes back with its turn, every argument as it came, and each result by the name of its
// tool and the id of its call, a minted one too.
func TestToolLoop(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("get_weather", "Weather of a city.", `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	require.NoError(t, err)
	rt := &script{answers: []string{"call.ndjson", "answer.ndjson", "more.ndjson"}}
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
	require.Len(t, rt.sent, 3)
	same(t, "first.json", rt.sent[0])
	same(t, "results.json", rt.sent[1])
	same(t, "next.json", rt.sent[2])
}
