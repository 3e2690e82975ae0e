package responseswire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
)

const (
	created   = `{"type":"response.created","response":{"id":"resp_1","model":"m","status":"in_progress"}}`
	completed = `{"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[],"usage":{"input_tokens":3,"output_tokens":7}}}`
)

// body is an event stream of frames.
func body(frames ...string) string {
	return "data: " + strings.Join(frames, "\n\ndata: ") + "\n\n"
}

func itemDone(index int, item string) string {
	return body(fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":%s}`, index, item))
}

// items draws an item of a server that knows the words of the wire and none of its
// rules.
func items() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		`{"type":"message","id":"m1","content":[]}`, `{"type":"message","id":"m1","status":"completed","content":[{"type":"output_text","text":"ab","annotations":[{"url":"u"}]}],"phase":"p"}`,
		`{"type":"message","id":"m2","content":[{"type":"refusal","refusal":"no"},{"type":"mood"}]}`,
		`{"type":"reasoning","id":"r1","summary":[]}`, `{"type":"reasoning","id":"r1","encrypted_content":"E","summary":[{"type":"summary_text","text":"s"}]}`,
		`{"type":"reasoning","id":"r2","content":[{"type":"reasoning_text","text":"t"}]}`,
		`{"type":"function_call","id":"f1","call_id":"c1","name":"f","arguments":""}`, `{"type":"function_call","id":"f1","call_id":"c1","name":"f","arguments":"{}"}`,
		`{"type":"function_call","id":"f2","call_id":"c1","name":"g","arguments":"{\"a\":","status":"incomplete"}`, `{"type":"function_call","call_id":"c3","name":"f","arguments":{"a":1}}`,
		`{"type":"function_call","id":"f4","arguments":"{}"}`, `{"type":"function_call","name":"f","arguments":"[]"}`,
		`{"type":"function_call","id":"f1","call_id":"c1","name":"f","arguments":"{}","caller":{"type":"program"}}`,
		`{"type":"custom_tool_call","id":"x1","call_id":"c5","name":"h","input":"i"}`,
		`{"type":"web_search_call","id":"w1","status":"completed","action":{"url":"u"}}`, `{"type":"local_shell_call","id":"l1","call_id":"c9"}`,
		`{"type":"local_shell_call_output","id":"l2","call_id":"c9"}`, `{"type":"image_generation_call","id":"g1","result":"AQID"}`, `{"type":"umbrella","id":"u1"}`, `{}`,
	})
}

func frames() *rapid.Generator[string] {
	key := rapid.IntRange(0, 3)
	pick := func(words ...string) *rapid.Generator[string] { return rapid.SampledFrom(words) }
	pieces := pick(`"a"`, `"b"`, `"{"`, `"}"`, `"{}"`, `""`, `null`, `7`)
	names := pick("output_text", "refusal", "reasoning_text", "reasoning_summary_text", "function_call_arguments")
	ids := pick(`,"item_id":"m1"`, `,"item_id":"f1"`, ``)
	return rapid.Custom(func(t *rapid.T) string {
		where := fmt.Sprintf(`"output_index":%d,"content_index":%d%s`, key.Draw(t, "key"), rapid.IntRange(0, 1).Draw(t, "part"), ids.Draw(t, "id"))
		if rapid.IntRange(0, 9).Draw(t, "keyless") == 0 {
			where = `"x":1` + ids.Draw(t, "id")
		}
		switch rapid.IntRange(0, 19).Draw(t, "kind") {
		case 0:
			return created
		case 1, 2, 3, 4:
			return `{"type":"response.output_item.added",` + where + `,"item":` + items().Draw(t, "item") + `}`
		case 5, 6, 7, 8:
			return `{"type":"response.output_item.done",` + where + `,"item":` + items().Draw(t, "item") + `}`
		case 9:
			status := pick(`"completed"`, `"completed"`, `"incomplete"`, `"failed"`, `"news"`, `null`).Draw(t, "status")
			event := pick("completed", "completed", "incomplete", "failed").Draw(t, "event")
			return `{"type":"response.` + event + `","response":{"status":` + status + `,"output":[` + items().Draw(t, "item") + `],"usage":{"output_tokens":1}}}`
		case 10:
			return `{"type":"response.output_text.annotation.added",` + where + `,"annotation":{"url":"u"}}`
		case 11, 12:
			name := names.Draw(t, "name")
			member := map[string]string{"refusal": "refusal", "function_call_arguments": "arguments"}[name]
			if member == "" {
				member = "text"
			}
			return `{"type":"response.` + name + `.done",` + where + `,"` + member + `":` + pieces.Draw(t, "piece") + `}`
		default:
			return `{"type":"response.` + names.Draw(t, "name") + `.delta",` + where + `,"delta":` + pieces.Draw(t, "piece") + `}`
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
		evs := drive(body(append(append([]string{created}, script...), completed)...), 1<<20)
		last := evs[len(evs)-1]
		require.True(rt, last.Kind.IsTerminal())
		if f, ok := last.Failure(); ok {
			require.NotEqual(rt, events.ReasonProtocolViolation, f.Reason, "%v", last)
			require.NotEqual(rt, events.Crashed, f.Kind)
		}
		for _, ev := range evs {
			if c, ok := ev.Call(); ok && ev.Kind == events.ToolCallCompleted {
				require.Nil(rt, events.CheckArguments(c.Arguments))
			}
		}
		goesBack(t, evs)
	})
}
