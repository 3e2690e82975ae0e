package chatwire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// Ids of other providers are spelled as the vendor takes them, the same in the call, in
// its result and beside the images of it; ids that it takes go as they are.
func TestCallIDs(t *testing.T) {
	t.Parallel()
	forty := strings.Repeat("x", 40)
	for _, c := range []struct {
		why, vendor, id string
		want            string // empty: another id, of that shape
		shape           string
	}{
		{why: "nobody refuses any", vendor: "unheard-of", id: forty + ".1", want: forty + ".1"},
		{why: "the longest", vendor: "openai", id: forty, want: forty},
		{why: "any character", vendor: "openai", id: "functions.f:0", want: "functions.f:0"},
		{why: "one too long", vendor: "openai", id: forty + "1", shape: `^x{20,}[a-z0-9_]+$`},
		{why: "as at OpenAI", vendor: "azure", id: forty + "1", shape: `^x{20,}[a-z0-9_]+$`},
		{why: "its own", vendor: "mistral", id: "D681PevKs", want: "D681PevKs"},
		{why: "OpenAI's", vendor: "mistral", id: "call_1", shape: `^[a-z0-9]{9}$`},
	} {
		r := request.Request{Messages: []request.Message{
			request.UserText("q"),
			request.Assistant(request.Call(events.ToolCall{ID: c.id, Name: "f", Arguments: "{}"})),
			request.Results(request.ResultBlocks(c.id, request.ImageURL("https://example.com/a.png"))),
		}}
		call, _, err := chatwire.Prepare(r, "m", request.Spec{}, chatwire.ProfileFor(c.vendor))
		require.NoError(t, err, c.why)
		body := string(call.Body)
		_, after, found := strings.Cut(body, `"tool_call_id":"`)
		require.True(t, found, c.why)
		id, _, _ := strings.Cut(after, `"`)
		if c.want != "" {
			assert.Equal(t, c.want, id, c.why)
		} else {
			assert.Regexp(t, c.shape, id, c.why)
			assert.NotContains(t, body, c.id, c.why)
			assert.LessOrEqual(t, len(id), 40, c.why)
		}
		assert.Contains(t, body, `"tool_calls":[{"id":"`+id+`"`, c.why)
		assert.Contains(t, body, `Images of tool call `+id+`:`, c.why)
	}
}
