package messageswire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/stream"
)

func callStart(input string) string {
	return `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"pay","input":` + input + `}}`
}

func stopped(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":` + reason + `},"usage":{"output_tokens":7}}`
}

const (
	blockStop = `{"type":"content_block_stop","index":0}`
	callDelta = `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"n\":1}"}}`
)

func folded(t *testing.T, frames ...string) (*stream.Reply, []events.Event) {
	t.Helper()
	evs := playBody(t, body(frames...))
	return canned.Reply(evs), evs
}

// A second stop reason that is another one leaves no call that may run.
func TestSecondStopReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, second string
		contradicts bool
	}{
		{"refused after all", `"refusal"`, true},
		{"cut after all", `"max_tokens"`, true},
		{"an end without a call", `"end_turn"`, true},
		{"a word that is not known", `"news"`, true},
		{"the same again is accounting", `"tool_use"`, false},
		{"none is accounting", `null`, false},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			reply, evs := folded(t, messageStart, callStart(`{}`), callDelta, blockStop, stopped(`"tool_use"`), stopped(c.second), messageStop)
			assert.Equal(t, !c.contradicts, reply.Executable())
			f, failed := terminal(t, evs).Failure()
			require.Equal(t, c.contradicts, failed)
			if failed {
				assert.Equal(t, events.InvalidReply, f.Kind)
				assert.Equal(t, events.ReasonMalformed, f.Reason)
				assert.Equal(t, int64(7), f.Usage.Output.Or(-1), "the counts that came with it are kept")
			}
		})
	}
}

// A call that got neither arguments nor an end has none to come only when the
// stop reason says that it was meant.
func TestHalfOpenCall(t *testing.T) {
	t.Parallel()
	again := `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"x"}}`
	for _, c := range []struct {
		why    string
		frames []string
		args   string // of the call, when it may run
		reason events.Reason
	}{
		{"no stop reason", []string{callStart(`{}`), messageStop}, "", events.ReasonBadToolArguments},
		{"the end of a turn", []string{callStart(`{}`), stopped(`"end_turn"`), messageStop}, "", events.ReasonBadToolArguments},
		{"an empty piece is none", []string{callStart(`{}`), `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}}`, messageStop}, "", events.ReasonBadToolArguments},
		{"ended by another block on its index only", []string{callStart(`{}`), again, stopped(`"end_turn"`)}, "", events.ReasonBadToolArguments},
		{"arguments in a string are not no arguments", []string{callStart(`"{\"n\":1}"`), blockStop, stopped(`"tool_use"`)}, "", events.ReasonBadToolArguments},
		{"arguments in a list", []string{callStart(`[1]`), blockStop, stopped(`"tool_use"`)}, "", events.ReasonBadToolArguments},
		{"an empty string in the start is none", []string{callStart(`""`), callDelta, blockStop, stopped(`"tool_use"`)}, `{"n":1}`, ""},
		{"null in the start is none", []string{callStart(`null`), blockStop, stopped(`"tool_use"`)}, `{}`, ""},
		{"cut", []string{callStart(`{}`), stopped(`"max_tokens"`)}, "", ""},
		{"cut after another block on its index", []string{callStart(`{}`), again, stopped(`"max_tokens"`)}, "", ""},
		{"tool_use vouches for it", []string{callStart(`{}`), stopped(`"tool_use"`)}, "{}", ""},
		{"tool_use after another block on its index", []string{callStart(`{}`), again, stopped(`"tool_use"`)}, "{}", ""},
		{"its own end", []string{callStart(`{}`), blockStop, stopped(`"end_turn"`)}, "{}", ""},
		{"whole arguments", []string{callStart(`{}`), callDelta, stopped(`"end_turn"`)}, `{"n":1}`, ""},
		{"whole arguments in the start", []string{callStart(`{"n":2}`), messageStop}, `{"n":2}`, ""},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			reply, evs := folded(t, append([]string{messageStart}, c.frames...)...)
			f, _ := terminal(t, evs).Failure()
			if f == nil {
				f = &events.Failure{}
			}
			require.Equal(t, c.reason, f.Reason)
			require.Equal(t, c.args != "", reply.Executable())
			invalid := false
			for _, ev := range evs {
				invalid = invalid || ev.Kind == events.ToolCallInvalid
			}
			assert.Equal(t, c.args == "", invalid)
			if c.args != "" {
				assert.Equal(t, c.args, reply.ToolCalls()[0].Arguments)
			}
		})
	}
}

// A piece of arguments that is no string leaves no call that may run without it.
func TestPieceThatIsNoString(t *testing.T) {
	t.Parallel()
	piece := `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":{"n":1}}}`
	reply, evs := folded(t, messageStart, callStart(`{}`), piece, blockStop, stopped(`"tool_use"`))
	f, failed := terminal(t, evs).Failure()
	require.True(t, failed)
	assert.Equal(t, events.ReasonMalformed, f.Reason)
	assert.False(t, reply.Executable())
}
