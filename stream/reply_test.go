package stream_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestOutcomes(t *testing.T) {
	t.Parallel()
	call := []events.Event{started(), callStart(0, "1"), callArgs(0, "{}"), callDone(0, "1", "{}")}
	for _, row := range []struct {
		name, why string
		script    []events.Event
		outcome   stream.Outcome
		stop      events.Stop
		calls     int
	}{
		{"nothing", "the zero Reply", nil, stream.OutcomeInProgress, "", 0},
		{"no terminal", "a prefix is in progress", call, stream.OutcomeInProgress, "", 0},
		{"end", "answered", []events.Event{text(0, "a"), completed(events.StopEnd)}, stream.OutcomeFinal, events.StopEnd, 0},
		{"empty", "an empty answer is an answer", []events.Event{completed(events.StopEnd)}, stream.OutcomeFinal, events.StopEnd, 0},
		{"stop sequence", "answered", []events.Event{text(0, "a"), completed(events.StopSequence)}, stream.OutcomeFinal, events.StopSequence, 0},
		{"unknown", "ended properly", []events.Event{text(0, "a"), completed(events.StopUnknown)}, stream.OutcomeFinal, events.StopUnknown, 0},
		{"other", "ended properly", []events.Event{text(0, "a"), completed(events.StopOther)}, stream.OutcomeFinal, events.StopOther, 0},
		{"tools", "executable", append(call, completed(events.StopToolUse)), stream.OutcomeToolRequest, events.StopToolUse, 1},
		{"tools cut", "a cut reply's calls are not executable", append(call, completed(events.StopLength)), stream.OutcomeTruncated, events.StopLength, 0},
		{"tools paused", "nor a paused one's", append(call, completed(events.StopPause)), stream.OutcomePaused, events.StopPause, 0},
		{"tools filtered", "nor a filtered one's", append(call, completed(events.StopContentFilter)), stream.OutcomeRefusal, events.StopContentFilter, 0},
		{"tools failed", "nor a failed one's", append(call, failed(events.Overloaded, "")), stream.OutcomeFailed, "", 0},
		{"tools, end", "only tool_use makes a call executable", append(call, completed(events.StopEnd)), stream.OutcomeFinal, events.StopEnd, 0},
		{"refusal", "the provider's word", []events.Event{text(0, "no"), completed(events.StopRefusal)}, stream.OutcomeRefusal, events.StopRefusal, 0},
		{"only refusal text", "whatever the word", []events.Event{started(), think(0, "h"), refuse(1, "no"), usage(1, 1), events.NewNotice(events.NoticeUnknownFrame, ""), completed(events.StopEnd)}, stream.OutcomeRefusal, events.StopRefusal, 0},
		{"only refusal text, cut", "whatever the word", []events.Event{refuse(0, "no"), completed(events.StopLength)}, stream.OutcomeRefusal, events.StopRefusal, 0},
		{"refusal text and text", "not only refusal text", []events.Event{refuse(0, "no"), text(1, "but"), completed(events.StopEnd)}, stream.OutcomeFinal, events.StopEnd, 0},
		{"refusal text and a call", "not only refusal text", append([]events.Event{refuse(1, "no")}, append(call, completed(events.StopToolUse))...), stream.OutcomeToolRequest, events.StopToolUse, 1},
		{"refusal text, failed", "failed comes first", []events.Event{refuse(0, "no"), failed(events.Overloaded, "")}, stream.OutcomeFailed, "", 0},
		{"after the terminal", "it is over", []events.Event{text(0, "a"), completed(events.StopEnd), failed(events.Other, ""), text(0, "b")}, stream.OutcomeFinal, events.StopEnd, 0},
		{"hand-made terminal", "total", []events.Event{{Kind: events.Completed}}, stream.OutcomeFinal, "", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := fold(row.script...)
			assert.Equal(t, row.outcome, r.Outcome(), row.why)
			assert.Equal(t, row.stop, r.Stop(), row.why)
			assert.Len(t, r.ToolCalls(), row.calls, row.why)
			assert.Equal(t, row.calls > 0, r.Executable(), row.why)
			assert.Equal(t, row.outcome == stream.OutcomeFailed, r.Err() != nil)
			assert.Equal(t, row.outcome != stream.OutcomeInProgress, r.Done())
		})
	}
}

func TestReplyTells(t *testing.T) {
	t.Parallel()
	r := fold(
		events.NewStarted(events.Start{Model: "m-1", ResponseID: "r1"}), events.NewStarted(events.Start{Model: "late"}),
		think(0, "h"), think(0, "m"), text(1, "a"), refuse(2, "no"), text(1, "b"),
		events.NewHostedToolStarted(3, "h1", "search"), events.NewHostedToolStarted(4, "h2", "search"),
		events.NewHostedToolCompleted(3, events.HostedTool{ID: "h1", Name: "search", Outcome: "ok"}),
		events.NewCitationAdded(1, events.Citation{URL: "u"}), events.NewMediaCompleted(5, "image/png", []byte{1}),
		events.NewNotice(events.NoticeEffortClamped, "high"),
		usage(10, 1), usage(10, 3),
		events.NewCompleted(events.Completion{
			Stop: events.StopEnd, RawStop: "stop", Cost: &events.Cost{Micros: 5, Text: "0.000005"},
			Usage: events.Usage{Output: events.Known(4), Final: true},
		}),
	)
	assert.Equal(t, "m-1", r.Start().Model, "the first Started counts")
	assert.Equal(t, "hm", r.Thinking())
	assert.Equal(t, "ab", r.Text())
	assert.Equal(t, "no", r.Refusal())
	require.Len(t, r.Hosted(), 2)
	assert.Equal(t, "ok", r.Hosted()[0].Outcome, "the end replaces the start")
	assert.Equal(t, "h2", r.Hosted()[1].ID, "one that has not ended is there")
	assert.Equal(t, []stream.Citation{{Index: 1, Citation: events.Citation{URL: "u"}}}, r.Citations())
	assert.Equal(t, []events.Media{{Type: "image/png", Data: []byte{1}}}, r.Media())
	assert.Equal(t, []events.NoticeInfo{{Code: events.NoticeEffortClamped, Detail: "high"}}, r.Notices())
	assert.Equal(t, events.Usage{Input: events.Known(10), Output: events.Known(4), Final: true}, r.Usage(), "field by field, the last one")
	cost, ok := r.Cost()
	assert.True(t, ok)
	assert.EqualValues(t, 5, cost.Micros)
	assert.Equal(t, "stop", r.RawStop())
}

// The tier of the end counts: of the start it may be no more than how it was asked.
func TestServiceTier(t *testing.T) {
	t.Parallel()
	asked := events.NewStarted(events.Start{Metadata: map[string]string{"service_tier": "auto"}})
	served := events.NewCompleted(events.Completion{Stop: events.StopEnd, ServiceTier: "default"})
	assert.Empty(t, fold(completed(events.StopEnd)).ServiceTier())
	assert.Equal(t, "auto", fold(asked).ServiceTier())
	assert.Equal(t, "auto", fold(asked, completed(events.StopEnd)).ServiceTier())
	assert.Equal(t, "auto", fold(asked, failed(events.Overloaded, "")).ServiceTier())
	assert.Equal(t, "default", fold(asked, served).ServiceTier())
}

func TestUsageSurvivesATerminalWithout(t *testing.T) {
	t.Parallel()
	known := events.Usage{Input: events.Known(3), Final: true}
	for _, end := range []events.Event{completed(events.StopEnd), failed(events.Overloaded, "")} {
		assert.Equal(t, known, fold(events.NewUsageUpdated(known), end).Usage(), "%v tells nothing of usage", end.Kind)
	}
	_, ok := fold(completed(events.StopEnd)).Cost()
	assert.False(t, ok, "no figure is not a figure of 0")
}

func TestCallsForReport(t *testing.T) {
	t.Parallel()
	r := fold(started(),
		callStart(3, "d"), callStart(0, "a"), callStart(1, "b"), callStart(2, "c"),
		callDone(1, "b", `{"x":1}`), callBad(0, "a", `{"x":`, events.IssueTruncated),
		callBad(2, "c", `{"y":2}`, events.IssueSchema),
		completed(events.StopToolUse))
	all := r.AllCalls()
	require.Len(t, all, 4)
	for i, id := range []string{"a", "b", "c", "d"} {
		assert.Equal(t, id, all[i].ID, "in the order of the blocks")
		assert.Equal(t, i, all[i].Index)
	}
	assert.True(t, all[3].Open)
	invalid := r.InvalidCalls()
	require.Len(t, invalid, 2)
	assert.Equal(t, `{"x":`, invalid[0].Text)
	assert.Equal(t, events.IssueTruncated, invalid[0].Issue.Kind)
	require.Len(t, r.ToolCalls(), 1)
	assert.Equal(t, `{"x":1}`, r.ToolCalls()[0].Arguments)
	assert.Equal(t, "sig-b", r.ToolCalls()[0].Replay.Value)
}

func TestDoubtfulCallsAreNotExecutable(t *testing.T) {
	t.Parallel()
	for name, script := range map[string][]events.Event{
		"completed, then invalid": {callDone(0, "a", "{}"), callBad(0, "a", "{", events.IssueTruncated)},
		"invalid, then completed": {callBad(0, "a", "{", events.IssueTruncated), callDone(0, "a", "{}")},
		"completed, then open":    {callDone(0, "a", "{}"), callStart(0, "b")},
		"hand-made":               {{Kind: events.ToolCallCompleted, Text: "{}"}},
	} {
		assert.Empty(t, fold(append(script, completed(events.StopToolUse))...).ToolCalls(), name)
	}
}

func TestTurn(t *testing.T) {
	t.Parallel()
	callOf := func(id, args, sig string) request.Block {
		c := events.ToolCall{ID: id, Name: "f", Arguments: args}
		if sig != "" {
			c.Replay = events.ProviderData{Format: "chat.v1", Origin: "acme", Value: sig}
		}
		return request.Call(c)
	}
	interleaved := []events.Event{
		started(), think(0, "h"), text(1, "a1"), callStart(2, "c1"), text(3, "b1"), text(1, "a2"), refuse(4, "r"),
		text(3, "b2"), callDone(2, "c1", `{"n":12345678901234567890}`), callStart(5, "c2"), text(1, "a3"),
	}
	textsOnly := []request.Block{request.Text("a1a2a3"), request.Text("b1b2"), request.Text("r")}
	for _, row := range []struct {
		name, why string
		end       []events.Event
		blocks    []request.Block
		data      events.ProviderData
	}{
		{
			"tool use", "blocks in order of their index, bytes untouched",
			[]events.Event{callDone(5, "c2", "{}"), completed(events.StopToolUse)},
			[]request.Block{request.Text("a1a2a3"), callOf("c1", `{"n":12345678901234567890}`, "sig-c1"), request.Text("b1b2"), request.Text("r"), callOf("c2", "{}", "sig-c2")},
			sealed(),
		},
		{
			"report, an object", "what fits the wire goes back as it was",
			[]events.Event{callBad(5, "c2", `{"y":2}`, events.IssueSchema), completed(events.StopToolUse)},
			[]request.Block{request.Text("a1a2a3"), callOf("c1", `{"n":12345678901234567890}`, "sig-c1"), request.Text("b1b2"), request.Text("r"), callOf("c2", `{"y":2}`, "")},
			sealed(),
		},
		{
			"report, no object", "the call is answerable, its text is not sendable",
			[]events.Event{callBad(5, "c2", `{"y":`, events.IssueNotObject), completed(events.StopToolUse)},
			[]request.Block{request.Text("a1a2a3"), callOf("c1", `{"n":12345678901234567890}`, "sig-c1"), request.Text("b1b2"), request.Text("r"), callOf("c2", "{}", "")},
			sealed(),
		},
		{
			"tool use, a call open", "what never ended cannot be answered",
			[]events.Event{completed(events.StopToolUse)},
			[]request.Block{request.Text("a1a2a3"), callOf("c1", `{"n":12345678901234567890}`, "sig-c1"), request.Text("b1b2"), request.Text("r")},
			sealed(),
		},
		{"length", "text only", []events.Event{callBad(5, "c2", `{"y":`, events.IssueTruncated), completed(events.StopLength)}, textsOnly, events.ProviderData{}},
		{"failed", "text only", []events.Event{failed(events.InvalidReply, events.ReasonTruncated)}, textsOnly, events.ProviderData{}},
		{"in progress", "text only", nil, textsOnly, events.ProviderData{}},
		{"pause", "the provider wants its turn back; calls cannot be answered", []events.Event{completed(events.StopPause)}, textsOnly, sealed()},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			turn := fold(append(append([]events.Event{}, interleaved...), row.end...)...).Turn()
			assert.Equal(t, request.RoleAssistant, turn.Role)
			assert.Equal(t, row.blocks, turn.Blocks, row.why)
			assert.Equal(t, row.data, turn.Data, row.why)
		})
	}
	assert.Empty(t, fold(started(), think(0, "h"), text(1, ""), completed(events.StopEnd)).Turn().Blocks, "no empty block")
}

// TestTextStaysAsItIs holds the unsafe string to its promise.
func TestTextStaysAsItIs(t *testing.T) {
	t.Parallel()
	var r stream.Reply
	var want strings.Builder
	var kept []string
	for i := range 300 {
		piece := string(rune('a' + i%26))
		r.Add(text(0, piece))
		want.WriteString(piece)
		kept = append(kept, r.Text())
	}
	for i, s := range kept {
		require.Equal(t, want.String()[:i+1], s)
	}
}

func TestCopiesOfAReplyAreFoldsOfTheirOwn(t *testing.T) {
	t.Parallel()
	var r stream.Reply
	for _, s := range []string{"a", "b", "c"} {
		r.Add(text(0, s))
		r.Add(events.NewCitationAdded(0, events.Citation{URL: s}))
	}
	c := r
	r.Add(text(0, "r"))
	r.Add(events.NewCitationAdded(0, events.Citation{URL: "r"}))
	s := r.Text()
	c.Add(text(1, "c"))
	c.Add(events.NewCitationAdded(0, events.Citation{URL: "c"}))
	c.Add(completed(events.StopEnd))
	assert.Equal(t, "abcr", s, "a string handed out never changes")
	assert.Equal(t, "abcc", c.Text())
	assert.Equal(t, "r", r.Citations()[3].URL)
	assert.False(t, r.Done())
	assert.Len(t, c.Turn().Blocks, 2)
	assert.Len(t, r.Turn().Blocks, 1)
}

func TestCopiesKeepTheirBlocks(t *testing.T) {
	t.Parallel()
	var r stream.Reply
	for i, s := range []string{"a", "b", "c"} {
		r.Add(text(i, s))
	}
	c := r
	r.Add(text(3, "r"))
	c.Add(text(0, "c"))
	assert.Equal(t, []request.Block{request.Text("a"), request.Text("b"), request.Text("c"), request.Text("r")}, r.Turn().Blocks)
	assert.Equal(t, []request.Block{request.Text("ac"), request.Text("b"), request.Text("c")}, c.Turn().Blocks)
}

// TestFoldLaws: every prefix of every stream folds, to the texts that a slow fold
// gives, and never to a call that may not be executed.
func TestFoldLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var r stream.Reply
		slow := map[events.Kind]string{}
		done := false
		completedCalls := map[events.ToolCall]bool{}
		for _, ev := range anyScript().Draw(t, "script") {
			r.Add(ev)
			if !done && ev.Kind.IsDelta() {
				slow[ev.Kind] += ev.Text
			}
			if c, ok := ev.Call(); ok && ev.Kind == events.ToolCallCompleted && !done {
				completedCalls[c] = true
			}
			done = done || ev.Kind.IsTerminal()
			assert.Equal(t, slow[events.TextDelta], r.Text())
			assert.Equal(t, slow[events.ThinkingDelta], r.Thinking())
			assert.Equal(t, slow[events.RefusalDelta], r.Refusal())
			assert.Equal(t, done, r.Done())
			exerciseAll(&r)
			for _, c := range r.ToolCalls() {
				assert.Equal(t, events.StopToolUse, r.Stop())
				assert.True(t, completedCalls[c], "%v did not complete", c)
			}
		}
	})
}

// exerciseAll calls what is not looked at otherwise; it must not panic.
func exerciseAll(r *stream.Reply) {
	_, _, _ = r.AllCalls(), r.InvalidCalls(), r.Hosted()
	_, _, _ = r.Citations(), r.Media(), r.Notices()
	_, _, _ = r.Start(), r.Usage(), r.Err()
	_, _ = r.Cost()
	_, _ = r.Turn(), stream.AppendReplyJSON(nil, r)
}

// TestTurnRoundTrip: a turn played again as a reply gives the same turn.
func TestTurnRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first := fold(anyScript().Draw(t, "script")...)
		turn := first.Turn()
		again := new(stream.Reply)
		stop := events.StopEnd
		for i, b := range turn.Blocks {
			if b.Kind == request.BlockToolCall {
				stop = events.StopToolUse
				again.Add(events.NewToolCallCompleted(i, b.Call))
				continue
			}
			assert.NotEmpty(t, b.Text, "no empty block")
			again.Add(text(i, b.Text))
		}
		again.Add(events.NewCompleted(events.Completion{Stop: stop, Data: turn.Data}))
		assert.Equal(t, turn, again.Turn())
	})
}
