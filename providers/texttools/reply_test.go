package texttools_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/texttools"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

func one(ev events.Event) []events.Event { return []events.Event{ev} }

// ended is a stop told by another word of the provider.
func ended(stop, raw events.Stop) []events.Event {
	return one(events.NewCompleted(events.Completion{Stop: stop, RawStop: "raw-" + string(raw), Usage: events.Usage{Output: events.Known(7)}}))
}

func invalid(index int, id, name, arguments string, kind events.IssueKind, detail string) []events.Event {
	return one(events.NewToolCallInvalid(index, events.ToolCall{ID: id, Name: name, Minted: true, Arguments: arguments}, events.Issue{Kind: kind, Detail: detail}))
}

func TestReply(t *testing.T) {
	t.Parallel()
	cite := func(index int) []events.Event {
		return one(events.NewCitationAdded(index, events.Citation{URL: "https://a.example/"}))
	}
	within := func(index, start, end int) []events.Event {
		return one(events.NewCitationAdded(index, events.Citation{URL: "https://a.example/", Start: start, End: end}))
	}
	native := func(index int, id string, minted bool) []events.Event {
		call := events.ToolCall{ID: id, Name: "b", Minted: minted, Arguments: "{}"}
		return []events.Event{events.NewToolCallStarted(index, id, "b", minted), events.NewToolCallCompleted(index, call)}
	}
	thinking := one(events.NewThinkingDelta(0, "Hm."))
	cut := "The reply was cut inside the block of the call."
	for why, row := range map[string]struct{ says, want []events.Event }{
		"text": {
			joined(text(0, "one ", "two "), one(end(events.StopEnd))),
			joined(text(0, "one", " two", " "), one(end(events.StopEnd))),
		},
		"text, calls and text": {
			joined(thinking, text(1, "Hi.\n\n```tool_call a\n{", "}\n```\n```tool_call b\n```\n\n", "Bye."), one(end(events.StopEnd))),
			joined(thinking, text(1, "Hi."), called(2, "call_w1", "a", "{", "}"), called(3, "call_w2", "b"), text(4, "Bye."), ended(events.StopToolUse, events.StopEnd)),
		},
		"thinking between": {
			joined(text(0, "Hi."), one(events.NewThinkingDelta(1, "Hm.")), text(0, " Yes.\n```tool_call a\n{}\n```"), one(events.NewThinkingDelta(1, "So.")), one(end(events.StopUnknown))),
			joined(text(0, "Hi."), one(events.NewThinkingDelta(1, "Hm.")), text(0, " Yes."), called(2, "call_w1", "a", "{}"), one(events.NewThinkingDelta(1, "So.")), ended(events.StopToolUse, events.StopUnknown)),
		},
		"two texts": {
			joined(text(0, "One."), text(1, "Two."), text(0, "Three."), one(end(events.StopEnd))),
			joined(text(0, "One."), text(1, "Two."), text(2, "Three."), one(end(events.StopEnd))),
		},
		"the range of a source is that of a whole text": {
			joined(text(0, "Hi."), within(0, 0, 3), text(0, "\n```tool_call a\n{}\n```\nBye."), within(0, 24, 28), within(0, 0, 3), one(end(events.StopEnd))),
			joined(text(0, "Hi."), within(0, 0, 3), called(1, "call_w1", "a", "{}"), text(2, "Bye."), within(2, 0, 0), within(2, 0, 0), ended(events.StopToolUse, events.StopEnd)),
		},
		"the range of a source, a call first": {
			joined(within(0, 20, 24), text(0, "```tool_call a\n{}\n```\nBye."), one(end(events.StopEnd))),
			joined(called(0, "call_w1", "a", "{}"), text(1, "Bye."), within(1, 0, 0), ended(events.StopToolUse, events.StopEnd)),
		},
		"the range of a source behind the end of a call over two texts": {
			joined(text(0, "```tool_call a\n{"), text(1, "}\n```\nBye."), within(1, 6, 10), text(2, "So."), within(2, 0, 3), one(end(events.StopEnd))),
			joined(called(0, "call_w1", "a", "{", "}"), text(1, "Bye."), within(1, 0, 0), text(2, "So."), within(2, 0, 3), ended(events.StopToolUse, events.StopEnd)),
		},
		"the range of a source of a text that goes on": {
			joined(text(0, "One."), text(1, "Two."), within(0, 0, 4), text(0, "Three."), within(0, 4, 9), within(1, 0, 4), one(end(events.StopEnd))),
			joined(text(0, "One."), text(1, "Two."), within(0, 0, 4), text(2, "Three."), within(2, 0, 0), within(1, 0, 4), ended(events.StopEnd, events.StopEnd)),
		},
		"a call of the inner model's whose id looks minted": {
			joined(native(0, "call_w1", false), text(1, "```tool_call a\n{}\n```"), native(2, "call_w2", false), native(3, "call_w1", true), one(end(events.StopToolUse))),
			joined(native(0, "call_w1", false), called(1, "call_w2", "a", "{}"), native(2, "call_w3", true), native(3, "call_w4", true), ended(events.StopToolUse, events.StopToolUse)),
		},
		"sources of two texts, too early": {
			joined(cite(0), cite(1), text(0, "One.", "1."), text(1, "Two.", "2."), one(end(events.StopEnd))),
			joined(text(0, "One."), cite(0), text(0, "1."), text(1, "Two."), cite(1), text(1, "2."), one(end(events.StopEnd))),
		},
		"a call over two texts": {
			joined(text(0, "Hi."), text(1, "```tool_call a\n{"), text(2, "}\n```\nBye."), one(end(events.StopOther))),
			joined(text(0, "Hi."), called(1, "call_w1", "a", "{", "}"), text(2, "Bye."), ended(events.StopToolUse, events.StopOther)),
		},
		"a wire name is told as declared": {
			joined(text(0, "```tool_call c_d\n{}"), one(end(events.StopSequence))),
			joined(called(0, "call_w1", "c.d", "{}"), ended(events.StopToolUse, events.StopSequence)),
		},
		"a name inside": {
			joined(text(0, "```tool_call\n{\"name\": \"c_d\", \"arguments\": {\"x\": 1.0}}\n```\n```tool_call\n{\"name\":\"a\",\"parameters\":{}}```\n```tool_call\n{\"name\":\"a\"}"), one(end(events.StopEnd))),
			joined(called(0, "call_w1", "c.d", `{"x": 1.0}`), called(1, "call_w2", "a", "{}"), called(2, "call_w3", "a"), ended(events.StopToolUse, events.StopEnd)),
		},
		"a name inside, beside others of another letter case": {
			joined(text(0, "```tool_call\n{\"name\": \"a\", \"Name\": \"b\", \"arguments\": {\"x\": 1}, \"Arguments\": {}}"), one(end(events.StopEnd))),
			joined(called(0, "call_w1", "a", `{"x": 1}`), ended(events.StopToolUse, events.StopEnd)),
		},
		"sources": {
			joined(text(0, "Hi."), cite(0), text(0, " You."), cite(0), one(end(events.StopEnd))),
			joined(text(0, "Hi."), cite(0), text(0, " You."), cite(0), one(end(events.StopEnd))),
		},
		"a source before its text is told": {
			joined(text(0, "\n"), cite(0), text(0, "``"), cite(0), text(0, "x"), one(end(events.StopEnd))),
			joined(text(0, "\n``x"), cite(0), cite(0), one(end(events.StopEnd))),
		},
		"a source behind a call": {
			joined(text(0, "Hi.\n```tool_call a\n{}\n```\n"), cite(0), text(0, "Bye."), cite(0), one(end(events.StopEnd))),
			joined(text(0, "Hi."), called(1, "call_w1", "a", "{}"), cite(0), text(2, "Bye."), one(events.NewCitationAdded(2, events.Citation{URL: "https://a.example/"})), ended(events.StopToolUse, events.StopEnd)),
		},
		"a source of nothing but a call": {
			joined(text(0, "```tool_call a\n{}\n```"), cite(0), one(end(events.StopEnd))),
			joined(called(0, "call_w1", "a", "{}"), ended(events.StopToolUse, events.StopEnd)),
		},
		"cut in a call": {
			joined(text(0, "```tool_call a\n{}\n```\n```tool_call b\n{\"x\": 1}\n"), one(end(events.StopLength))),
			joined(called(0, "call_w1", "a", "{}"), one(events.NewToolCallStarted(1, "call_w2", "b", true)), one(events.NewToolArgumentsDelta(1, `{"x": 1}`)),
				invalid(1, "call_w2", "b", `{"x": 1}`, events.IssueTruncated, cut), one(end(events.StopLength))),
		},
		"cut in a call that names its tool inside": {
			joined(text(0, "```tool_call\n{\"na"), one(end(events.StopContentFilter))),
			joined(one(events.NewToolCallStarted(0, "call_w1", "tool_call", true)), one(events.NewToolArgumentsDelta(0, `{"na`)),
				invalid(0, "call_w1", "tool_call", `{"na`, events.IssueTruncated, cut), one(end(events.StopContentFilter))),
		},
		"cut behind a call": {
			joined(text(0, "```tool_call a\n{}```"), one(end(events.StopLength))),
			joined(called(0, "call_w1", "a", "{}"), one(end(events.StopLength))),
		},
		"cut before a call is one": {
			joined(text(0, "Hi.\n```tool_"), one(end(events.StopLength))),
			joined(text(0, "Hi.", "\n```tool_"), one(end(events.StopLength))),
		},
		"failed": {
			joined(text(0, "Hi.\n```tool_"), one(events.NewFailed(events.NewFailure(events.Overloaded, "", "busy")))),
			joined(text(0, "Hi."), one(events.NewFailed(events.NewFailure(events.Overloaded, "", "busy")))),
		},
		"failed in a call": {
			joined(text(0, "```tool_call a\n{}``"), one(events.NewFailed(events.NewFailure(events.Overloaded, "", "busy")))),
			joined(one(events.NewToolCallStarted(0, "call_w1", "a", true)), one(events.NewToolArgumentsDelta(0, "{}")), one(events.NewFailed(events.NewFailure(events.Overloaded, "", "busy")))),
		},
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			requireEvents(t, row.want, played(t, question(t), row.says...))
		})
	}
}

// Ids go on from those of the history.
func TestReplyMintsOn(t *testing.T) {
	t.Parallel()
	req := question(t)
	req.Messages = append(req.Messages,
		request.Assistant(request.Call(events.ToolCall{ID: "call_w4", Name: "a", Arguments: "{}", Minted: true})), request.Results(request.Result("call_w4", "x")))
	got := played(t, req, joined(text(0, "```tool_call b\n{}\n```"), one(end(events.StopEnd)))...)
	requireEvents(t, joined(called(0, "call_w5", "b", "{}"), ended(events.StopToolUse, events.StopEnd)), got)
}

func TestReplyOfBrokenCalls(t *testing.T) {
	t.Parallel()
	for block, want := range map[string]struct{ name, arguments, kind, detail string }{
		"```tool_call a\n{\"x\":\n```":                          {"a", `{"x":`, "not_object", "tool call a call_w1: "},
		"```tool_call a\n[]\n```":                               {"a", `[]`, "not_object", "tool call a call_w1: "},
		"```tool_call a\n{\"x\":1,\"x\":2}":                     {"a", `{"x":1,"x":2}`, "duplicate_key", "tool call a call_w1: "},
		"```tool_call a\n{}\nSo be it.":                         {"a", "{}\nSo be it.", "not_object", "tool call a call_w1: "},
		"```tool_call\n{\"name\":\"a\",\"arguments\":[1]}\n```": {"a", "[1]", "not_object", "tool call a call_w1: "},
		"```tool_call\n{\"arguments\":{}}\n```":                 {"tool_call", `{"arguments":{}}`, "unknown_tool", "names no tool"},
		"```tool_call\n{\"name\":1}\n```":                       {"tool_call", `{"name":1}`, "unknown_tool", "names no tool"},
		"```tool_call a\n[]\n```\n```tool_call b\n[]\n```":      {"b", `[]`, "not_object", "tool call a call_w1: "},
		"```tool_call\nx\n```":                                  {"tool_call", "x", "not_object", "tool call tool_call call_w1: "},
		"```tool_call\n```":                                     {"tool_call", "", "not_object", "tool call tool_call call_w1: "},
	} {
		all := played(t, question(t), joined(text(0, block), one(end(events.StopEnd)))...)
		last := all[len(all)-2]
		c, _ := last.Call()
		issue, _ := last.Issue()
		assert.Equal(t, want.name, c.Name, block)
		assert.Equal(t, want.arguments, last.Text, block)
		assert.Equal(t, want.kind, string(issue.Kind), block)
		f, failed := all[len(all)-1].Failure()
		require.True(t, failed, block)
		assert.Equal(t, events.ReasonBadToolArguments, f.Reason, block)
		assert.Equal(t, events.InvalidReply, f.Kind)
		assert.Contains(t, f.Detail, want.detail)
		assert.Equal(t, events.Served, f.Sent)
		assert.Equal(t, "acme", f.Provider)
		assert.Equal(t, "req-1", f.RequestID)
		assert.Equal(t, events.Known(7), f.Usage.Output)
	}
}

// A model that calls in its own way, although nobody told it tools in that way.
func TestReplyWithNativeCalls(t *testing.T) {
	t.Parallel()
	seal := events.ProviderData{Format: "f", Origin: "acme", Value: "v"}
	native := func(index int, c events.ToolCall) []events.Event {
		return []events.Event{events.NewToolCallStarted(index, c.ID, c.Name, c.Minted), events.NewToolArgumentsDelta(index, c.Arguments), events.NewToolCallCompleted(index, c)}
	}
	broken := func(index int, id string) []events.Event {
		return append(one(events.NewToolCallStarted(index, id, "b", false)), events.NewToolCallInvalid(index, events.ToolCall{ID: id, Name: "b", Arguments: "["}, events.Issue{Kind: events.IssueTruncated}))
	}
	got := played(t, question(t), joined(
		text(0, "```tool_call a\n{}\n```"),
		native(1, events.ToolCall{ID: "call_w1", Name: "c_d", Arguments: "{}", Minted: true, Replay: seal}),
		native(2, events.ToolCall{ID: "x", Name: "b", Arguments: "{}"}), broken(3, "y"), one(end(events.StopToolUse)))...)
	requireEvents(t, joined(
		called(0, "call_w1", "a", "{}"),
		native(1, events.ToolCall{ID: "call_w2", Name: "c.d", Arguments: "{}", Minted: true}),
		native(2, events.ToolCall{ID: "x", Name: "b", Arguments: "{}"}), broken(3, "y"), one(end(events.StopToolUse)),
	), got)
}

// Without tools the text is nobody's but the user's.
func TestReplyIsLeftAlone(t *testing.T) {
	t.Parallel()
	says := joined(text(0, "Hi. \n", "```tool_call a\n", "{}\n```\n"), one(end(events.StopEnd)))
	none := question(t)
	none.ToolChoice.Mode = request.ToolNone
	past := question(t)
	past.Messages = append(past.Messages, request.Assistant(request.Call(events.ToolCall{ID: "1", Name: "a", Arguments: "{}"})), request.Results(request.Result("1", "")))
	past.Tools = nil
	plain := question(t)
	plain.Tools = nil
	for _, req := range []request.Request{none, past, plain} {
		requireEvents(t, says, played(t, req, says...))
	}
}

func TestReplyIsBounded(t *testing.T) {
	t.Parallel()
	limits := validator.DefaultLimits()
	var blocks []events.Event
	thinking := text(0, "```tool_call a\n{}\n```\nx")
	for n := range limits.Index {
		blocks, thinking = append(blocks, events.NewThinkingDelta(n, "x")), append(thinking, events.NewThinkingDelta(n+1, "x"))
	}
	for why, pieces := range map[string][]events.Event{
		"calls":     text(0, strings.Repeat("```tool_call a\n{}\n```\n", limits.Calls+1)),
		"arguments": append(text(0, "```tool_call a\n{"), text(0, strings.Split(strings.Repeat(strings.Repeat("1", 1<<15)+"\n", limits.CallBytes>>15), "\n")...)[:limits.CallBytes>>15]...),
		"thinking":  thinking,
		"sources":   append(text(0, "\n"), slices.Repeat(one(events.NewCitationAdded(0, events.Citation{URL: "https://a.example/"})), 1<<10+1)...),
		"blocks":    append(blocks, text(limits.Index, "x\n```tool_call a\n{}\n```")...),
	} {
		all := played(t, question(t), append(pieces, end(events.StopEnd))...)
		f, failed := all[len(all)-1].Failure()
		require.True(t, failed, why)
		assert.Equal(t, events.ReasonTooLarge, f.Reason, why)
		assert.Equal(t, events.Answered, f.Sent, why)
		if why == "blocks" || why == "thinking" {
			assert.EqualValues(t, limits.Index, all[len(all)-2].Index, why)
		}
	}
	fits := played(t, question(t), append(text(0, strings.Repeat("```tool_call a\n{}\n```\n", limits.Calls)), end(events.StopEnd))...)
	assert.Equal(t, events.Completed, fits[len(fits)-1].Kind)
	long := played(t, question(t), append(text(0, "```tool_call "+strings.Repeat("é", 100)+"\n{}"), end(events.StopEnd))...)
	c, _ := long[0].Call()
	assert.Equal(t, strings.Repeat("é", 64), c.Name)
}

// The counts until then are those of the failure.
func TestReplyFailsWithUsage(t *testing.T) {
	t.Parallel()
	all := played(t, question(t), joined(one(events.NewUsageUpdated(events.Usage{Input: events.Known(5)})), text(0, "```tool_call a\n["), one(end(events.StopEnd)))...)
	f, _ := all[len(all)-1].Failure()
	assert.Equal(t, events.Known(5), f.Usage.Input)
	assert.Equal(t, events.Known(7), f.Usage.Output)
}

func TestModel(t *testing.T) {
	t.Parallel()
	_, err := texttools.New(nil)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
	m, err := texttools.New(inner{})
	require.NoError(t, err)
	assert.Equal(t, "acme:text", m.Name())
	assert.Equal(t, request.Spec{Tools: request.Yes, ToolChoice: request.Yes, ParallelTools: request.Yes, Images: request.Yes, ContextWindow: 8192}, m.Spec())
	found, ok := providers.As[inner](m)
	assert.True(t, ok)
	assert.Equal(t, "acme:text", found.Name())
}

// A panic of the inner model is contained, and a second range sends nothing.
func TestStreamIsSingleUse(t *testing.T) {
	t.Parallel()
	m, err := texttools.New(panicking{})
	require.NoError(t, err)
	s := m.Stream(t.Context(), question(t))
	_, err = stream.Collect(s)
	require.ErrorIs(t, err, &events.Failure{Kind: events.Crashed})
	_, err = stream.Collect(s)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonStreamUsed})
}

type panicking struct{ inner }

func (panicking) Stream(context.Context, request.Request) stream.Stream {
	return func(func(events.Event) bool) { panic("no") }
}

// Sources of a text that is never told, because it is all call, are not looked at again
// for each piece of another one.
func TestSourcesOfNoTextAreNotLookedAtAgain(t *testing.T) {
	// Not parallel: testing.AllocsPerRun counts the whole process.
	says := text(0, "```tool_call a\n{}\n```\n")
	for range 1000 {
		says = append(says, events.NewCitationAdded(0, events.Citation{Title: "t"}))
	}
	for range 500 {
		says = append(says, text(1, "word ", "word ")...)
	}
	allocs := testing.AllocsPerRun(1, func() { played(t, question(t), append(says, end(events.StopEnd))...) })
	assert.Less(t, allocs, 6000.0, "12,900 before, 1,900 after")
}
