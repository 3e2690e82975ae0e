package texttools_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

// pieces returns a text as deltas of n runes.
func pieces(index, n int, said string) []events.Event {
	var all []events.Event
	for part := range slices.Chunk([]rune(said), n) {
		all = append(all, events.NewTextDelta(index, string(part)))
	}
	return all
}

// What a model writes that has read too much: each row in whole and in pieces of any
// size, which give the same but for where texts and arguments are cut.
func TestHostileText(t *testing.T) {
	t.Parallel()
	for why, row := range map[string]struct {
		said string
		stop events.Stop
		want []string
	}{
		"a block inside a block of code":              {"So:\n~~~~md\n```tool_call a\n{}\n```\n~~~~\nDone.", events.StopEnd, []string{"text So:\n~~~~md\n```tool_call a\n{}\n```\n~~~~\nDone.", "end"}},
		"a block of tildes is no call":                {"~~~tool_call a\n{}\n~~~\n", events.StopEnd, []string{"text ~~~tool_call a\n{}\n~~~\n", "end"}},
		"a fence of tildes closes no call":            {"```tool_call a\n{}\n~~~\n", events.StopEnd, []string{"invalid a not_object {}\n~~~", "failed"}},
		"lines that end as on Windows":                {"Hi.\r\n\r\n```tool_call a\r\n{\r\n\"x\": 1\r\n}\r\n```\r\n\r\nBye.", events.StopEnd, []string{"text Hi.", "call a {\r\n\"x\": 1\r\n}", "text Bye.", "tool_use"}},
		"a tool that nobody declared":                 {"```tool_call rm_rf\n{}\n```", events.StopEnd, []string{"call rm_rf {}", "tool_use"}},
		"the same call twice":                         {"```tool_call a\n{}\n```\n```tool_call a\n{}\n```", events.StopEnd, []string{"call a {}", "call a {}", "tool_use"}},
		"a fence in a string":                         {"```tool_call a\n{\"x\": \"```\\n```tool_call b\\n{}\\n```\"}\n```", events.StopEnd, []string{"call a {\"x\": \"```\\n```tool_call b\\n{}\\n```\"}", "tool_use"}},
		"a string with a line end, which is no JSON":  {"```tool_call a\n{\"x\": \"\n```\ny\"}\n```", events.StopEnd, []string{"invalid a not_object {\"x\": \"", "text y\"}\n```", "failed"}},
		"not closed, and over":                        {"```tool_call a\n{\"x\": 1}", events.StopEnd, []string{`call a {"x": 1}`, "tool_use"}},
		"not closed, and cut":                         {"```tool_call a\n{\"x\": 1}", events.StopLength, []string{`invalid a truncated {"x": 1}`, "length"}},
		"cut behind the backticks of a string":        {"```tool_call a\n{\"x\": \"```", events.StopLength, []string{`invalid a truncated {"x": "`, "length"}},
		"the same in a block that names no tool":      {"```tool_call\n{\"name\": \"```", events.StopLength, []string{`invalid tool_call truncated {"name": "`, "length"}},
		"cut behind a whole block":                    {"```tool_call a\n{}\n```\nAnd", events.StopLength, []string{"call a {}", "text And", "length"}},
		"broken, and the reply was cut later":         {"```tool_call a\n[]\n```\nAnd", events.StopLength, []string{"invalid a not_object []", "text And", "length"}},
		"text right behind a block":                   {"```tool_call a\n{}\n``` So.", events.StopEnd, []string{"call a {}", "text So.", "tool_use"}},
		"its own results":                             {"```tool_call a\n{}\n```\n```tool_result a\nyes\n```", events.StopEnd, []string{"call a {}", "text ```tool_result a\nyes\n```", "tool_use"}},
		"a call in JSON as other models write it":     {"<tool_call>{\"name\": \"a\"}</tool_call>", events.StopEnd, []string{"text <tool_call>{\"name\": \"a\"}</tool_call>", "end"}},
		"two objects":                                 {"```tool_call a\n{}{}\n```", events.StopEnd, []string{"invalid a not_object {}{}", "failed"}},
		"one key twice":                               {"```tool_call a\n{\"x\":1,\"x\":2}\n```", events.StopEnd, []string{`invalid a duplicate_key {"x":1,"x":2}`, "failed"}},
		"a comment behind the arguments":              {"```tool_call a\n{} // so\n```", events.StopEnd, []string{"invalid a not_object {} // so", "failed"}},
		"fences behind more blanks than are held":     {"```tool_call a\n{}" + strings.Repeat(" ", 2000) + "```x\n" + strings.Repeat("\t", 1021) + "```", events.StopEnd, []string{"invalid a not_object {}" + strings.Repeat(" ", 2000) + "```x", "failed"}},
		"a turn of nothing but fences":                {strings.Repeat("```\n", 9), events.StopEnd, []string{"text " + strings.Repeat("```\n", 9), "end"}},
		"a block after one that was never closed":     {"```go\nx\n```tool_call a\n{}\n```", events.StopEnd, []string{"text ```go\nx\n```tool_call a\n{}\n```", "end"}},
		"arguments that are a fence's worth of blank": {"```tool_call a \n \n```", events.StopEnd, []string{"call a {}", "tool_use"}},
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{len(row.said), 1, 2, 3, 7, 64} {
				got := gist(played(t, question(t), append(pieces(0, n, row.said), end(row.stop))...))
				require.Equal(t, row.want, got, "in pieces of %d", n)
			}
		})
	}
}

// gist returns what came of a reply: its texts whole, its calls, and how it ended.
func gist(all []events.Event) []string {
	var out []string
	last := int32(-1)
	for _, ev := range all {
		switch ev.Kind {
		case events.TextDelta:
			if ev.Index != last {
				out = append(out, "text ")
			}
			out[len(out)-1] += ev.Text
			last = ev.Index
		case events.ToolCallCompleted:
			c, _ := ev.Call()
			out = append(out, "call "+c.Name+" "+c.Arguments)
		case events.ToolCallInvalid:
			c, _ := ev.Call()
			issue, _ := ev.Issue()
			out = append(out, "invalid "+c.Name+" "+string(issue.Kind)+" "+ev.Text)
		case events.Completed:
			c, _ := ev.Completion()
			out = append(out, string(c.Stop))
		case events.Failed:
			out = append(out, "failed")
		}
	}
	return out
}

// A call that nobody declared is as executable as from a model with tools: not at all,
// once the stream is held to the request.
func TestUndeclaredToolIsInvalid(t *testing.T) {
	t.Parallel()
	req := question(t)
	all := played(t, req, joined(text(0, "```tool_call rm_rf\n{}\n```"), one(end(events.StopEnd)))...)
	all = append([]events.Event{events.NewStarted(events.Start{})}, all...)
	var kinds []events.Kind
	for ev := range validator.Guard(slices.Values(all), validator.ForRequest(req), validator.WithPolicy(validator.Report)) {
		kinds = append(kinds, ev.Kind)
		if issue, ok := ev.Issue(); ok {
			assert.Equal(t, events.IssueUnknownTool, issue.Kind)
		}
	}
	assert.Contains(t, kinds, events.ToolCallInvalid)
	assert.NotContains(t, kinds, events.ToolCallCompleted)
}

// What an inner model generates besides text keeps its place: a call may follow an
// image at once, be in the middle of one that is told as its text goes on, or wait for
// a fence that an image is in.
func TestCallsAndImages(t *testing.T) {
	t.Parallel()
	image := func(index int) []events.Event {
		return one(events.NewMediaCompleted(index, "image/png", []byte("png")))
	}
	for why, row := range map[string]struct{ says, want []events.Event }{
		"right after": {
			joined(image(0), text(1, "```tool_call a\n{}\n```"), one(end(events.StopEnd))),
			joined(image(0), called(1, "call_w1", "a", "{}"), ended(events.StopToolUse, events.StopEnd)),
		},
		"right after, in the text that was before": {
			joined(text(0, "Look:\n"), image(1), text(0, "```tool_call a\n{}\n```\nBye."), one(end(events.StopEnd))),
			joined(text(0, "Look:"), image(1), called(2, "call_w1", "a", "{}"), text(3, "Bye."), ended(events.StopToolUse, events.StopEnd)),
		},
		"right before": {
			joined(text(0, "```tool_call a\n{}\n```"), image(1), text(2, "Bye."), one(end(events.StopEnd))),
			joined(called(0, "call_w1", "a", "{}"), image(1), text(2, "Bye."), ended(events.StopToolUse, events.StopEnd)),
		},
		"within the fence": {
			joined(text(0, "``"), image(1), text(0, "`tool_call a\n{}\n```"), one(end(events.StopEnd))),
			joined(image(0), called(1, "call_w1", "a", "{}"), ended(events.StopToolUse, events.StopEnd)),
		},
		"within the arguments": {
			joined(text(0, "```tool_call a\n{"), image(1), text(2, "}\n```"), image(3), one(end(events.StopEnd))),
			joined(one(events.NewToolCallStarted(0, "call_w1", "a", true)), one(events.NewToolArgumentsDelta(0, "{")), image(1),
				one(events.NewToolArgumentsDelta(0, "}")),
				one(events.NewToolCallCompleted(0, events.ToolCall{ID: "call_w1", Name: "a", Minted: true, Arguments: "{}"})), image(2), ended(events.StopToolUse, events.StopEnd)),
		},
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			requireEvents(t, row.want, played(t, question(t), row.says...))
		})
	}
}

// The choice and the number of calls are words; what the model makes of them is passed
// on as it is.
func TestChoiceIsWords(t *testing.T) {
	t.Parallel()
	two := "```tool_call a\n{}\n```\n```tool_call b\n{}\n```"
	for why, row := range map[string]struct {
		change func(*request.Request)
		asks   string
		said   string
		want   []string
	}{
		"required, and none was made":  {func(r *request.Request) { r.ToolChoice.Mode = request.ToolRequired }, "You must call a tool now.", "No.", []string{"text No.", "end"}},
		"named, and another was made":  {func(r *request.Request) { r.ToolChoice = request.ToolChoice{Mode: request.ToolNamed, Name: "c.d"} }, "You must call the tool c_d now.", "```tool_call a\n```", []string{"call a {}", "tool_use"}},
		"none, and one was written":    {func(r *request.Request) { r.ToolChoice.Mode = request.ToolNone }, "No tool can be called now", two, []string{"text " + two, "end"}},
		"one at most, and two came":    {func(r *request.Request) { r.Parallel = new(false) }, "Write one block at most", two, []string{"call a {}", "call b {}", "tool_use"}},
		"as many as it likes, and two": {func(r *request.Request) { r.Parallel = new(true) }, "write several blocks", two, []string{"call a {}", "call b {}", "tool_use"}},
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			req := question(t)
			row.change(&req)
			sent, _, f := asked(t, req)
			require.Nil(t, f)
			assert.Contains(t, sent.System, row.asks)
			assert.Equal(t, row.want, gist(played(t, req, append(text(0, row.said), end(events.StopEnd))...)))
		})
	}
}

// An answer beside tools comes as text, behind the calls of the turns before.
func TestAnswerBesideTools(t *testing.T) {
	t.Parallel()
	answer, err := request.NewAnswer("", `{"type":"object","properties":{"x":{"type":"integer"}}}`)
	require.NoError(t, err)
	req := question(t)
	req.Answer = answer
	got := gist(played(t, req, append(text(0, `{"x": 1}`), end(events.StopEnd))...))
	assert.Equal(t, []string{`text {"x": 1}`, "end"}, got)
	fenced := gist(played(t, req, append(text(0, "```json\n{\"x\": 1}\n```"), end(events.StopEnd))...))
	assert.Equal(t, []string{"text ```json\n{\"x\": 1}\n```", "end"}, fenced, "what is around it is the answer's to judge")
}
