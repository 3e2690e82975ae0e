package messageswire_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/stream"
)

// shared returns a folder of recordings that lies beside the repository on the
// machines that have it.
func shared(t *testing.T, folder string) string {
	t.Helper()
	dir := filepath.Join("../../../../shared", folder)
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the recordings in ../shared are not here")
	}
	return dir
}

// An expectation is what was derived from a recording apart from this code.
type expectation struct {
	Kind      string `json:"kind"`
	Status    int    `json:"status"`
	BodyFile  string `json:"body_file"`
	Text      string `json:"text"`
	Reasoning string `json:"reasoning"`
	ToolCalls []struct {
		ID, Name, Arguments string
	} `json:"tool_calls"`
	HostedToolCalls []struct {
		Type, ID, Name string
		ToolUseID      string `json:"tool_use_id"`
	} `json:"hosted_tool_calls"`
	FinishReason *string        `json:"finish_reason"`
	Usage        map[string]any `json:"usage"`
	Signatures   []string       `json:"signatures"`
	Redacted     []string       `json:"redacted_thinking"`
	ResponseID   string         `json:"response_id"`
	Model        string         `json:"model"`
	End          struct {
		Proper bool            `json:"proper"`
		Error  json.RawMessage `json:"error"`
	} `json:"end"`
	Error struct{ Type, Message string } `json:"error"`
}

// count adds what the keys count, with what it cost to compact the history, which the
// provider leaves out of its sum and bills.
func (e *expectation) count(keys ...string) int64 {
	parts := []any{e.Usage}
	hops, _ := e.Usage["iterations"].([]any)
	for _, hop := range hops {
		if hop, _ := hop.(map[string]any); hop["type"] == "compaction" {
			parts = append(parts, hop)
		}
	}
	var sum int64
	for _, part := range parts {
		for _, k := range keys {
			n, _ := part.(map[string]any)[k].(float64)
			sum += int64(n)
		}
	}
	return sum
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join(shared(t, "fixtures"), "anthropic-messages", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "expect.json")); err != nil {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var want expectation
			text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &want))
			body, err := os.ReadFile(filepath.Join(dir, want.BodyFile))
			require.NoError(t, err)
			if want.Kind == "http_error" {
				checkErrorFixture(t, &want, body)
				return
			}
			checkStreamFixture(t, &want, body)
		})
	}
}

func checkErrorFixture(t *testing.T, want *expectation, body []byte) {
	t.Helper()
	header := http.Header{"Content-Type": {"application/json"}}
	evs := play(t, &canned.Transport{Status: want.Status, Header: header, Body: body}, minting())
	f, ok := terminal(t, evs).Failure()
	require.True(t, ok)
	kinds := map[int]events.FailureKind{
		400: events.Rejected, 401: events.Rejected, 404: events.Rejected, 529: events.Overloaded,
	}
	assert.Equal(t, kinds[want.Status], f.Kind)
	assert.Equal(t, want.Status, f.Status)
	assert.Equal(t, want.Error.Type, f.ProviderCode)
	assert.Equal(t, want.Error.Message, f.Detail)
}

func checkStreamFixture(t *testing.T, want *expectation, body []byte) {
	t.Helper()
	evs := play(t, answered(body), minting())
	for _, size := range []int{1, 13} {
		split := answered(body)
		split.Read = func(int) int { return size }
		require.Equal(t, string(lines(evs)), string(lines(play(t, split, minting()))))
	}
	var reply stream.Reply
	for _, ev := range evs {
		reply.Add(ev)
	}
	start, _ := evs[0].Start()
	assert.Equal(t, want.ResponseID, start.ResponseID)
	assert.Equal(t, want.Model, start.Model)
	assert.Equal(t, want.Text, reply.Text())
	assert.Equal(t, want.Reasoning, reply.Thinking())
	last := terminal(t, evs)
	if !want.End.Proper {
		require.Equal(t, events.Failed, last.Kind)
		return
	}
	require.Equal(t, events.Completed, last.Kind, "%v", last)
	done, _ := last.Completion()
	assert.Equal(t, *want.FinishReason, done.RawStop)
	checkUsage(t, want, done.Usage)
	checkCalls(t, want, &reply)
	for _, s := range append(want.Signatures, want.Redacted...) {
		assert.Contains(t, done.Data.Value, s)
	}
	checkHosted(t, want, evs, done.Data.Value)
}

func checkUsage(t *testing.T, want *expectation, got events.Usage) {
	t.Helper()
	assert.Equal(t, want.count("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"), got.Input.Or(-1))
	assert.Equal(t, want.count("cache_read_input_tokens"), got.CacheRead.Or(-1))
	assert.Equal(t, want.count("cache_creation_input_tokens"), got.CacheWrite.Or(-1)+got.CacheWriteLong.Or(-1))
	assert.Equal(t, want.count("output_tokens"), got.Output.Or(-1))
	assert.True(t, got.Final)
	assert.False(t, got.Inconsistent)
}

func checkCalls(t *testing.T, want *expectation, reply *stream.Reply) {
	t.Helper()
	got := reply.ToolCalls()
	require.Len(t, got, len(want.ToolCalls))
	for i, call := range want.ToolCalls {
		assert.Equal(t, call.ID, got[i].ID)
		assert.Equal(t, call.Name, got[i].Name)
		if call.Arguments == "" {
			call.Arguments = "{}"
		}
		assert.Equal(t, call.Arguments, got[i].Arguments)
	}
}

// checkHosted checks that each use of a hosted tool was shown, each result came
// back to it, and both are kept to be sent back.
func checkHosted(t *testing.T, want *expectation, evs []events.Event, data string) {
	t.Helper()
	started, ended := map[string]bool{}, map[string]bool{}
	for _, ev := range evs {
		h, ok := ev.Hosted()
		switch {
		case !ok:
		case ev.Kind == events.HostedToolStarted:
			started[h.ID] = true
		default:
			ended[h.ID] = true
		}
	}
	for _, h := range want.HostedToolCalls {
		assert.Contains(t, data, `"type":"`+h.Type+`"`)
		switch {
		case strings.HasSuffix(h.Type, "_tool_use"):
			assert.True(t, started[h.ID], h.ID)
		case strings.HasSuffix(h.Type, "_tool_result"):
			assert.True(t, ended[h.ToolUseID], h.ToolUseID)
		}
	}
}

// Captures of a server of this wire: none without an end marker is a success, and
// every one with it is.
func TestCaptures(t *testing.T) {
	t.Parallel()
	bodies, err := filepath.Glob(filepath.Join(shared(t, "captures"), "v1_messages", "*.response.body"))
	require.NoError(t, err)
	require.NotEmpty(t, bodies)
	for _, file := range bodies {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile(file)
			require.NoError(t, err)
			if !bytes.HasPrefix(body, []byte("event:")) {
				t.Skip("an error body, see the goldens")
			}
			last := terminal(t, play(t, answered(body), minting()))
			ended := bytes.Contains(body, []byte("event: message_stop"))
			assert.Equal(t, ended, last.Kind == events.Completed, "%v", last)
		})
	}
}
