package responseswire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
)

// The frames that tell only that something goes on, or in pieces what the end of an item
// says whole, by openai-python, responses/response_stream_event.py, read 2026-12-01.
const progress = `
	code_interpreter_call_code.delta code_interpreter_call_code.done code_interpreter_call.completed
	code_interpreter_call.in_progress code_interpreter_call.interpreting
	file_search_call.completed file_search_call.in_progress file_search_call.searching
	shell_call_command.added shell_call_command.delta shell_call_command.done
	shell_call_output_content.delta shell_call_output_content.done
	web_search_call.completed web_search_call.in_progress web_search_call.searching
	image_generation_call.completed image_generation_call.generating image_generation_call.in_progress
	image_generation_call.partial_image
	mcp_call_arguments.delta mcp_call_arguments.done mcp_call.completed mcp_call.failed mcp_call.in_progress
	mcp_list_tools.completed mcp_list_tools.failed mcp_list_tools.in_progress
	compaction.compacting`

// Speech is in that list too, and no model speaks in this API: gpt-audio is not there
// (developers.openai.com/api/docs/models/gpt-audio.md, read 2026-12-01).
const speech = `audio.delta audio.done audio.transcript.delta audio.transcript.done`

func TestFramesOnTheWay(t *testing.T) {
	t.Parallel()
	body := func(names string) string {
		frames := "data: " + created + "\n\n"
		for name := range strings.FieldsSeq(names) {
			frames += `data: {"type":"response.` + name + `","output_index":0,"item_id":"i","delta":"AAAA"}` + "\n\n"
		}
		return frames + "data: " + completed + "\n\n"
	}
	for _, ev := range playBody(t, body(progress)) {
		assert.NotEqual(t, events.Notice, ev.Kind, "%v", ev)
	}
	var told []string
	for _, ev := range playBody(t, body(speech)) {
		if n, ok := ev.Notice(); ok {
			told = append(told, strings.TrimPrefix(n.Detail, "frame response."))
		}
	}
	assert.Equal(t, strings.Fields(speech), told, "what is not read is told")
}
