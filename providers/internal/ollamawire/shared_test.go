package ollamawire_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// shared returns a folder of the recordings beside the repository, which are
// read in place because they may not be copied.
func shared(t *testing.T, name string) []string {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..", "shared", name)
	found, err := filepath.Glob(filepath.Join(root, "*"))
	require.NoError(t, err)
	if len(found) == 0 {
		t.Skip("no ../shared/" + name + " beside the repository")
	}
	return found
}

// An expectation is what the recordings' own reader, which shares no code with
// this one, found in a body.
type expectation struct {
	Text, Reasoning string
	ToolCalls       []struct{ ID, Name, Arguments string } `json:"tool_calls"`
	FinishReason    string                                 `json:"finish_reason"`
	Usage           struct {
		Prompt int64 `json:"prompt_eval_count"`
		Eval   int64 `json:"eval_count"`
	}
	Model string
	End   struct{ Proper bool }
}

func TestRecordings(t *testing.T) {
	t.Parallel()
	for _, dir := range shared(t, "fixtures/ollama-native-chat") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var want expectation
			text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &want))
			wire, err := os.ReadFile(filepath.Join(dir, "response.ndjson"))
			require.NoError(t, err)

			r, err := stream.Collect(streamOf(t, request.Prepared{FirstMinted: 1}, bytes.NewReader(wire)))
			require.Equal(t, want.End.Proper, err == nil, "%v", err)
			assert.Equal(t, want.Text, r.Text())
			assert.Equal(t, want.Reasoning, r.Thinking())
			assert.Equal(t, want.Model, r.Start().Model)
			assert.Equal(t, events.Known(want.Usage.Prompt), r.Usage().Input)
			assert.Equal(t, events.Known(want.Usage.Eval), r.Usage().Output)
			require.Len(t, r.ToolCalls(), len(want.ToolCalls))
			for i, c := range r.ToolCalls() {
				assert.Equal(t, want.ToolCalls[i].ID, c.ID)
				assert.Equal(t, want.ToolCalls[i].Name, c.Name)
				assert.JSONEq(t, want.ToolCalls[i].Arguments, c.Arguments)
			}
			whole := playBytes(t, wire)
			assert.Equal(t, jsonl(whole), jsonl(play(t, &chunks{rest: wire, sizes: []int{1}})))
			completion, ok := terminal(t, whole).Completion()
			require.True(t, ok)
			assert.Equal(t, want.FinishReason, completion.RawStop)
		})
	}
}

// TestCaptures plays every capture in full, the long ones too.
func TestCaptures(t *testing.T) {
	t.Parallel()
	for _, path := range shared(t, "captures/api_chat") {
		name, ok := strings.CutSuffix(path, ".response.body")
		if !ok {
			continue
		}
		head, err := os.ReadFile(name + ".headers.txt")
		require.NoError(t, err)
		if !bytes.HasPrefix(head, []byte("HTTP/1.1 200")) {
			continue // an error body, see TestFailureOfCaptures
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			wire, err := os.ReadFile(path)
			require.NoError(t, err)
			end := terminal(t, playBytes(t, wire))
			if bytes.Contains(wire, []byte(`"done":true`)) {
				assert.Equal(t, events.Completed, end.Kind, "%v", end)
			} else {
				assert.Equal(t, events.Failed, end.Kind, "no done line is no success: %v", end)
			}
		})
	}
}
