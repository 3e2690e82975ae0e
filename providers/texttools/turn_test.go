package texttools_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/texttools"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A turn that goes back reads as the model wrote it: said again, it is the same turn.
func TestTurnsReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	base := question(t)
	words := rapid.SampledFrom([]string{"Hi.", "a `b` c", "\n", " ", "x: ```y``` z", "é🙂", "\n```go\nfunc()\n```\n", "1.\n\n2."})
	arguments := rapid.SampledFrom([]string{"{}", `{"x": "` + "```" + `"}`, "{\n  \"x\": 1.0\n}", `{"text":"\n` + "```tool_call a" + `\n"}`, `{"é":[1,{"y":"}"}]}`})
	rapid.Check(t, func(t *rapid.T) {
		var blocks []request.Block
		var results []request.Block
		for n := range rapid.IntRange(1, 6).Draw(t, "blocks") {
			if rapid.Bool().Draw(t, "call") {
				id := request.MintedID(n + 1)
				blocks = append(blocks, request.Call(events.ToolCall{ID: id, Name: rapid.SampledFrom([]string{"a", "b", "c.d"}).Draw(t, "name"), Arguments: arguments.Draw(t, "arguments")}))
				results = append(results, request.Result(id, "ok"))
				continue
			}
			text := strings.Trim(strings.Join(rapid.SliceOfN(words, 1, 4).Draw(t, "words"), ""), " \n")
			if last := len(blocks) - 1; text != "" && (last < 0 || blocks[last].Kind != request.BlockText) && !open(text) {
				blocks = append(blocks, request.Text(text))
			}
		}
		if len(blocks) == 0 {
			return
		}
		req := base
		req.Messages = []request.Message{request.UserText("Go."), request.Assistant(blocks...)}
		if len(results) > 0 {
			req.Messages = append(req.Messages, request.Results(results...))
		} else {
			req.Messages = append(req.Messages, request.UserText("On."))
		}
		var got []request.Request
		told, err := texttools.New(inner{asked: &got, says: []events.Event{events.NewStarted(events.Start{}), end(events.StopEnd)}})
		require.NoError(t, err)
		_, err = stream.Collect(told.Stream(t.Context(), req))
		require.NoError(t, err)
		turn := got[0].Messages[1].Blocks
		require.Len(t, turn, 1)

		says := []events.Event{events.NewStarted(events.Start{})}
		size := rapid.IntRange(1, 40).Draw(t, "size")
		for rest := []rune(turn[0].Text); len(rest) > 0; {
			n := min(size, len(rest))
			says, rest = append(says, events.NewTextDelta(0, string(rest[:n]))), rest[n:]
		}
		says = append(says, end(events.StopEnd))
		again, err := texttools.New(inner{says: says})
		require.NoError(t, err)
		reply, err := stream.Collect(again.Stream(t.Context(), base))
		require.NoError(t, err, turn[0].Text)
		said := reply.Turn().Blocks
		require.Len(t, said, len(blocks))
		for n, b := range blocks {
			require.Equal(t, b.Kind, said[n].Kind)
			require.Equal(t, b.Text, said[n].Text)
			require.Equal(t, b.Call.Name, said[n].Call.Name)
			require.Equal(t, strings.TrimSpace(b.Call.Arguments), said[n].Call.Arguments)
		}
	})
}

// open reports whether a text ends in a block of code, or begins one on its last line:
// what follows it would be in that block too.
func open(text string) bool { return strings.Count("\n"+text, "\n```")%2 != 0 }
