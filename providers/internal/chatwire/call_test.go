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
