package responseswire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// sentBack plays a golden body, folds it, and returns the raw items of the input
// with which the next request sends it back, without the question before and the
// results after.
func sentBack(t *testing.T, name string) []string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
	require.NoError(t, err)
	var reply stream.Reply
	for _, ev := range play(t, answered(body), minting()) {
		reply.Add(ev)
	}
	require.NoError(t, reply.Err())
	messages := []request.Message{request.UserText("q"), reply.Turn()}
	for _, c := range reply.ToolCalls() {
		messages = append(messages, request.Results(request.Result(c.ID, "ok")))
	}
	sent, err := responseswire.Encode("m", prepared(t, ask(messages...)), openai())
	require.NoError(t, err)
	var out struct{ Input []json.RawMessage }
	require.NoError(t, json.Unmarshal(sent, &out))
	var items []string
	for _, raw := range out.Input[1 : len(out.Input)-len(reply.ToolCalls())] {
		items = append(items, string(raw))
	}
	return items
}

// wireItems returns the items that a golden body ended, as they came, in the order
// in which they began.
func wireItems(t *testing.T, name string) []string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
	require.NoError(t, err)
	items := map[int]string{}
	for line := range strings.Lines(string(body)) {
		data, ok := strings.CutPrefix(line, "data: ")
		var frame struct {
			Type  string
			Index int `json:"output_index"`
			Item  json.RawMessage
		}
		if ok && json.Unmarshal([]byte(data), &frame) == nil && frame.Type == "response.output_item.done" {
			items[frame.Index] = string(frame.Item)
		}
	}
	ordered := make([]string, len(items))
	for i, raw := range items {
		ordered[i] = raw
	}
	return ordered
}

// What the provider needs of its own turn comes back byte for byte, every item in its
// place: exactly what it said.
func TestTurnGoesBack(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"reasoning-then-calls", "reasoning-in-the-open", "web-search", "page-opened", "search-of-xai", "file-search",
		"code-interpreter", "image", "mcp", "shell-of-the-provider", "phase", "call-of-a-program", "call-custom",
		"citations-of-files", "tool-search", "compaction",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, wireItems(t, name), sentBack(t, name))
		})
	}
}

// What goes back otherwise.
func TestTurnGoesBackWithout(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		// Without reasoning or a hosted tool the blocks say all.
		"text":                      {`{"role":"assistant","content":"Hello"}`},
		"refusal":                   {`{"role":"assistant","content":"I cannot."}`},
		"call-without-pieces":       {`{"type":"function_call","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}`},
		"reasoning-without-content": {`{"role":"assistant","content":"Hi"}`},
		// A cut reply keeps its text only.
		"incomplete-word": {`{"role":"assistant","content":"Well,"}`},
		// The end of the response says what the items did not.
		"text-only-at-the-end": {
			`{"id":"rs_1","type":"reasoning","encrypted_content":"E1","summary":[{"type":"summary_text","text":"why"}]}`,
			`{"id":"msg_1","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Hey"}],"role":"assistant"}`,
			`{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\"a\":1}","call_id":"call_1","name":"f"}`,
		},
		// An id that came twice is told apart by the client's.
		"call-id-twice": {
			`{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"}`,
			`{"id":"fc_2","type":"function_call","status":"completed","arguments":"{}","call_id":"call_w1","name":"f"}`,
		},
		"unknown-things": {
			`{"type":"umbrella","id":"u_1","open":true}`,
			`{"id":"msg_1","type":"message","status":"completed","content":[{"type":"mood"},{"type":"output_text","annotations":[],"logprobs":[],"text":"Hi"}],"role":"assistant"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, want, sentBack(t, name))
		})
	}
}

// Only what cannot be rebuilt from the turn's own blocks is kept, and nothing that
// the provider would refuse.
func TestDataOnlyWhenNeeded(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"text", "call-without-pieces", "reasoning-without-content", "reasoning-alone", "reasoning-before-nothing",
		"shell-of-the-client", "computer", "refusal",
	} {
		body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
		require.NoError(t, err)
		done, ok := terminal(t, play(t, answered(body), minting())).Completion()
		require.True(t, ok, name)
		assert.Equal(t, events.ProviderData{}, done.Data, name)
	}
}

// A large image is shown and not kept, with the reasoning that led to it.
func TestLargeImageDoesNotGoBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why   string
		size  int
		image bool
	}{{"small", 1 << 10, true}, {"large", 1 << 20, false}} {
		image := strings.Repeat("AAAA", c.size/4)
		evs := playBody(t, "data: "+created+"\n\n"+
			itemDone(0, `{"id":"rs_0","type":"reasoning","encrypted_content":"E","summary":[]}`)+
			itemDone(1, `{"id":"ws","type":"web_search_call","status":"completed"}`)+
			itemDone(2, `{"id":"rs_1","type":"reasoning","encrypted_content":"E","summary":[]}`)+
			itemDone(3, `{"id":"ig","type":"image_generation_call","status":"completed","result":"`+image+`"}`)+
			"data: "+completed+"\n\n")
		done, ok := terminal(t, evs).Completion()
		require.True(t, ok, c.why)
		assert.Equal(t, c.image, strings.Contains(done.Data.Value, "rs_1"), c.why)
		assert.Equal(t, c.image, strings.Contains(done.Data.Value, image), c.why)
		assert.Contains(t, done.Data.Value, "rs_0", c.why)
		media := 0
		for _, ev := range evs {
			media += ev.MediaSize()
		}
		assert.Equal(t, c.size*3/4, media, c.why)
	}
}
