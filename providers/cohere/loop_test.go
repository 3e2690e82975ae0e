package cohere_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// recorded is the answer of a file of testdata/loop.
func recorded(t *testing.T, name string) *canned.Transport {
	t.Helper()
	wire, err := os.ReadFile(filepath.Join("testdata", "loop", name))
	require.NoError(t, err)
	return ok(string(wire))
}

// same compares a body with a file of testdata, byte for byte.
func same(t *testing.T, name, got string) {
	t.Helper()
	canned.Golden(t, filepath.Join("testdata", name), []byte(got+"\n"), *update)
}

func weather(t testing.TB) request.Tool {
	t.Helper()
	made, err := request.NewTool("get_weather", "Weather of a city.", `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	require.NoError(t, err)
	return made
}

// TestToolLoop is call, results and answer, and a question after them: the plan, the
// thinking and the citations go back in their places, and every argument as it came.
func TestToolLoop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, model string }{
		{"plan", "command-a-03-2025"},
		{"thinking", "command-a-plus-05-2026"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rt := &canned.Script{Answers: []*canned.Transport{
				recorded(t, c.name+"-call.sse"), recorded(t, c.name+"-answer.sse"), recorded(t, c.name+"-more.sse"),
			}}
			m := model(t, cohere.Config{Model: c.model, Key: "k", HTTPClient: &http.Client{Transport: rt}})
			req := request.Request{
				System: "Be brief.", Messages: []request.Message{request.UserText("Weather in Rome and Graz?")},
				Tools: []request.Tool{weather(t)}, MaxOutputTokens: 500,
			}
			called, err := stream.Collect(m.Stream(t.Context(), req))
			require.NoError(t, err)
			require.Len(t, called.ToolCalls(), 2)
			req.Messages = append(req.Messages, called.Turn(), called.Answer(func(call events.ToolCall) (string, error) {
				return `{"celsius": 21, "of": "` + call.ID + `"}`, nil
			}))
			answered, err := stream.Collect(m.Stream(t.Context(), req))
			require.NoError(t, err)
			assert.Equal(t, stream.OutcomeFinal, answered.Outcome())
			assert.NotEmpty(t, answered.Citations())
			req.Messages = append(req.Messages, answered.Turn(), request.UserText("Thanks."))
			_, err = stream.Collect(m.Stream(t.Context(), req))
			require.NoError(t, err)
			require.Len(t, rt.Sent(), 3)
			same(t, filepath.Join("loop", c.name+"-results.json"), rt.Sent()[1])
			same(t, filepath.Join("loop", c.name+"-next.json"), rt.Sent()[2])
		})
	}
}

// TestEveryFeature is a request with every feature set that this API has, as far as
// they go together: beside tools and files an answer is asked for in words.
func TestEveryFeature(t *testing.T) {
	t.Parallel()
	answer, err := request.NewAnswer("report", `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	require.NoError(t, err)
	before := request.Assistant(request.Text("One moment."), request.Call(events.ToolCall{ID: "t1", Name: "get_weather", Arguments: `{"city":"Graz","n":12345678901234567890}`}))
	before.Data = events.ProviderData{Format: "cohere.v1", Origin: cohere.Provider, Value: `{"tool_plan":"Look.","content":[{"type":"thinking","thinking":"hm"},{"slot":"text"}]}`}
	req := request.Request{
		System: "Answer in one sentence.",
		Messages: []request.Message{
			request.User(request.Text("Weather here?"), request.ImageBytes("image/png", []byte("png")), request.FileBytes("a.txt", "text/plain", []byte("Graz"))),
			before, request.Results(request.ResultError("t1", "no <such> city")), request.UserText("And tomorrow?"),
		},
		Tools: []request.Tool{weather(t)}, ToolChoice: request.ToolChoice{Mode: request.ToolNamed, Name: "get_weather"},
		Answer: answer, MaxOutputTokens: 4000, Temperature: new(0.5), TopP: new(0.9), Stop: []string{"END"}, Seed: new(int64(7)),
		ThinkingBudget: new(1000), Extra: map[string]string{cohere.ExtraKey: `{"safety_mode":"STRICT","citation_options":{"mode":"FAST"}}`},
	}
	var bodies []string
	for range 2 {
		rt := ok(reply)
		r, err := stream.Collect(model(t, cohere.Config{Model: "command-a-plus-05-2026", HTTPClient: &http.Client{Transport: rt}}).Stream(t.Context(), req))
		require.NoError(t, err)
		require.Len(t, r.Notices(), 1, "%v", r.Notices())
		assert.Equal(t, events.NoticeParameterDropped, r.Notices()[0].Code, "the answer, in words")
		bodies = append(bodies, string(rt.Requests()[0].Body))
	}
	assert.Equal(t, bodies[0], bodies[1], "the same request, the same bytes")
	same(t, "everything.json", bodies[0])
}
