package stream

import "github.com/weirsdk/weir/events"

// An Outcome says what a reply came to, in one word.
type Outcome string

// The outcomes.
const (
	// OutcomeInProgress: no terminal yet. It is the outcome of the zero Reply.
	OutcomeInProgress Outcome = "in_progress"
	// OutcomeFinal: the model has answered.
	OutcomeFinal Outcome = "final"
	// OutcomeToolRequest: the model asks for tool calls.
	OutcomeToolRequest Outcome = "tool_request"
	// OutcomeRefusal: the model refused, or a filter of the provider stopped it.
	OutcomeRefusal Outcome = "refusal"
	// OutcomeTruncated: the output limit cut the reply.
	OutcomeTruncated Outcome = "truncated"
	// OutcomePaused: the provider paused and asks to be called again with the
	// turn ([Reply.Turn]) as the last message.
	OutcomePaused Outcome = "paused"
	// OutcomeFailed: the stream ended with Failed.
	OutcomeFailed Outcome = "failed"
)

// Outcome returns what the reply has come to.
func (r *Reply) Outcome() Outcome {
	switch r.end.Kind {
	case events.Completed:
		return outcomeOf(r.Stop())
	case events.Failed:
		return OutcomeFailed
	default:
		return OutcomeInProgress
	}
}

func outcomeOf(stop events.Stop) Outcome {
	switch stop {
	case events.StopToolUse:
		return OutcomeToolRequest
	case events.StopLength:
		return OutcomeTruncated
	case events.StopPause:
		return OutcomePaused
	case events.StopRefusal, events.StopContentFilter:
		return OutcomeRefusal
	default:
		return OutcomeFinal
	}
}

// onlyRefuses reports whether refusal text is all that the reply gives. Thinking
// before it, usage and notices do not count.
func (r *Reply) onlyRefuses() bool {
	if len(r.refusal.text) == 0 || len(r.text.text) > 0 {
		return false
	}
	for _, ev := range r.rest {
		if ev.Kind != events.Notice {
			return false
		}
	}
	return true
}
