package anthropic_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// paused is a reply that pauses in the middle of a search.
const paused = `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","model":"claude-test","content":[],"usage":{"input_tokens":20,"cache_read_input_tokens":7,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Searching."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"query\": \"x\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"pause_turn"},"usage":{"output_tokens":5}}

event: message_stop
data: {"type":"message_stop"}

`

// A reply that paused is sent back as it is, the search that it is in included, and the
// provider goes on: the same tools, and no turn of the user's in between.
func TestPauseGoesOn(t *testing.T) {
	t.Parallel()
	wire := &canned.Script{Answers: []*canned.Transport{ok(paused), ok(reply)}}
	m := model(t, anthropic.Config{HTTPClient: &http.Client{Transport: wire}})
	req := request.Request{
		Messages:    []request.Message{request.UserText("What is new?")},
		HostedTools: []request.HostedTool{request.SearchWeb(request.WebSearch{MaxUses: 5})},
		Cache:       request.Cache{Automatic: request.CacheShort},
	}
	var last *stream.Reply
	for range 3 {
		var err error
		last, err = stream.Collect(m.Stream(t.Context(), req))
		require.NoError(t, err)
		if last.Outcome() != stream.OutcomePaused {
			break
		}
		input, known := last.Usage().Input.Get()
		assert.True(t, known)
		assert.EqualValues(t, 27, input, "what was read of the cache is input too")
		req.Messages = append(req.Messages, last.Turn())
	}
	assert.Equal(t, stream.OutcomeFinal, last.Outcome())
	require.Len(t, wire.Sent(), 2)
	const turn = `{"role":"assistant","content":[{"type":"text","text":"Searching.","cache_control":{"type":"ephemeral"}},` +
		`{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query": "x"}}]}],"stream":true`
	assert.Contains(t, wire.Sent()[1], turn)
	for _, body := range wire.Sent() {
		assert.Equal(t, 1, strings.Count(body, `"type":"web_search_20250305"`))
	}
}
