package validator

import (
	"strconv"

	"github.com/weirsdk/weir/events"
)

// A Violation is an event that breaks a rule of the grammar, or an end of the
// stream that does. It is an error and wraps an [events.Failure] of kind
// invalid_reply, reason protocol_violation.
type Violation struct {
	// Rule is the rule that is broken. Of an event that breaks several it is
	// one of them.
	Rule Rule
	// Event is the number of the event in its stream, counted from 1. Of G04 it
	// is the number that the missing terminal would have had.
	Event int
	// Detail says how the rule is broken, for people. It quotes no text of the
	// reply.
	Detail string
}

// Error returns one line: rule, number of the event, detail.
func (v *Violation) Error() string {
	return string(v.Rule) + " at event " + strconv.Itoa(v.Event) + ": " + v.Detail
}

// Unwrap returns the violation as a failure of kind invalid_reply, reason
// protocol_violation.
func (v *Violation) Unwrap() error {
	return events.NewFailure(events.InvalidReply, events.ReasonProtocolViolation, v.Error())
}
