package chatwire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
)

// script is a body of the deltas given, ended by a reason.
func script(stop string, deltas ...string) []byte {
	var b strings.Builder
	for _, d := range deltas {
		b.WriteString(`data: {"choices":[{"index":0,"delta":{` + d + `}}]}` + "\n\n")
	}
	b.WriteString(`data: {"choices":[{"delta":{},"finish_reason":"` + stop + `"}]}` + "\n\ndata: [DONE]\n\n")
	return []byte(b.String())
}

// A frame that sends one delta and says something else without an event is read
// again when it comes again.
func TestMemoOfSilentMembers(t *testing.T) {
	t.Parallel()
	got := folded(playAll(t, script("tool_calls",
		`"content":"a"`,
		`"tool_calls":[{"index":0,"id":"c1","function":{"arguments":"{\"n\":1"}}]`,
		`"content":"x","tool_calls":[{"index":0,"function":{"arguments":"1"}}]`,
		`"content":"y","tool_calls":[{"index":0,"function":{"arguments":"1"}}]`,
		`"tool_calls":[{"index":0,"function":{"name":"pay","arguments":"}"}}]`), chatwire.Profile{}))
	require.Len(t, got.calls, 1)
	assert.Equal(t, `{"n":111}`, got.calls[0].Arguments, "no piece of a call whose name is late is lost")
	assert.Equal(t, "axy", got.text)

	got = folded(playAll(t, script("stop",
		`"content":"a"`,
		`"content":"b","reasoning_details":[{"type":"reasoning.encrypted","data":"d"}]`,
		`"content":"c","reasoning_details":[{"type":"reasoning.encrypted","data":"d"}]`), chatwire.Profile{}))
	c, ok := got.terminal.Completion()
	require.True(t, ok)
	assert.JSONEq(t, `{"reasoning_details":[{"type":"reasoning.encrypted","data":"d"},{"type":"reasoning.encrypted","data":"d"}]}`, c.Data.Value)

	calls := folded(playAll(t, script("tool_calls",
		`"tool_calls":[{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\":1"}}]`,
		`"tool_calls":[{"index":0,"id":"y","function":{"arguments":"}"}}]`,
		`"tool_calls":[{"index":0,"id":"y","function":{"arguments":""}}]`,
		`"tool_calls":[{"index":0,"function":{"name":"g","arguments":"{}"}}]`), chatwire.Profile{})).calls
	assert.Equal(t, []events.ToolCall{{ID: "x", Name: "f", Arguments: `{"a":1}`}, {ID: "y", Name: "g", Arguments: "{}"}}, calls,
		"an id without arguments begins a call, though with arguments it did not")
}

// What another choice or another piece says is not lost, and what a frame without
// a delta has is not taken for the last delta's.
func TestMemoReadsNoOther(t *testing.T) {
	t.Parallel()
	call := func(pieces string) string { return `{"choices":[{"delta":{"tool_calls":[` + pieces + `]}}]}` }
	grown := call(`{"index":1,"function":{"name":"b"}},{"index":0,"function":{"arguments":"1"}}`)
	two := `{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"z"}]}},{"delta":{"content":"x"}}]}`
	groq := func(p string) string {
		return `{"choices":[{"delta":{"content":"x"}}],"x_groq":{"usage":{"prompt_tokens":1,"p":"` + p + `"}}}`
	}
	for why, frames := range map[string][]string{
		"usage of Groq's": {groq("a"), groq("a"), groq("b")},
		"a name beside arguments": {
			call(`{"index":0,"id":"x","function":{"name":"f","arguments":"1"}}`),
			call(`{"index":1,"id":"y","function":{"name":"a"}}`), grown, grown, grown,
		},
		"details in another choice": {two, two, two},
		"a frame without a delta": {
			`{"choices":[{"delta":{"content":"x"}}]}`,
			`{"choices":[{"message":{"content":"x"}}],"citations":["https://a.test"]}`,
			`{"choices":[{"message":{"content":"y"}}],"citations":["https://a.test"]}`,
		},
	} {
		wire := []byte("data: " + strings.Join(frames, "\n\ndata: ") + "\n\ndata: [DONE]\n\n")
		want := lines(playAll(t, differently(wire), chatwire.Profile{}))
		assert.Equal(t, want, lines(playAll(t, wire, chatwire.Profile{})), why)
	}
}

// maybe draws one of the members, or none of them.
func maybe(t *rapid.T, label string, likely int, members ...string) []string {
	if rapid.IntRange(0, 9).Draw(t, label+"?") >= likely {
		return nil
	}
	return []string{rapid.SampledFrom(members).Draw(t, label)}
}

func join(lists ...[]string) string {
	var all []string
	for _, l := range lists {
		all = append(all, l...)
	}
	return strings.Join(all, ",")
}

// drawPiece draws an element of tool_calls, drawDelta a delta and drawFrame a
// frame: the texts are @, the paddings #.
func drawPiece(t *rapid.T) string {
	function := join(
		maybe(t, "name", 3, `"name":"f"`, `"name":"g"`, `"name":""`, `"name":null`),
		maybe(t, "arguments", 9, `"arguments":"@"`, `"arguments":"@"`, `"arguments":"@"`, `"arguments":{"a":"@"}`, `"arguments":null`))
	return "{" + join(
		maybe(t, "index", 7, `"index":0`, `"index":0`, `"index":1`),
		maybe(t, "id", 3, `"id":"x"`, `"id":"y"`, `"id":"call_w1"`, `"id":""`, `"id":null`),
		[]string{`"function":{` + function + `}`}) + "}"
}

func drawDelta(t *rapid.T) string {
	calls := drawPiece(t)
	if rapid.IntRange(0, 9).Draw(t, "second piece") == 0 {
		calls += "," + drawPiece(t)
	}
	list := rapid.Permutation([][]string{
		maybe(t, "content", 5, `"content":"@"`, `"content":"@"`, `"content":"@"`, `"content":""`, `"content":null`, `"content":[]`,
			`"content":[{"type":"text","text":"@"}]`, `"content":[{"type":"thinking","thinking":"@"}]`, `"content":{"content":"@"}`),
		maybe(t, "calls", 5, `"tool_calls":[`+calls+`]`, `"tool_calls":[`+calls+`]`, `"tool_calls":[]`, `"tool_calls":null`),
		maybe(t, "refusal", 1, `"refusal":"@"`, `"refusal":null`),
		maybe(t, "reasoning", 2, `"reasoning":"@"`, `"reasoning":""`),
		maybe(t, "reasoning content", 1, `"reasoning_content":"@"`, `"reasoning_content":null`),
		maybe(t, "details", 1, `"reasoning_details":[]`, `"reasoning_details":[{"type":"reasoning.text","text":"#"}]`,
			`"reasoning_details":[{"type":"reasoning.encrypted","data":"d","p":"#"}]`),
		maybe(t, "annotations", 1, `"annotations":[]`, `"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.test","text":"#"}}]`),
		maybe(t, "token", 1, `"token_id":7`, `"text":"#"`, `"text":"@"`),
	}).Draw(t, "order")
	return join(list...)
}

func drawFrame(t *rapid.T) string {
	finish := maybe(t, "finish", 3, `"finish_reason":null`, `"finish_reason":null`, `"finish_reason":null`, `"finish_reason":""`, `"finish_reason":"tool_calls"`)
	choice := join([]string{`"delta":{` + drawDelta(t) + `}`}, finish, maybe(t, "choice", 1, `"text":"#"`, `"text":"@"`, `"index":1`))
	if rapid.IntRange(0, 19).Draw(t, "second choice") == 0 {
		choice += `},{"delta":{` + drawDelta(t) + `}`
	}
	return "{" + join(
		maybe(t, "first", 1, `"p":"#"`, `"error":null`, `"error":{"message":"#","p":"#"}`, `"text":"#"`),
		[]string{`"choices":[{` + choice + `}]`},
		maybe(t, "last", 2, `"obfuscation":"#"`, `"p":"#"`, `"text":"#"`, `"usage":null`, `"usage":{"prompt_tokens":3,"p":"#"}`, `"usage":{"prompt_tokens":-3,"p":"#"}`,
			`"citations":["https://a.test"]`, `"citations":[{"text":"#"}]`, `"x_groq":{"usage":{"prompt_tokens":4,"p":"#"}}`)) + "}"
}

// Whatever comes again, remembering a frame gives what reading it gives.
func TestMemoIsParsing(t *testing.T) {
	t.Parallel()
	texts := rapid.SampledFrom([]string{"a", "b", "1", "{}", "", `\"`, "é", `{\"a\":`, "}"})
	rapid.Check(t, func(t *rapid.T) {
		var wire strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "frames") {
			shape := drawFrame(t)
			for range rapid.IntRange(1, 3).Draw(t, "times") {
				frame := shape
				for strings.ContainsAny(frame, "@#") {
					at := strings.IndexAny(frame, "@#")
					frame = frame[:at] + texts.Draw(t, "text") + frame[at+1:]
				}
				wire.WriteString("data: " + frame + "\n\n")
			}
		}
		wire.WriteString("data: [DONE]\n\n")
		profile := rapid.SampledFrom([]chatwire.Profile{{}, {}, {ReplayReasoning: true}, {CumulativeArguments: true}, {PlaceholderArguments: true}}).Draw(t, "profile")
		want := lines(playAll(t, differently([]byte(wire.String())), profile))
		require.Equal(t, want, lines(playAll(t, []byte(wire.String()), profile)), "%s", wire.String())
	})
}
