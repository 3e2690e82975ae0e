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
			"ids that items get when they end",
			`{"type":"response.output_item.added","output_index":%[1]d,"item":{"type":"reasoning"}}` + "\n\n" +
				`data: {"type":"response.output_item.done","output_index":%[1]d,"item":{"type":"reasoning","id":"` + long + `"}}`,
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

// Parts whose sum is no count any more are held to what a count may be.
func TestCachedSumIsBounded(t *testing.T) {
	t.Parallel()
	last := terminal(t, playBody(t, `data: {"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":10,"output_tokens":1,`+
		`"input_tokens_details":{"cached_tokens":9007199254740991,"cache_write_tokens":9007199254740991}}}}`+"\n\n"))
	done, completed := last.Completion()
	require.True(t, completed, "the larger reading is a count, and no violation of the grammar")
	assert.Equal(t, events.Known(events.MaxCount), done.Usage.Input)
	assert.True(t, done.Usage.Inconsistent)
}

// Only texts have sources: what stands beside other parts costs no reply, which would
// break the grammar.
func TestSourcesOfWhatIsNoText(t *testing.T) {
	t.Parallel()
	for _, part := range []string{`"type":"reasoning_text","text":"r"`, `"type":"summary_text","text":"r"`, `"type":"refusal","refusal":"r"`} {
		evs := playBody(t, `data: {"type":"response.content_part.done","output_index":0,"part":{`+part+`,"annotations":[{"type":"url_citation","url":"u"}]}}`+"\n\n"+
			`data: {"type":"response.completed","response":{"status":"completed"}}`+"\n\n")
		assert.Equal(t, events.Completed, terminal(t, evs).Kind, part)
	}
}

// The end is refused for the number of its items before any of them is read.
func TestEndOfTooManyItems(t *testing.T) {
	t.Parallel()
	const item = `{"type":"message","content":[{"type":"output_text","text":"t"}]}`
	evs := playBody(t, `data: {"type":"response.completed","response":{"status":"completed","output":[`+strings.Repeat(item+",", 1024)+item+`]}}`+"\n\n")
	f, failed := terminal(t, evs).Failure()
	require.True(t, failed)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)
	assert.Len(t, evs, 2, "the start and the failure alone")
}
