package validator

import "github.com/weirsdk/weir/request"

// An Option changes what [Guard] does.
type Option func(*options)

type options struct {
	limits Limits
	// checked says that calls are checked against tools.
	checked bool
	tools   []request.Tool
	policy  Policy
}

// A Policy says what becomes of a reply with a completed call that the request
// did not declare or whose arguments do not fit its schema. The call itself
// becomes ToolCallInvalid under both.
type Policy uint8

const (
	// Reject, the default, turns the Completed of such a reply into Failed of
	// kind invalid_reply, reason bad_tool_arguments.
	Reject Policy = iota
	// Report leaves the reply Completed: for agents that answer the model with
	// the issue. Answer every call, these too: stream.Reply.Answer does, and the
	// example of an agent shows the loop.
	Report
)

// WithLimits sets the limits of the stream; the default is [DefaultLimits].
func WithLimits(l Limits) Option {
	return func(o *options) { o.limits = l }
}

// ForRequest checks each completed tool call against the tools that the request
// declares: its name, then its arguments by [request.Tool.Check].
func ForRequest(req request.Request) Option {
	return func(o *options) { o.checked, o.tools = true, req.Tools }
}

// WithPolicy says what becomes of a reply with a call that [ForRequest] refuses.
// Without ForRequest it has no effect.
func WithPolicy(p Policy) Option {
	return func(o *options) { o.policy = p }
}
