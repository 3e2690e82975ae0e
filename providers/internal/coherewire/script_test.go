package coherewire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
)

// frames draws one frame of a server that knows the words of the wire and none of
// its rules.
func frames() *rapid.Generator[string] {
	pick := func(words ...string) *rapid.Generator[string] { return rapid.SampledFrom(words) }
	key := rapid.IntRange(0, 2)
	contents := pick(`"type":"text","text":""`, `"type":"text","text":"a"`, `"type":"thinking","thinking":""`,
		`"type":"thinking","thinking":"t"`, `"type":"news","text":"x"`, `"text":"b"`, `"text":" "`, `"text":""`, `"thinking":"u"`, `"x":1`)
	calls := pick(`"id":"t1","function":{"name":"f","arguments":""}`, `"id":"t2","function":{"name":"f","arguments":"{}"}`,
		`"function":{"name":"f"}`, `"id":"t1","function":{"name":"g"}`, `"id":"t3"`)
	pieces := pick(`{`, `}`, `{}`, `null`, `nu`, `ll`, ` `, ``)
	citations := pick(`{"text":"a","sources":[{"id":"d","document":{"url":"u"}}]}`, `{"text":"t","type":"PLAN","sources":[]}`,
		`{"text":"b","content_index":1,"sources":[{"id":"d"},{}]}`, `{"sources":[{"tool_output":{"content":"c"}}],"start":3,"end":1}`)
	reasons := pick(`null`, `"COMPLETE"`, `"TOOL_CALL"`, `"MAX_TOKENS"`, `"STOP_SEQUENCE"`, `"ERROR"`, `"NEWS"`)
	message := func(inner string) string { return `"delta":{"message":{` + inner + `}}` }
	return rapid.Custom(func(t *rapid.T) string {
		n := key.Draw(t, "key")
		frame := func(kind, rest string) string { return fmt.Sprintf(`{"type":%q,"index":%d,%s}`, kind, n, rest) }
		switch rapid.IntRange(0, 19).Draw(t, "kind") {
		case 0:
			return fmt.Sprintf(`{"type":"message-start","id":"m%d"}`, rapid.IntRange(0, 1).Draw(t, "id"))
		case 1, 2, 3:
			return frame("content-start", message(`"content":{`+contents.Draw(t, "content")+`}`))
		case 4, 5, 6, 7:
			return frame("content-delta", message(`"content":{`+contents.Draw(t, "content")+`}`))
		case 8:
			return frame("content-end", `"x":1`)
		case 9, 10:
			return frame("tool-call-start", message(`"tool_calls":{`+calls.Draw(t, "call")+`}`))
		case 11, 12, 13, 14:
			return frame("tool-call-delta", message(fmt.Sprintf(`"tool_calls":{"function":{"arguments":%q}}`, pieces.Draw(t, "piece"))))
		case 15, 16:
			return frame("tool-call-end", `"x":1`)
		case 17:
			return frame("tool-plan-delta", message(`"tool_plan":"p"`))
		case 18:
			return frame("citation-start", message(`"citations":`+citations.Draw(t, "citation")))
		default:
			return fmt.Sprintf(`{"type":"message-end","delta":{"finish_reason":%s,"usage":{"tokens":{"output_tokens":%d}}}}`, reasons.Draw(t, "reason"), n)
		}
	})
}

// Whatever order the words of the wire come in, the grammar holds, a call is
// executable only with arguments that were all there, and what was completed can be
// sent back.
func TestAnyOrderOfFrames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		script := rapid.SliceOfN(frames(), 1, 24).Draw(rt, "frames")
		body := "data: " + strings.Join(script, "\n\ndata: ") + "\n\n"
		evs := drive(body, 1<<20)
		last := evs[len(evs)-1]
		require.True(rt, last.Kind.IsTerminal())
		if f, ok := last.Failure(); ok {
			require.NotEqual(rt, events.ReasonProtocolViolation, f.Reason, "%v", last)
			require.NotEqual(rt, events.Crashed, f.Kind)
		} else {
			require.True(rt, hasEvidence([]byte(body)), "completed without evidence")
		}
		for _, ev := range evs {
			if c, ok := ev.Call(); ok && ev.Kind == events.ToolCallCompleted {
				require.Nil(rt, events.CheckArguments(c.Arguments))
			}
		}
		goesBack(t, evs)
	})
}
