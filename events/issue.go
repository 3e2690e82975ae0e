package events

// IssueKind says in one word why a tool call can never be executed.
type IssueKind string

// The kinds of issues.
const (
	// IssueTruncated: the reply was cut inside the arguments.
	IssueTruncated IssueKind = "truncated"
	// IssueNotObject: the arguments are not one JSON object.
	IssueNotObject IssueKind = "not_object"
	// IssueNotUTF8: the arguments are not valid UTF-8.
	IssueNotUTF8 IssueKind = "not_utf8"
	// IssueDuplicateKey: an object names a key twice.
	IssueDuplicateKey IssueKind = "duplicate_key"
	// IssueOutOfBounds: nested too deep, a number too long or too large, too many
	// large numbers, too many bytes, or more validation steps than
	// request.MaxCheckSteps.
	IssueOutOfBounds IssueKind = "out_of_bounds"
	// IssueUnknownTool: the request declared no tool of that name.
	IssueUnknownTool IssueKind = "unknown_tool"
	// IssueSchema: the arguments do not fit the tool's schema, or a structured
	// answer its own.
	IssueSchema IssueKind = "schema"
)

// An Issue is what is wrong with a tool call.
type Issue struct {
	Kind IssueKind
	// Detail says where and how, phrased so that it can be shown to the model.
	Detail string
}

// Error returns the issue as one line; an *Issue is an error.
func (i *Issue) Error() string {
	if i.Detail == "" {
		return "tool call invalid: " + string(i.Kind)
	}
	return "tool call invalid: " + string(i.Kind) + ": " + i.Detail
}
