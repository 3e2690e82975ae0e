package ollamawire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
)

func TestRecordings(t *testing.T) {
	t.Parallel()
	canned.Recordings(t, "ollama-native-chat", func(t *testing.T, want canned.Recording) {
		t.Helper()
		evs := want.Play(t, wire(minting()))
		r := canned.Reply(evs)
		require.Equal(t, want.End.Proper, r.Err() == nil, "%v", r.Err())
		assert.Equal(t, want.Text, r.Text())
		assert.Equal(t, want.Reasoning, r.Thinking())
		assert.Equal(t, want.Model, r.Start().Model)
		for member, got := range map[string]events.Count{"prompt_eval_count": r.Usage().Input, "eval_count": r.Usage().Output} {
			told, ok := want.Usage[member].(float64)
			require.True(t, ok, member)
			assert.Equal(t, events.Known(int64(told)), got, member)
		}
		want.Called(t, r)
		completion, ok := terminal(t, evs).Completion()
		require.True(t, ok)
		assert.Equal(t, want.FinishReason, completion.RawStop)
	})
}

// Captures of a server of this wire.
func TestCaptures(t *testing.T) {
	t.Parallel()
	canned.Captures(t, "api_chat", `"done":true`, wire(minting()))
}
