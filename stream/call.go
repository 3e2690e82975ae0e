package stream

import (
	"cmp"
	"slices"

	"github.com/weirsdk/weir/events"
)

// A Call is one tool call of a reply, whatever became of it. For calls to
// execute see [Reply.ToolCalls].
type Call struct {
	// Index names the block of the call.
	Index int
	// ToolCall is the call. Its Arguments are set only when it completed.
	events.ToolCall
	// Issue is what is wrong with an invalid call, else nil. Its Detail is
	// phrased for the model.
	Issue *events.Issue
	// Text is the arguments of an invalid call as they came, bounded.
	Text string
	// Open reports that the call began and has not ended: the stream is still at
	// it, or failed in it.
	Open bool
}

// ToolCalls returns the executable calls, in the order of their blocks: the
// completed calls of a reply that ended with tool_use. Of any other reply there
// are none.
func (r *Reply) ToolCalls() []events.ToolCall {
	if r.Outcome() != OutcomeToolRequest {
		return nil
	}
	var calls []events.ToolCall
	for _, c := range r.AllCalls() {
		if c.Issue == nil && !c.Open {
			calls = append(calls, c.ToolCall)
		}
	}
	return calls
}

// Executable reports whether there is a call to execute.
func (r *Reply) Executable() bool { return len(r.ToolCalls()) > 0 }

// AllCalls returns every call that began, in the order of their blocks, to be
// reported and never to be executed.
func (r *Reply) AllCalls() []Call {
	var calls []Call
	for _, ev := range r.latest(events.ToolCallStarted, events.ToolCallCompleted, events.ToolCallInvalid) {
		c, ok := ev.Call()
		if !ok {
			continue
		}
		call := Call{Index: int(ev.Index), ToolCall: c, Open: ev.Kind == events.ToolCallStarted}
		if issue, ok := ev.Issue(); ok {
			call.Issue, call.Text = &issue, ev.Text
		}
		calls = append(calls, call)
	}
	return calls
}

// InvalidCalls returns the calls that are over and can never be executed. When
// the reply ended with tool_use (the Report policy of validator.ForRequest) they
// are part of [Reply.Turn], and each wants an answer like any other call: a
// request.ResultError with the Issue. [Reply.Answer] gives it.
func (r *Reply) InvalidCalls() []Call {
	return slices.DeleteFunc(r.AllCalls(), func(c Call) bool { return c.Issue == nil })
}

// Hosted returns the uses of tools that the provider ran itself, in the order of
// their blocks. A use that has not completed has only ID and Name.
func (r *Reply) Hosted() []events.HostedTool {
	return collect(r.latest(events.HostedToolStarted, events.HostedToolCompleted), events.Event.Hosted)
}

// latest returns the last event of the kinds for each index, ordered by index.
// The grammar ends a block once; where a stream breaks it nothing follows an
// invalid call, so that a doubtful one is never executable.
func (r *Reply) latest(kinds ...events.Kind) []events.Event {
	at := make(map[int32]int)
	var found []events.Event
	for _, ev := range r.rest {
		if !slices.Contains(kinds, ev.Kind) {
			continue
		}
		n, seen := at[ev.Index]
		switch {
		case !seen:
			at[ev.Index] = len(found)
			found = append(found, ev)
		case found[n].Kind != events.ToolCallInvalid:
			found[n] = ev
		}
	}
	slices.SortStableFunc(found, func(a, b events.Event) int { return cmp.Compare(a.Index, b.Index) })
	return found
}
