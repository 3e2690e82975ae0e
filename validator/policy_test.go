package validator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

func requestWithTool(tb testing.TB) request.Request {
	tb.Helper()
	tool, err := request.NewTool("tool", "a tool", `{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}`)
	require.NoError(tb, err)
	return request.Request{Tools: []request.Tool{tool}}
}

// finish is a Completed with a usage.
func finish(stop events.Stop) events.Event {
	return events.NewCompleted(events.Completion{Stop: stop, Usage: events.Usage{Output: events.Known(9), Final: true}})
}

func TestForRequest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, why string
		words     []string
		stop      events.Stop
		issues    []events.IssueKind // of the calls, empty for a completed one
	}{
		{"fits", "a declared call passes", []string{`c0`, `a0={"a":1}`, `d0={"a":1}`}, events.StopToolUse, []events.IssueKind{""}},
		{"unknown", "a name that was not declared", []string{"c0@x/other", "d0@x/other={}"}, events.StopToolUse, []events.IssueKind{events.IssueUnknownTool}},
		{"case", "names are compared byte for byte", []string{"c0@x/Tool", "d0@x/Tool={}"}, events.StopToolUse, []events.IssueKind{events.IssueUnknownTool}},
		{"schema", "arguments of the wrong type", []string{"c0", `a0={"a":"b"}`, `d0={"a":"b"}`}, events.StopToolUse, []events.IssueKind{events.IssueSchema}},
		{"second", "one bad call of two", []string{"c0", "c1@x/other", "d1@x/other={}", "d0={}"}, events.StopToolUse, []events.IssueKind{events.IssueUnknownTool, ""}},
		{"cut", "a bad call before a cut", []string{"c0@x/other", "d0@x/other={}", "c1", "i1={"}, events.StopLength, []events.IssueKind{events.IssueUnknownTool, events.IssueTruncated}},
		{"hosted", "hosted tools are not declared", []string{"s0@x/search", "e0@x/search", "t1"}, events.StopEnd, nil},
		{"reported", "a call that comes invalid is not judged again", []string{"c0@x/other", "i0@x/other={"}, events.StopToolUse, []events.IssueKind{events.IssueTruncated}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := from(t, append([]string{"start", "u=3"}, tt.words...)...)
			s.events = append(s.events, finish(tt.stop))
			option := validator.ForRequest(requestWithTool(t))
			refused := false
			for _, issue := range tt.issues {
				refused = refused || issue == events.IssueUnknownTool || issue == events.IssueSchema
			}

			reported := collect(t, validator.Guard(s.stream, option, validator.WithPolicy(validator.Report)))
			assert.Equal(t, tt.issues, issuesOf(reported), tt.why)
			assert.True(t, s.events[len(s.events)-1].Equal(reported[len(reported)-1]), "Report leaves the reply completed")

			rejected := collect(t, validator.Guard(s.stream, option))
			assert.Equal(t, tt.issues, issuesOf(rejected), tt.why)
			require.Len(t, rejected, len(s.events))
			if !refused {
				assert.Equal(t, events.Completed, rejected[len(rejected)-1].Kind, tt.why)
				return
			}
			f := failureOf(t, rejected)
			assert.Equal(t, events.InvalidReply, f.Kind)
			assert.Equal(t, events.ReasonBadToolArguments, f.Reason)
			assert.Equal(t, events.Served, f.Sent)
			assert.Equal(t, events.Usage{Input: events.Known(3), Output: events.Known(9), Final: true}, f.Usage)
			var issue *events.Issue
			require.ErrorAs(t, rejected[len(rejected)-1].Err(), &issue)
			assert.Contains(t, tt.issues, issue.Kind)
		})
	}
}

// issuesOf returns the issue of each ended call, empty for a completed one.
func issuesOf(evs []events.Event) []events.IssueKind {
	var found []events.IssueKind
	for _, ev := range evs {
		switch ev.Kind {
		case events.ToolCallCompleted:
			found = append(found, "")
		case events.ToolCallInvalid:
			issue, _ := ev.Issue()
			found = append(found, issue.Kind)
		default:
		}
	}
	return found
}

// TestTheFirstRefusedCallIsReported: by the order in which the calls ended.
func TestTheFirstRefusedCallIsReported(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why   string
		ends  []string
		issue events.IssueKind
		index string
	}{
		{"unknown first", []string{"d0@x/other={}", `d1={"a":"b"}`}, events.IssueUnknownTool, "index 0"},
		{"schema first, of a later block", []string{`d1={"a":"b"}`, "d0@x/other={}"}, events.IssueSchema, "index 1"},
		{"one that fits goes before", []string{"d2@y/tool={}", `d1={"a":"b"}`, "d0@x/other={}"}, events.IssueSchema, "index 1"},
	} {
		s := from(t, append([]string{"start", "c0@x/other", "c1", "c2@y/tool"}, row.ends...)...)
		if len(row.ends) == 2 {
			s.events = append(s.events, parse(t, "d2@y/tool={}"))
		}
		s.events = append(s.events, finish(events.StopToolUse))
		got := collect(t, validator.Guard(s.stream, validator.ForRequest(requestWithTool(t))))
		f := failureOf(t, got)
		assert.Equal(t, events.ReasonBadToolArguments, f.Reason, row.why)
		assert.Contains(t, f.Detail, row.index, row.why)
		var issue *events.Issue
		require.ErrorAs(t, got[len(got)-1].Err(), &issue, row.why)
		assert.Equal(t, row.issue, issue.Kind, row.why)
	}
}

func TestRefusedCallKeepsItsParts(t *testing.T) {
	t.Parallel()
	replay := events.ProviderData{Format: "f.v1", Origin: "o", Value: "v"}
	call := events.ToolCall{ID: "id", Name: "other", Arguments: ` {"a":1}`, Minted: true, Replay: replay}
	s := &source{events: []events.Event{
		events.NewStarted(events.Start{}),
		events.NewToolCallStarted(0, "id", "other", true),
		events.NewToolCallCompleted(0, call),
		finish(events.StopToolUse),
	}}
	got := collect(t, validator.Guard(s.stream, validator.ForRequest(request.Request{})))
	require.Len(t, got, 4)
	kept, ok := got[2].Call()
	require.True(t, ok)
	assert.Equal(t, call.Arguments, got[2].Text, "the arguments as they came")
	call.Arguments = ""
	assert.Equal(t, call, kept)
}

func TestWithoutRequestCallsAreNotJudged(t *testing.T) {
	t.Parallel()
	s := from(t, "start", "c0@x/other", "d0@x/other={}", "done=tool_use")
	got := collect(t, validator.Guard(s.stream, validator.WithPolicy(validator.Reject)))
	assert.Equal(t, events.Completed, got[len(got)-1].Kind)
}

func TestViolationGoesBeforePolicy(t *testing.T) {
	t.Parallel()
	s := from(t, "start", "c0@x/other", "d0@x/other={}", "done=end")
	f := failureOf(t, collect(t, validator.Guard(s.stream, validator.ForRequest(request.Request{}))))
	assert.Equal(t, events.ReasonProtocolViolation, f.Reason)
}

func TestFailedStaysFailedUnderReject(t *testing.T) {
	t.Parallel()
	s := from(t, "start", "c0@x/other", "d0@x/other={}", "fail=overloaded")
	f := failureOf(t, collect(t, validator.Guard(s.stream, validator.ForRequest(request.Request{}))))
	assert.Equal(t, events.Overloaded, f.Kind)
}
