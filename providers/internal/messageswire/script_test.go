package messageswire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
)

// frames draws one frame of a server that knows the words of the wire and none
// of its rules.
func frames() *rapid.Generator[string] {
	key := rapid.IntRange(0, 3)
	pick := func(words ...string) *rapid.Generator[string] { return rapid.SampledFrom(words) }
	blocks := pick(
		`"type":"text","text":""`, `"type":"text","text":"a","citations":[{"url":"u"}]`,
		`"type":"thinking","thinking":"","signature":""`, `"type":"thinking","thinking":"t","signature":"S"`,
		`"type":"redacted_thinking","data":"R"`, `"type":"fallback","from":{"model":"a"},"to":{"model":"b"}`, `"type":"news","x":1`,
		`"type":"tool_use","id":"t1","name":"f","input":{}`, `"type":"tool_use","id":"t2","name":"f","input":{"a":1}`,
		`"type":"tool_use","name":"f"`, `"type":"tool_use","id":"t3"`,
		`"type":"server_tool_use","id":"s1","name":"web_search","input":{}`,
		`"type":"web_search_tool_result","tool_use_id":"s1","content":[{"url":"u"}]`,
		`"type":"web_search_tool_result","tool_use_id":"s2","content":{"type":"x_error"}`,
		`"type":"mcp_tool_result"`)
	deltas := pick(
		`"type":"text_delta","text":"b"`, `"type":"text_delta","text":" "`, `"type":"text_delta","text":""`,
		`"type":"thinking_delta","thinking":"c"`, `"type":"signature_delta","signature":"S"`,
		`"type":"input_json_delta","partial_json":"{"`, `"type":"input_json_delta","partial_json":"}"`, `"type":"input_json_delta","partial_json":"{}"`,
		`"type":"citations_delta","citation":{"url":"u","cited_text":"x"}`, `"type":"news_delta"`)
	reasons := pick(`null`, `"end_turn"`, `"tool_use"`, `"max_tokens"`, `"pause_turn"`, `"refusal"`, `"news"`)
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 19).Draw(t, "kind") {
		case 0:
			return messageStart
		case 1, 2, 3, 4, 5:
			return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{%s}}`, key.Draw(t, "key"), blocks.Draw(t, "block"))
		case 6, 7, 8, 9:
			return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, key.Draw(t, "key"))
		case 10, 11:
			return fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%s},"usage":{"output_tokens":%d}}`, reasons.Draw(t, "reason"), key.Draw(t, "n"))
		case 12:
			return messageStop
		default:
			return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{%s}}`, key.Draw(t, "key"), deltas.Draw(t, "delta"))
		}
	})
}

// Whatever order the words of the wire come in, the grammar holds, a call is
// executable only under tool_use with arguments that were all there, and what was
// completed can be sent back.
func TestAnyOrderOfFrames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		script := rapid.SliceOfN(frames(), 1, 24).Draw(rt, "frames")
		asked := minting()
		if rapid.Bool().Draw(rt, "fallbacks") {
			asked.Request.Extra = map[string]string{messageswire.ExtraKey: `{"fallbacks":"default"}`}
		}
		evs := driveFor(asked, body(append([]string{messageStart}, script...)...), 1<<20)
		last := evs[len(evs)-1]
		require.True(rt, last.Kind.IsTerminal())
		if f, ok := last.Failure(); ok {
			require.NotEqual(rt, events.ReasonProtocolViolation, f.Reason, "%v", last)
			require.NotEqual(rt, events.Crashed, f.Kind)
		} else {
			require.True(rt, hasEvidence([]byte(body(script...))), "completed without evidence")
		}
		for _, ev := range evs {
			if c, ok := ev.Call(); ok && ev.Kind == events.ToolCallCompleted {
				require.Nil(rt, events.CheckArguments(c.Arguments))
				require.True(rt, strings.HasPrefix(c.Arguments, "{"))
			}
		}
		goesBack(t, evs)
	})
}
