package messageswire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
)

// Whatever a start brings to be kept counts, event or not.
func TestStartsAreBounded(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", messageswire.MaxData/4)
	for _, c := range []struct{ why, block string }{
		{"signatures", `"type":"thinking","thinking":"","signature":"` + big + `"`},
		{"arguments of calls", `"type":"tool_use","name":"f","input":{"a":"` + big + `"}`},
		{"callers", `"type":"tool_use","name":"f","caller":{"type":"x","id":"` + big + `"}`},
		{"input of hosted tools", `"type":"server_tool_use","name":"f","input":{"a":"` + big + `"}`},
		{"the rest of hosted tools", `"type":"server_tool_use","name":"f","x":"` + big + `"`},
		{"results", `"type":"x_tool_result","tool_use_id":"s","content":"` + big + `"`},
		{"citations", `"type":"text","text":"","citations":[{"url":"` + big + `"}]`},
		{"opaque blocks", `"type":"redacted_thinking","data":"` + big + `"`},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			frame := []byte(`{"type":"content_block_start","index":0,"content_block":{` + c.block + `}}`)
			requireTooLarge(t, 5, func(int) []byte { return frame })
		})
	}
}

// Blocks are bounded in number, those that send no event too.
func TestBlocksAreBounded(t *testing.T) {
	t.Parallel()
	for _, block := range []string{`"type":"text","text":""`, `"type":"thinking","thinking":""`, `"type":"redacted_thinking"`} {
		requireTooLarge(t, 1025, func(i int) []byte {
			return fmt.Appendf(nil, `{"type":"content_block_start","index":%d,"content_block":{%s}}`, i, block)
		})
	}
}

// requireTooLarge feeds frames to a decoder that nothing else bounds, and wants the
// last of n refused for its size.
func requireTooLarge(t *testing.T, n int, frame func(i int) []byte) {
	t.Helper()
	d := messageswire.NewDecoder(minting(), anthropic())
	for i := range n {
		_, err := d.Frame(transportFrame(frame(i)), func(events.Event) bool { return true })
		if i < n-2 {
			require.NoError(t, err, i)
		}
		if f, failed := events.AsFailure(err); failed {
			assert.Equal(t, events.InvalidReply, f.Kind)
			assert.Equal(t, events.ReasonTooLarge, f.Reason)
			return
		}
	}
	t.Errorf("%d frames were taken", n)
}
