package chatwire_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// pieces is a body of one frame for each element of tool_calls, ended by a reason
// and a count of output tokens.
func pieces(stop string, output int, list ...string) []byte {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(`data: {"choices":[{"delta":{"tool_calls":[` + p + `]}}]}` + "\n\n")
	}
	fmt.Fprintf(&b, `data: {"choices":[{"delta":{},"finish_reason":%q}]}`+"\n\n", stop)
	fmt.Fprintf(&b, `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":%d}}`+"\n\ndata: [DONE]\n\n", output)
	return []byte(b.String())
}

// A piece with nothing but a new id begins a call, though its index is in use.
func TestCallBeginsWithItsIDAlone(t *testing.T) {
	t.Parallel()
	wire := pieces("tool_calls", 9,
		`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":1}"}}`,
		`{"index":0,"id":"b"}`,
		`{"index":0,"function":{"name":"g","arguments":"{\"n\":2}"}}`)
	calls := folded(playAll(t, wire, chatwire.Profile{})).calls
	require.Len(t, calls, 2)
	assert.Equal(t, events.ToolCall{ID: "a", Name: "f", Arguments: `{"n":1}`}, calls[0])
	assert.Equal(t, events.ToolCall{ID: "b", Name: "g", Arguments: `{"n":2}`}, calls[1])
}

// Arguments that end early in a reply of exactly as many tokens as were allowed:
// the failure says what that looks like.
func TestArgumentsCutByTheOutputLimit(t *testing.T) {
	t.Parallel()
	const note = "cut by the output limit"
	cut := `{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":"}}`
	for _, c := range []struct {
		why           string
		limit, output int
		want          bool
	}{
		{"the whole limit was used", 300, 300, true},
		{"less was used", 300, 299, false},
		{"there was no limit", 0, 300, false},
	} {
		p := request.Prepared{Request: request.Request{MaxOutputTokens: c.limit}, FirstMinted: 1}
		got := folded(play(t, &body{pieces("tool_calls", c.output, cut), whole, io.EOF}, p, chatwire.Profile{}))
		f, ok := got.terminal.Failure()
		require.True(t, ok, c.why)
		assert.Equal(t, events.ReasonBadToolArguments, f.Reason, c.why)
		assert.Equal(t, c.want, strings.Contains(f.Detail, note), "%s: %s", c.why, f.Detail)
		assert.Equal(t, events.Known(int64(c.output)), f.Usage.Output, c.why)
	}
}

// A call without any arguments has none only when the provider says that the reply
// is over: what breaks a stream may add the end marker.
func TestCallWithoutArguments(t *testing.T) {
	t.Parallel()
	const done = "data: [DONE]\n\n"
	begin := func(arguments string) string {
		return `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"wipe","arguments":"` + arguments + `"}}]}}]}` + "\n\n"
	}
	finish := func(reason string) string {
		return `data: {"choices":[{"delta":{},"finish_reason":"` + reason + `"}]}` + "\n\n"
	}
	held := chatwire.Profile{PlaceholderArguments: true}
	for _, c := range []struct {
		why, wire string
		profile   chatwire.Profile
		executes  bool
	}{
		{"a reason", begin("") + finish("tool_calls") + done, chatwire.Profile{}, true},
		{"any reason", begin("") + finish("stop"), chatwire.Profile{}, true},
		{"no reason", begin("") + done, chatwire.Profile{}, false},
		{"an empty reason", begin("") + finish("") + done, chatwire.Profile{}, false},
		{"no reason, and nothing but what stands for nothing", begin("{}") + done, held, false},
		{"no reason, but arguments", begin("{}") + done, chatwire.Profile{}, true},
	} {
		list := playAll(t, []byte(c.wire), c.profile)
		got := folded(list)
		if c.executes {
			require.Len(t, got.calls, 1, c.why)
			assert.Equal(t, "{}", got.calls[0].Arguments, c.why)
			continue
		}
		f, ok := got.terminal.Failure()
		require.True(t, ok, c.why)
		assert.Equal(t, events.InvalidReply, f.Kind, c.why)
		assert.Equal(t, events.ReasonBadToolArguments, f.Reason, c.why)
		assert.Equal(t, events.ToolCallInvalid, list[len(list)-2].Kind, c.why)
	}
}

// A call whose id is minted is known by the provider's id all the same.
func TestCallKnownBesideItsMintedID(t *testing.T) {
	t.Parallel()
	twin := `{"index":1,"id":"a","function":{"name":"g","arguments":"%s"}}`
	calls := folded(playAll(t, pieces("tool_calls", 9,
		`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`,
		fmt.Sprintf(twin, `{\"n\"`), fmt.Sprintf(twin, `:1`), fmt.Sprintf(twin, `}`)), chatwire.Profile{})).calls
	require.Len(t, calls, 2, "the id came twice")
	assert.Equal(t, `{"n":1}`, calls[1].Arguments)
	assert.Equal(t, "call_w1", calls[1].ID)
	assert.Equal(t, "a", calls[1].Replay.Value)

	late := `{"index":0,"id":"x","function":{"name":"f","arguments":"%s"}}`
	calls = folded(playAll(t, pieces("tool_calls", 9,
		`{"index":0,"function":{"name":"f","arguments":"{\"n\""}}`,
		fmt.Sprintf(late, `:1`), fmt.Sprintf(late, `}`),
		`{"index":0,"id":"y","function":{"name":"f","arguments":"{}"}}`), chatwire.Profile{})).calls
	require.Len(t, calls, 2, "the id is late, and another one is another call's")
	assert.Equal(t, events.ToolCall{ID: "call_w1", Name: "f", Arguments: `{"n":1}`, Minted: true}, calls[0])
	assert.Equal(t, events.ToolCall{ID: "y", Name: "f", Arguments: "{}"}, calls[1])

	calls = folded(playAll(t, pieces("tool_calls", 9,
		`{"index":0,"function":{"name":"f","arguments":"{}"}}`,
		`{"index":0,"id":"x","function":{"name":"g","arguments":"{}"}}`), chatwire.Profile{})).calls
	assert.Len(t, calls, 2, "another name is another call's, too")

	calls = folded(playAll(t, pieces("tool_calls", 9,
		`{"index":0,"id":"call_w1","function":{"name":"f","arguments":"{}"}}`,
		`{"index":1,"function":{"name":"f","arguments":"{}"}}`), chatwire.Profile{})).calls
	require.Len(t, calls, 2)
	assert.Equal(t, "call_w2", calls[1].ID, "no id is minted that a call has")
}

// Without an index a call is known by its id before it has started.
func TestCallKnownByItsIDBeforeItsName(t *testing.T) {
	t.Parallel()
	calls := folded(playAll(t, pieces("tool_calls", 9,
		`{"id":"x","function":{"arguments":"{\"n\""}}`,
		`{"id":"x","function":{"arguments":":1"}}`,
		`{"id":"x","function":{"name":"f","arguments":"}"}}`), chatwire.Profile{})).calls
	assert.Equal(t, []events.ToolCall{{ID: "x", Name: "f", Arguments: `{"n":1}`}}, calls)
}

// A name that is repeated on each piece is the provider's, not the declared one.
func TestCallRepeatsAMappedName(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("look up", "", `{"type":"object"}`)
	require.NoError(t, err)
	p, err := request.Request{
		Messages: []request.Message{request.UserText("hi")}, Tools: []request.Tool{tool},
	}.Prepare(request.Target{Format: chatwire.Format})
	require.NoError(t, err)
	piece := func(text string) string {
		return `{"index":0,"id":"a","function":{"name":"` + p.Names.Wire("look up") + `","arguments":"` + text + `"}}`
	}
	calls := folded(play(t, &body{pieces("tool_calls", 9, piece("{"), piece("}")), whole, io.EOF}, p, chatwire.Profile{})).calls
	assert.Equal(t, []events.ToolCall{{ID: "a", Name: "look up", Arguments: "{}"}}, calls)
}
