package messageswire_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
)

// count adds what the keys count, with what it cost to compact the history, which the
// provider leaves out of its sum and bills.
func count(want canned.Recording, keys ...string) int64 {
	parts := []any{want.Usage}
	hops, _ := want.Usage["iterations"].([]any)
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
	canned.Recordings(t, "anthropic-messages", func(t *testing.T, want canned.Recording) {
		t.Helper()
		if want.Kind == "http_error" {
			checkErrorFixture(t, want)
			return
		}
		checkStreamFixture(t, want)
	})
}

func checkErrorFixture(t *testing.T, want canned.Recording) {
	t.Helper()
	header := http.Header{"Content-Type": {"application/json"}}
	evs := play(t, &canned.Transport{Status: want.Status, Header: header, Body: want.Body}, minting())
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

func checkStreamFixture(t *testing.T, want canned.Recording) {
	t.Helper()
	evs := want.Play(t, wire(minting()))
	reply := canned.Reply(evs)
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
	assert.Equal(t, want.FinishReason, done.RawStop)
	checkUsage(t, want, done.Usage)
	want.Called(t, reply)
	for _, s := range append(want.Signatures, want.Redacted...) {
		assert.Contains(t, done.Data.Value, s)
	}
	checkHosted(t, want, evs, done.Data.Value)
}

func checkUsage(t *testing.T, want canned.Recording, got events.Usage) {
	t.Helper()
	assert.Equal(t, count(want, "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"), got.Input.Or(-1))
	assert.Equal(t, count(want, "cache_read_input_tokens"), got.CacheRead.Or(-1))
	assert.Equal(t, count(want, "cache_creation_input_tokens"), got.CacheWrite.Or(-1)+got.CacheWriteLong.Or(-1))
	assert.Equal(t, count(want, "output_tokens"), got.Output.Or(-1))
	assert.True(t, got.Final)
	assert.False(t, got.Inconsistent)
}

// checkHosted checks that each use of a hosted tool was shown, each result came
// back to it, and both are kept to be sent back.
func checkHosted(t *testing.T, want canned.Recording, evs []events.Event, data string) {
	t.Helper()
	started, ended := canned.HostedIDs(evs)
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

// Captures of a server of this wire.
func TestCaptures(t *testing.T) {
	t.Parallel()
	canned.Captures(t, "v1_messages", "event: message_stop", wire(minting()))
}
