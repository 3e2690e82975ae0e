package stream_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

func TestReplyJSON(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why, want string
		script          []events.Event
	}{
		{
			"zero", "all keys but the stops are always there",
			`{"kind":"reply","outcome":"in_progress","text":"","thinking":"","refusal":"","tool_calls":[],"usage":null,"executable":false}`,
			nil,
		},
		{
			"final", "as told",
			`{"kind":"reply","outcome":"final","text":"a <b>","thinking":"h","refusal":"","tool_calls":[],"stop":"end","raw_stop":"raw_end","usage":{"input":5,"cache_read":null,"cache_write":null,"cache_write_long":null,"output":1,"thinking":null},"executable":false}`,
			[]events.Event{started(), think(0, "h"), text(1, "a <b>"), usage(5, 1), completed(events.StopEnd)},
		},
		{
			"tools", "executable calls only, arguments as a string",
			`{"kind":"reply","outcome":"tool_request","text":"","thinking":"","refusal":"","tool_calls":[{"id":"1","name":"f","arguments":"{\"a\":1}"},{"id":"3","name":"f","arguments":"{}"}],"stop":"tool_use","raw_stop":"raw_tool_use","usage":null,"executable":true}`,
			[]events.Event{callDone(0, "1", `{"a":1}`), callBad(1, "2", "{", events.IssueNotObject), callDone(2, "3", "{}"), completed(events.StopToolUse)},
		},
		{
			"only invalid", "nothing to execute",
			`{"kind":"reply","outcome":"tool_request","text":"","thinking":"","refusal":"","tool_calls":[],"stop":"tool_use","raw_stop":"raw_tool_use","usage":null,"executable":false}`,
			[]events.Event{callBad(1, "2", "{", events.IssueNotObject), completed(events.StopToolUse)},
		},
		{
			"failed", "no stop",
			`{"kind":"reply","outcome":"failed","text":"a","thinking":"","refusal":"no","tool_calls":[],"usage":null,"executable":false}`,
			[]events.Event{text(0, "a"), refuse(1, "no"), failed(events.Overloaded, "")},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := fold(row.script...)
			assert.Equal(t, row.want, string(stream.AppendReplyJSON(nil, r)), row.why)
			viaJSON, err := json.Marshal(r)
			require.NoError(t, err)
			assert.JSONEq(t, row.want, string(viaJSON))
		})
	}
}
