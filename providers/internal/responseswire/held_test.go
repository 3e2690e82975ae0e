package responseswire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// What no event has told yet, no consumer can stop: it is bounded all the same.
func TestHeldIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	for _, c := range []struct{ why, frame string }{
		{
			"sources of texts that never come",
			`{"type":"response.output_text.annotation.added","output_index":%d,"annotation":{"type":"url_citation","url":"` + long + `"}}`,
		},
		{
			"ids of items that say nothing",
			`{"type":"response.output_item.added","output_index":%d,"item":{"type":"message","id":"` + long + `"}}`,
		},
		{
			"names of calls without an id",
			`{"type":"response.output_item.added","output_index":%d,"item":{"type":"function_call","name":"` + long + `"}}`,
		},
		{
			"call ids of items too large to go back",
			`{"type":"response.output_item.done","output_index":%d,"item":{"type":"function_call_output","call_id":"` + long + `"}}`,
		},
	} {
		var body strings.Builder
		for n := range 5 {
			fmt.Fprintf(&body, "data: "+c.frame+"\n\n", n)
		}
		last := terminal(t, playBody(t, body.String()))
		f, failed := last.Failure()
		require.True(t, failed, c.why)
		assert.Equal(t, events.InvalidReply, f.Kind, c.why)
		assert.Equal(t, events.ReasonTooLarge, f.Reason, c.why)
	}
}
