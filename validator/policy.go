package validator

import (
	"strconv"

	"github.com/weirsdk/weir/events"
)

// A refusedCall is the first call of a reply that the tool policy refuses.
type refusedCall struct {
	index int32
	issue events.Issue
}

// checkCall returns ev, a ToolCallCompleted, or the ToolCallInvalid that takes
// its place.
func (g *guard) checkCall(ev events.Event) events.Event {
	if !g.checked {
		return ev
	}
	call, _ := ev.Call()
	issue := g.issueOf(call)
	if issue == nil {
		return ev
	}
	if g.refused == nil {
		g.refused = &refusedCall{index: ev.Index, issue: *issue}
	}
	return events.NewToolCallInvalid(int(ev.Index), call, *issue)
}

// issueOf checks a call against the declared tools. There are at most a few
// hundred and few calls, so a scan does.
func (g *guard) issueOf(call events.ToolCall) *events.Issue {
	for _, tool := range g.tools {
		if tool.Name() == call.Name {
			return tool.Check(call.Arguments)
		}
	}
	return &events.Issue{Kind: events.IssueUnknownTool, Detail: "no tool named " + strconv.Quote(events.CutText(call.Name, 64))}
}

// settle returns ev, a Completed, or the Failed that takes its place under
// Reject.
func (g *guard) settle(ev events.Event) events.Event {
	if g.refused == nil || g.policy != Reject {
		return ev
	}
	c, _ := ev.Completion()
	f := events.NewFailure(events.InvalidReply, events.ReasonBadToolArguments,
		"call at index "+strconv.Itoa(int(g.refused.index))+": "+g.refused.issue.Error())
	f.Sent = events.Served
	f.Usage = g.usage.Merge(c.Usage)
	return g.failed(f.WithCause(&g.refused.issue))
}
