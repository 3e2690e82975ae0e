package messageswire_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

// What stood behind a call goes back behind it, and a slot that a forged history names
// twice takes nothing more.
func TestSlotsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	turn := request.Assistant(request.Text("a"), request.Call(events.ToolCall{ID: "t1", Name: "f", Arguments: "{}"}), request.Text("b"))
	turn.Data = events.ProviderData{Format: messageswire.Format, Origin: "anthropic", Value: `{"content":[` +
		`{"slot":"tool_use","id":"t1"},{"type":"redacted_thinking","data":"R"},{"slot":"tool_use","id":"t1"},{"slot":"tool_use","id":"gone"},{"type":"fallback"},{"slot":"text"}]}`}
	p := request.Prepared{Request: request.Request{Messages: []request.Message{request.UserText("q"), turn}}}
	sent, err := messageswire.Encode("m", p, messageswire.Profile{Origin: "anthropic"})
	require.NoError(t, err)
	var kinds []string
	for _, m := range regexp.MustCompile(`"type":"([a-z_]+)"`).FindAllStringSubmatch(string(sent), -1) {
		kinds = append(kinds, m[1])
	}
	assert.Equal(t, []string{"text", "text", "tool_use", "redacted_thinking", "fallback", "text"}, kinds)
}
