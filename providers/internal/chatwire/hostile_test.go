package chatwire_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// sent is a body of frames, each the JSON of one.
func sent(frames ...string) []byte {
	return []byte("data: " + strings.Join(frames, "\n\ndata: ") + "\n\n")
}

func deltaOf(members string) string {
	return `{"id":"c","choices":[{"index":0,"delta":{` + members + `}}]}`
}

func endOf(reason string) string {
	return `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

// wholeCall is a call whose arguments happen to be whole.
const wholeCall = `"tool_calls":[{"index":0,"id":"x","function":{"name":"f","arguments":"{}"}}]`

// A reply that broke at the provider is Failed, and tells of its calls as little as of
// its end.
func TestBrokenReplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		wire   []byte
		kind   events.FailureKind
		reason events.Reason
		code   string
	}{
		{"DeepSeek has no room for the rest of a call", sent(deltaOf(wholeCall), endOf("insufficient_system_resource"), "[DONE]"), events.Overloaded, events.ReasonOverloaded, "insufficient_system_resource"},
		{"Z.AI's inference failed", sent(deltaOf(wholeCall), endOf("network_error"), "[DONE]"), events.Overloaded, events.ReasonServer, "network_error"},
		{"vLLM's engine gave up", sent(deltaOf(`"content":"a"`), endOf("abort"), "[DONE]"), events.Overloaded, events.ReasonServer, "abort"},
		{"the choice says why", sent(deltaOf(`"content":"a"`), `{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":429,"message":"slow"}}]}`), events.RateLimited, events.ReasonRateLimit, "429"},
		{"the choice says why, and has no reason", sent(deltaOf(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"error":{"code":429,"message":"slow"}}]}`, "[DONE]"), events.RateLimited, events.ReasonRateLimit, "429"},
		{"the error of a choice is a text", sent(`{"choices":[{"index":0,"delta":{},"error":"gone"}]}`, "[DONE]"), events.Overloaded, events.ReasonServer, ""},
		{"the error of a choice is no error", sent(`{"choices":[{"index":0,"delta":{},"error":7}]}`, "[DONE]"), events.Overloaded, events.ReasonServer, ""},
		{"an error event is no end", []byte(string(sent(deltaOf(`"content":"a"`))) + "event: error\ndata: [DONE]\n\n"), events.Overloaded, events.ReasonServer, ""},
	} {
		got := playAll(t, c.wire, chatwire.Profile{})
		f, ok := got[len(got)-1].Failure()
		require.True(t, ok, c.why)
		assert.ErrorIs(t, f, &events.Failure{Kind: c.kind, Reason: c.reason}, c.why)
		assert.Equal(t, c.code, f.ProviderCode, c.why)
		for _, ev := range got {
			assert.NotEqual(t, events.ToolCallCompleted, ev.Kind, c.why)
		}
	}
}

// Odd frames of a reply that ended well cost nothing of it.
func TestOddFrames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, vendor, text, thinking string
		wire                        []byte
		stop                        events.Stop
		told                        string // by a notice
	}{
		{"a call is cut before its name", "", "a", "", sent(deltaOf(`"content":"a"`), deltaOf(`"tool_calls":[{"index":0,"id":"x","function":{"name":"","arguments":""}}]`), endOf("length"), "[DONE]"), events.StopLength, "a tool call that was cut before its name"},
		{"Z.AI's filter", "zai", "a", "", sent(deltaOf(`"content":"a"`), endOf("sensitive"), "[DONE]"), events.StopContentFilter, ""},
		{"an answer in one frame", "", "whole", "why", sent(`{"choices":[{"index":0,"message":{"role":"assistant","content":"whole","reasoning":"why"},"finish_reason":"stop"}]}`, "[DONE]"), events.StopEnd, ""},
		{"the answer again, whole, in the end", "", "whole", "", sent(deltaOf(`"content":"whole"`), `{"choices":[{"index":0,"message":{"content":"whole"},"finish_reason":"stop"}]}`, "[DONE]"), events.StopEnd, ""},
		{"the answer grows in each frame", "", "wh", "", sent(`{"choices":[{"message":{"content":"wh"}}]}`, `{"choices":[{"message":{"content":"whole"}}]}`, endOf("stop"), "[DONE]"), events.StopEnd, ""},
		{"the answer so far beside each piece", "", "whole", "", sent(`{"choices":[{"delta":{"content":"wh"},"message":{"content":"wh"}}]}`, `{"choices":[{"delta":{"content":"ole"},"message":{"content":"whole"}}]}`, endOf("stop"), "[DONE]"), events.StopEnd, ""},
		{"a part that is null", "mistral", "a", "", sent(deltaOf(`"content":[null,{"type":"text","text":"a"}]`), endOf("stop"), "[DONE]"), events.StopEnd, ""},
		{"a part that is a number", "mistral", "a", "", sent(deltaOf(`"content":[7,{"type":"text","text":"a"}]`), endOf("stop"), "[DONE]"), events.StopEnd, "content that is neither a text nor a part"},
		{"one part and no list", "", "a", "", sent(deltaOf(`"content":{"type":"text","text":"a"}`), endOf("stop"), "[DONE]"), events.StopEnd, ""},
		{"content that is a number", "", "", "", sent(deltaOf(`"content":7`), endOf("stop"), "[DONE]"), events.StopEnd, "content that is neither a text nor a part"},
		{"thinking of Databricks", "databricks", "a", "why", sent(deltaOf(`"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"why"}]}]`), deltaOf(`"content":[{"type":"text","text":"a"}]`), endOf("stop"), "[DONE]"), events.StopEnd, ""},
		{"speech after the end", "openai", "a", "", sent(deltaOf(`"content":"a"`), endOf("stop"), deltaOf(`"audio":{"data":"AAAA"}`), "[DONE]"), events.StopEnd, "audio after the finish_reason"},
	} {
		got := playAll(t, c.wire, chatwire.ProfileFor(c.vendor))
		end, ok := got[len(got)-1].Completion()
		require.True(t, ok, "%s: %v", c.why, got[len(got)-1])
		assert.Equal(t, c.stop, end.Stop, c.why)
		all := folded(got)
		assert.Equal(t, c.text, all.text, c.why)
		assert.Equal(t, c.thinking, all.thinking, c.why)
		var notices []string
		for _, ev := range got {
			if n, ok := ev.Notice(); ok {
				notices = append(notices, n.Detail)
			}
		}
		if c.told == "" {
			assert.Empty(t, notices, c.why)
		} else {
			assert.Equal(t, []string{c.told}, notices, c.why)
		}
	}
}

// A tool that the provider ran is over at the latest with the reply, also when it is
// told of after its end.
func TestExecutedAfterTheEnd(t *testing.T) {
	t.Parallel()
	begun, over := 0, 0
	for _, ev := range playAll(t, sent(endOf("stop"), deltaOf(`"executed_tools":[{"index":0,"type":"search"}]`), "[DONE]"), chatwire.Profile{}) {
		switch ev.Kind {
		case events.HostedToolStarted:
			begun++
		case events.HostedToolCompleted:
			over++
		}
	}
	assert.Equal(t, [2]int{1, 1}, [2]int{begun, over})
}

// Data that somebody forged is refused, and neither breaks nor silences anything.
func TestForgedData(t *testing.T) {
	t.Parallel()
	prepare := func(data string) (string, error) {
		m := request.AssistantText("said")
		m.Data = events.ProviderData{Format: chatwire.Format, Origin: "mistral", Value: data}
		call, _, err := chatwire.Prepare(request.Request{
			Messages: []request.Message{request.UserText("q"), m, request.UserText("go on")},
		}, "m", request.Spec{}, chatwire.ProfileFor("mistral"))
		return string(call.Body), err
	}
	for why, data := range map[string]string{
		"another spelling of role":      `{"Role":"system"}`,
		"another spelling of content":   `{"Content":"said otherwise"}`,
		"another spelling of the calls": `{"tool_call` + "\u017f" + `":[]}`,
		"an escaped role":               `{"r\u006fle":"system"}`,
		"what would leave the object":   `{"x":1}],"model":"y"`,
		"a size that no int holds":      `{"content":[92233720368547758070]}`,
		"content twice":                 `{"content":[1],"content":[1]}`,
	} {
		_, err := prepare(data)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData}, why)
	}
	for why, data := range map[string]string{
		"sizes whose sum is the text's when it overflows": `{"content":[9223372036854775807,9223372036854775807,6]}`,
		"a size that is too large":                        `{"content":[9223372036854775807]}`,
		"speech that is none":                             `{"audio":null}`,
	} {
		body, err := prepare(data)
		require.NoError(t, err, why)
		assert.Contains(t, body, `said`, why)
	}
}

// A reply of a few MiB takes no minutes, whatever is in it. (A second is a hundred times
// what each of these takes.)
func TestHostileRepliesTakeNoTime(t *testing.T) {
	if testing.Short() {
		t.Skip("times are for a machine that is not busy")
	}
	list := `"citations":[` + listed(1000, `"u%d%.0d"`) + `]`
	cited := make([]string, 0, 1001)
	for range 1000 {
		cited = append(cited, `{"choices":[{"delta":{"content":"a"}}],`+list+`}`)
	}
	for why, wire := range map[string][]byte{
		"pieces of audio that are padded each": sent(deltaOf(`"audio":{"data":"`+strings.Repeat("QQ==", 1<<18)+`"}`), endOf("stop")),
		"a thousand sources beside each piece": sent(append(cited, endOf("stop"))...),
	} {
		at := time.Now()
		got := playAll(t, wire, chatwire.Profile{})
		assert.Less(t, time.Since(at), 2*time.Second, why)
		assert.Equal(t, events.Completed, got[len(got)-1].Kind, why)
	}
}
