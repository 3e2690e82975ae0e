package chatwire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
)

func TestOddUsage(t *testing.T) {
	t.Parallel()
	const most, inside = `9007199254740991`, `"usage":{"prompt_tokens":52,"completion_tokens":21,"cached_tokens":32}`
	for _, c := range []struct {
		why             string
		wire            []byte
		input, output   int64
		inconsistent    bool
		timesToldOfThem int
	}{
		{"in the choice alone (Moonshot)", sent(deltaOf(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop",`+inside+`}]}`, "[DONE]"), 52, 21, false, 1},
		{"in the choice, and again", sent(deltaOf(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop",`+inside+`}]}`, `{"choices":[],`+inside+`}`, "[DONE]"), 52, 21, false, 1},
		{"that of the chunk counts", sent(deltaOf(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop",`+inside+`}],"usage":{"prompt_tokens":53,"completion_tokens":22}}`, "[DONE]"), 53, 22, false, 1},
		{"null in the choice", sent(`{"choices":[{"index":0,"delta":{"content":"a"},"usage":null}]}`, endOf("stop"), `{"choices":[],`+inside+`}`, "[DONE]"), 52, 21, false, 1},
		{"parts that come to more than a count", sent(deltaOf(`"content":"a"`), endOf("stop"), `{"choices":[],"usage":{"prompt_tokens":`+most+`,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":`+most+`,"cache_write_tokens":`+most+`}}}`, "[DONE]"), events.MaxCount, 1, true, 1},
	} {
		got := playAll(t, c.wire, chatwire.ProfileFor("moonshotai"))
		end, ok := got[len(got)-1].Completion()
		require.True(t, ok, "%s: %v", c.why, got[len(got)-1])
		assert.Equal(t, events.Known(c.input), end.Usage.Input, c.why)
		assert.Equal(t, events.Known(c.output), end.Usage.Output, c.why)
		assert.Equal(t, c.inconsistent, end.Usage.Inconsistent, c.why)
		assert.True(t, end.Usage.Final, c.why)
		told := 0
		for _, ev := range got {
			if ev.Kind == events.UsageUpdated {
				told++
			}
		}
		assert.Equal(t, c.timesToldOfThem, told, c.why)
	}
}
