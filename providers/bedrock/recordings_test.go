package bedrock_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/providers/internal/canned"
)

// An expectation was derived of a recorded body without weir.
type expectation struct {
	API       string
	BodyFile  string `json:"body_file"`
	Kind      string
	Status    int
	Inner     string `json:"inner_format"`
	Text      string
	Reasoning string
	ToolCalls []struct{ ID, Name, Arguments string } `json:"tool_calls"`
	Hosted    []struct{ Type, ID, Name string }      `json:"hosted_tool_calls"`
	Citations int                                    `json:"citations_count"`
	Reason    string                                 `json:"finish_reason"`
	Usage     map[string]any
	Signed    []string `json:"signatures"`
	End       struct{ Proper bool }
	Error     struct{ Message string }
	Headers   map[string]string `json:"headers_of_interest"`
}

// TestRecordings plays real bodies, where they lie beside the repository, and
// compares. A body of InvokeModelWithResponseStream in another language than
// Anthropic's is none that this module speaks.
func TestRecordings(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "shared", "fixtures")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the recorded fixtures are not beside the repository")
	}
	played := map[string]int{}
	for api, folder := range map[bedrock.API]string{bedrock.Converse: "bedrock-converse", bedrock.InvokeMessages: "bedrock-invoke"} {
		paths, err := filepath.Glob(filepath.Join(root, folder, "*", "expect.json"))
		require.NoError(t, err)
		for _, path := range paths {
			var want expectation
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &want))
			dir := filepath.Dir(path)
			body, err := os.ReadFile(filepath.Join(dir, want.BodyFile))
			require.NoError(t, err)
			if want.Kind == "stream" && api == bedrock.InvokeMessages && want.Inner != "anthropic-messages" {
				played["another language"]++
				continue
			}
			played[folder]++
			t.Run(filepath.Base(dir), func(t *testing.T) {
				t.Parallel()
				if want.Kind == "http_error" {
					checkError(t, api, &want, body)
					return
				}
				checkStream(t, api, &want, body)
			})
		}
	}
	t.Logf("%v", played)
	assert.GreaterOrEqual(t, played["bedrock-converse"], 13)
	assert.GreaterOrEqual(t, played["bedrock-invoke"], 6)
}

func checkError(t *testing.T, api bedrock.API, want *expectation, body []byte) {
	t.Helper()
	header := http.Header{}
	for name, value := range want.Headers {
		header.Set(name, value)
	}
	rt := &canned.Transport{Status: want.Status, Header: header, Body: body}
	f, ok := last(t, slices.Collect(model(t, bedrock.Config{API: api}, rt).Stream(t.Context(), ask()))).Failure()
	require.True(t, ok)
	assert.Equal(t, events.Rejected, f.Kind)
	assert.Equal(t, want.Status, f.Status)
	assert.Equal(t, want.Error.Message, f.Detail)
	kind, _, _ := strings.Cut(header.Get("X-Amzn-Errortype"), ":")
	assert.Equal(t, kind, f.ProviderCode)
	reasons := map[string]events.Reason{
		"ResourceNotFoundException": events.ReasonNotFound, "ValidationException": events.ReasonBadRequest, "AccessDeniedException": events.ReasonPermission,
	}
	assert.Equal(t, reasons[kind], f.Reason)
}

func checkStream(t *testing.T, api bedrock.API, want *expectation, body []byte) {
	t.Helper()
	play := func(read func(int) int) []events.Event {
		rt := ok(body)
		rt.Read = read
		return slices.Collect(model(t, bedrock.Config{API: api}, rt).Stream(t.Context(), ask()))
	}
	evs := play(nil)
	random := rand.New(rand.NewPCG(1, uint64(len(body))))
	for _, read := range []func(int) int{func(int) int { return 1 }, func(int) int { return 1 + random.IntN(100) }} {
		require.Equal(t, printed(evs), printed(play(read)), "the same bytes, split, give the same events")
	}
	reply := canned.Reply(evs)
	require.NoError(t, reply.Err())
	require.True(t, want.End.Proper)
	assert.Equal(t, want.Text, reply.Text())
	assert.Equal(t, want.Reasoning, reply.Thinking())
	assert.Equal(t, want.Reason, reply.RawStop())
	assert.Len(t, reply.Citations(), want.Citations)
	calls := reply.ToolCalls()
	require.Len(t, calls, len(want.ToolCalls))
	for i, c := range want.ToolCalls {
		if c.Arguments == "" {
			c.Arguments = "{}"
		}
		assert.Equal(t, []string{c.ID, c.Name, c.Arguments}, []string{calls[i].ID, calls[i].Name, calls[i].Arguments})
	}
	done, _ := last(t, evs).Completion()
	for _, s := range want.Signed {
		assert.Contains(t, done.Data.Value, s)
	}
	for _, h := range want.Hosted {
		assert.Contains(t, done.Data.Value, h.ID)
	}
	checkUsage(t, want, done.Usage)
}

func printed(evs []events.Event) string {
	var text []byte
	for _, ev := range evs {
		text = append(events.AppendJSON(text, ev), '\n')
	}
	return string(text)
}

func checkUsage(t *testing.T, want *expectation, got events.Usage) {
	t.Helper()
	sum := func(names ...string) int64 {
		var n int64
		for _, name := range names {
			part, _ := want.Usage[name].(float64)
			n += int64(part)
		}
		return n
	}
	input := sum("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens", "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
	assert.Equal(t, input, got.Input.Or(-1))
	assert.Equal(t, sum("outputTokens", "output_tokens"), got.Output.Or(-1))
	assert.True(t, got.Final)
	assert.False(t, got.Inconsistent)
}
