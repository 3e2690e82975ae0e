package texttools

import (
	"encoding/json"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/validator"
)

// maxName is the most of a name that is told, in bytes.
const maxName = 128

// A call is the call that the text is in.
type call struct {
	events.ToolCall
	index int
	// named: its first line names it; else nothing of it is told before its end.
	named     bool
	arguments strings.Builder
}

// open implements sink.
func (r *reply) open(name string) bool {
	r.part, r.moved[r.from] = false, true
	r.call = call{named: name != ""}
	if r.began++; r.began > validator.DefaultLimits().Calls {
		r.tooLarge("the reply has more tool calls than a reply may have")
	}
	return r.failure == nil && (name == "" || r.begin(name))
}

// begin starts the open call.
func (r *reply) begin(name string) bool {
	r.call.index, r.call.Name = r.block(), events.CutText(r.names.Declared(name), maxName)
	r.call.ID, r.call.Minted = r.mint(), true
	return r.failure == nil && r.emit(events.NewToolCallStarted(r.call.index, r.call.ID, r.call.Name, true))
}

// body implements sink.
func (r *reply) body(s string) bool {
	if r.call.arguments.Len()+len(s) > validator.DefaultLimits().CallBytes {
		r.tooLarge("a tool call has longer arguments than a call may have")
		return false
	}
	r.call.arguments.WriteString(s)
	return !r.call.named || transport.EmitDelta(r.emit, events.ToolArgumentsDelta, r.call.index, s)
}

// end implements sink.
func (r *reply) end(closed bool) bool {
	r.moved[r.from] = true
	text := r.call.arguments.String()
	var issue *events.Issue
	switch {
	case !closed && r.cut:
	case !r.call.named:
		text, issue = r.unwrap(text)
	default:
		issue = events.CheckArguments(emptied(text))
	}
	if r.cut && (!closed || issue != nil) { // three backticks at the cut may be of a text inside
		issue = &events.Issue{Kind: events.IssueTruncated, Detail: "The reply was cut inside the block of the call."}
	}
	if !r.call.named {
		if r.call.Name == "" {
			r.call.Name = wordCall
		}
		if !r.begin(r.call.Name) || !transport.EmitDelta(r.emit, events.ToolArgumentsDelta, r.call.index, text) {
			return false
		}
	}
	r.call.Arguments = text
	if issue == nil {
		r.whole++
		r.call.Arguments = emptied(text)
		return r.emit(events.NewToolCallCompleted(r.call.index, r.call.ToolCall))
	}
	if r.broken == "" {
		r.broken = "tool call " + r.call.Name + " " + r.call.ID + ": " + issue.Detail
	}
	return r.emit(events.NewToolCallInvalid(r.call.index, r.call.ToolCall, *issue))
}

// emptied returns the arguments of a call: none at all are {}.
func emptied(text string) string {
	if text == "" {
		return "{}"
	}
	return text
}

// unwrap reads a block that names its tool inside: the name, which becomes that of
// the call, and the arguments.
func (r *reply) unwrap(text string) (arguments string, issue *events.Issue) {
	if issue := events.CheckArguments(text); issue != nil {
		return text, issue
	}
	// Not a struct, to whose fields encoding/json gives members of another letter case.
	var in map[string]json.RawMessage
	var name string
	if json.Unmarshal([]byte(text), &in) != nil || json.Unmarshal(in["name"], &name) != nil || name == "" {
		return text, &events.Issue{
			Kind: events.IssueUnknownTool, Detail: "The block names no tool: its first line has to be ```" + wordCall + " and the name.",
		}
	}
	r.call.Name = name
	raw, given := in["arguments"]
	if !given {
		raw = in["parameters"]
	}
	arguments = string(raw)
	return arguments, events.CheckArguments(emptied(arguments))
}
