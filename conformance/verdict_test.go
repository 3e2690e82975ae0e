package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// ofEvents is what came of an exchange that yielded these.
func ofEvents(all ...events.Event) played {
	p := played{events: all, reply: new(stream.Reply)}
	for _, ev := range all {
		p.reply.Add(ev)
	}
	return p
}

// everyKind is a reply with everything in it that is compared.
func everyKind() []events.Event {
	c := events.ToolCall{ID: "call_1", Name: "weather", Arguments: "{}"}
	return []events.Event{
		events.NewStarted(events.Start{}),
		events.NewThinkingDelta(0, "Hm."),
		events.NewTextDelta(1, "Hello"),
		events.NewCitationAdded(1, events.Citation{URL: "https://a.example"}),
		events.NewHostedToolStarted(2, "s", "search"), events.NewHostedToolCompleted(2, events.HostedTool{ID: "s", Name: "search"}),
		events.NewToolCallStarted(3, c.ID, c.Name, false), events.NewToolCallCompleted(3, c),
		events.NewRefusalDelta(4, "No."),
		events.NewCompleted(events.Completion{Stop: events.StopToolUse, RawStop: "calls", Usage: events.Usage{
			Input: events.Known(12), CacheRead: events.Known(1), CacheWrite: events.Known(2), CacheWriteLong: events.Known(3),
			Output: events.Known(5), Thinking: events.Known(4), Final: true,
		}}),
	}
}

// TestSameContent: each part that a reply says is compared.
func TestSameContent(t *testing.T) {
	t.Parallel()
	base := everyKind()
	last := len(base) - 1
	with := func(at int, ev events.Event) []events.Event {
		all := slices.Clone(base)
		all[at] = ev
		return all
	}
	done := func(change func(*events.Completion)) []events.Event {
		c, _ := base[last].Completion()
		change(&c)
		return with(last, events.NewCompleted(c))
	}
	other := events.ToolCall{ID: "call_1", Name: "weather", Arguments: `{"a":1}`}
	g := &group{trial: &trial{base: ofEvents(base...)}}
	for _, row := range []struct {
		why string
		got []events.Event
		// tells is what is told to be another one; empty: nothing is.
		tells string
	}{
		{"the same", base, ""},
		{"counts aside", done(func(c *events.Completion) { c.Usage = events.Usage{} }), ""},
		{"another text", with(2, events.NewTextDelta(1, "Hallo")), `the text "Hallo" instead of "Hello"`},
		{"another thinking", with(1, events.NewThinkingDelta(0, "Oh.")), `the thinking "Oh." instead of "Hm."`},
		{"another refusal", with(8, events.NewRefusalDelta(4, "Yes.")), `the refusal "Yes." instead of "No."`},
		{"another stop", done(func(c *events.Completion) { c.Stop = events.StopEnd }), `the stop end ("calls") instead of tool_use ("calls")`},
		{"another raw stop", done(func(c *events.Completion) { c.RawStop = "tools" }), `the stop tool_use ("tools") instead of tool_use ("calls")`},
		{"a failure", with(last, events.NewFailed(events.NewFailure(events.Overloaded, "", ""))), "the end failed overloaded instead of completed tool_use"},
		{
			"another source", with(3, events.NewCitationAdded(1, events.Citation{URL: "https://b.example"})),
			"the sources [{Index:1 Citation:{URL:https://b.example Title: Text: Start:0 End:0 SourceStart:0 SourceEnd:0}}] instead of [{Index:1 Citation:{URL:https://a.example",
		},
		{"no hosted tool", slices.Delete(slices.Clone(base), 4, 6), "0 hosted tools instead of 1"},
		{"another call", with(7, events.NewToolCallCompleted(3, other)), `the executable calls [{ID:call_1 Name:weather Arguments:{"a":1}`},
		{
			"a call more, which is not executable", slices.Insert(slices.Clone(base), last, events.NewToolCallStarted(5, "call_2", "clock", false)),
			"2 calls, executable or not, instead of 1",
		},
	} {
		p := ofEvents(row.got...)
		assert.Equal(t, row.tells == "", g.sameContent(p), row.why)
		told := g.contentDifference(p)
		assert.Contains(t, told, row.tells, row.why)
		assert.Equal(t, row.tells != "", strings.HasSuffix(g.tellContent(p)(), "; "+told), row.why)
	}
}

// TestInstead: texts that part late are shown where they do.
func TestInstead(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "the text a instead of b", instead("the text", "b", "a"))
	long := strings.Repeat("é", 300)
	assert.Equal(t, "the text ..."+strings.Repeat("é", 15)+"a instead of ..."+strings.Repeat("é", 15)+"b", instead("the text", long+"b", long+"a"))
	assert.LessOrEqual(t, len(instead("", "b"+long, "a"+long)), 2*200+len("  instead of "))
}

// TestSameEndOfContent: without calls, the stop alone, and whether there is one.
func TestSameEndOfContent(t *testing.T) {
	t.Parallel()
	ending := func(stop events.Stop) played {
		return ofEvents(events.NewTextDelta(0, "Hello"), events.NewCompleted(events.Completion{Stop: stop, RawStop: "done"}))
	}
	g := &group{trial: &trial{base: ending(events.StopEnd)}}
	assert.True(t, g.sameContent(ending(events.StopEnd)))
	assert.False(t, g.sameContent(ending(events.StopLength)))
	g.base = ofEvents(events.NewFailed(events.NewFailure(events.Overloaded, "", "")))
	assert.False(t, g.sameContent(ofEvents(events.NewCompleted(events.Completion{}))), "an end without a word is no failure")
}

// TestSameContentWithoutLateCounts: what fails for its counts is whole without
// them.
func TestSameContentWithoutLateCounts(t *testing.T) {
	t.Parallel()
	text := events.NewTextDelta(0, "Hello")
	unusable := events.NewFailed(events.NewFailure(events.InvalidReply, events.ReasonUnusableUsage, ""))
	completed := func(u events.Usage) events.Event {
		return events.NewCompleted(events.Completion{Stop: events.StopEnd, RawStop: "done", Usage: u})
	}
	g := &group{trial: &trial{base: ofEvents(text, unusable)}}
	assert.True(t, g.sameContent(ofEvents(text, completed(events.Usage{}))))
	assert.True(t, g.sameContent(ofEvents(text, completed(events.Usage{Input: events.Known(12)}))))
	assert.False(t, g.sameContent(ofEvents(text, completed(events.Usage{Output: events.Known(0)}))), "the count that could not be used")
	assert.False(t, g.sameContent(ofEvents(completed(events.Usage{}))), "another text")
	assert.True(t, g.sameContent(ofEvents(text, unusable)))
}

// TestCountsWithin: each count that is known and final is that of the whole body.
func TestCountsWithin(t *testing.T) {
	t.Parallel()
	base := everyKind()
	whole, _ := base[len(base)-1].Usage()
	g := &group{trial: &trial{base: ofEvents(base...)}}
	within := func(u events.Usage) bool {
		return g.countsWithin(ofEvents(events.NewCompleted(events.Completion{Stop: events.StopEnd, Usage: u})))
	}
	assert.True(t, within(whole))
	assert.True(t, within(events.Usage{Final: true}), "unknown ones")
	wrong := events.Known(99)
	for name, u := range map[string]events.Usage{
		"input": {Input: wrong}, "output": {Output: wrong}, "thinking": {Thinking: wrong},
		"cache read": {CacheRead: wrong}, "cache write": {CacheWrite: wrong}, "long": {CacheWriteLong: wrong},
	} {
		assert.True(t, within(u), "%s: running counts may be others", name)
		u.Final = true
		assert.False(t, within(u), name)
		p := ofEvents(events.NewCompleted(events.Completion{Stop: events.StopEnd, Usage: u}))
		assert.Contains(t, g.tellCounts(p)(), "final true; ", name)
		assert.Contains(t, g.tellOther(p)(), " 99 instead of ", name)
		assert.Contains(t, p.tellUsage(), " 99", name)
	}
}

// TestCallsWithin: a completed call is one of the whole body, in every part.
func TestCallsWithin(t *testing.T) {
	t.Parallel()
	g := &group{trial: &trial{base: ofEvents(everyKind()...)}}
	within := func(c events.ToolCall) bool { return g.callsWithin(ofEvents(events.NewToolCallCompleted(3, c))) }
	c := events.ToolCall{ID: "call_1", Name: "weather", Arguments: "{}"}
	assert.True(t, within(c))
	assert.True(t, g.callsWithin(ofEvents()))
	for _, other := range []events.ToolCall{
		{ID: "call_2", Name: c.Name, Arguments: c.Arguments}, {ID: c.ID, Name: "clock", Arguments: c.Arguments}, {ID: c.ID, Name: c.Name, Arguments: "{ }"},
	} {
		assert.False(t, within(other), other)
	}
	assert.True(t, g.callsWithin(ofEvents(events.NewToolCallInvalid(3, events.ToolCall{ID: "x", Name: "y"}, events.Issue{Kind: events.IssueTruncated}))), "one that is not completed")
}

// TestSameEnd: a failure is the same by kind, reason and the provider's code.
func TestSameEnd(t *testing.T) {
	t.Parallel()
	failed := func(kind events.FailureKind, reason events.Reason, code string) played {
		return ofEvents(events.NewFailed(&events.Failure{Kind: kind, Reason: reason, ProviderCode: code, Detail: code + " at byte 7"}))
	}
	g := &group{trial: &trial{base: failed(events.Overloaded, events.ReasonServer, "busy")}}
	assert.True(t, g.sameEnd(failed(events.Overloaded, events.ReasonServer, "busy")))
	assert.False(t, g.sameEnd(failed(events.RateLimited, events.ReasonServer, "busy")))
	assert.False(t, g.sameEnd(failed(events.Overloaded, events.ReasonOverloaded, "busy")))
	assert.False(t, g.sameEnd(failed(events.Overloaded, events.ReasonServer, "fault")))
	assert.False(t, g.sameEnd(ofEvents(events.NewCompleted(events.Completion{Stop: events.StopEnd}))))
}

// TestUsageOfScenarios: what is wrong with counts is told, and nothing else.
func TestUsageOfScenarios(t *testing.T) {
	t.Parallel()
	known := events.Known
	for _, row := range []struct {
		why   string
		check func(events.Usage) string
		u     events.Usage
		good  bool
	}{
		{"whole", whole, events.Usage{Input: known(12), Output: known(5)}, true},
		{"another input", whole, events.Usage{Input: known(11), Output: known(5)}, false},
		{"another output", whole, events.Usage{Input: known(12), Output: known(6)}, false},
		{"an unknown one", whole, events.Usage{Input: known(12)}, false},
		{"final", final, events.Usage{Input: known(12), Output: known(5), Final: true}, true},
		{"not final", final, events.Usage{Input: known(12), Output: known(5)}, false},
		{"another whole that is final", final, events.Usage{Input: known(12), Output: known(6), Final: true}, false},
		{"cached", cached, events.Usage{Input: known(12), Output: known(5), CacheRead: known(8)}, true},
		{"cached of another whole", cached, events.Usage{Input: known(20), Output: known(5), CacheRead: known(8)}, false},
		{"another part of the input", cached, events.Usage{Input: known(12), Output: known(5), CacheRead: known(7)}, false},
		{"thought", thought, events.Usage{Input: known(12), Output: known(5), Thinking: known(3)}, true},
		{"thought of another whole", thought, events.Usage{Input: known(12), Output: known(4), Thinking: known(3)}, false},
		{"an unknown part of the output", thought, events.Usage{Input: known(12), Output: known(5), CacheRead: known(8)}, false},
		{"absent", absent, events.Usage{}, true},
		{"zero is not absent", absent, events.Usage{Output: known(0)}, false},
	} {
		assert.Equal(t, row.good, row.check(row.u) == "", row.why)
	}
}

// TestClauseOf: what hangs for ever and what is left behind are told apart by what
// testing/synctest says of them.
func TestClauseOf(t *testing.T) {
	t.Parallel()
	left := bubble(t, func(*testing.T) { go func() { <-make(chan int) }() })
	assert.NotNil(t, left)
	assert.Equal(t, m11, clauseOf(left))
	hangs := bubble(t, func(*testing.T) { <-make(chan int) })
	assert.NotNil(t, hangs)
	assert.Equal(t, m12, clauseOf(hangs))
	assert.Nil(t, bubble(t, func(*testing.T) {}))
}
