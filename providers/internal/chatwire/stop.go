package chatwire

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
)

// finishError is the finish_reason of a reply that broke at the provider
// (OpenRouter, Mistral).
const finishError = "error"

// stopOf translates a finish_reason. model_length is Mistral's word for a full
// context window, function_call OpenAI's old word for a tool call (the vendors'
// SDKs and docs, read August to October 2026).
func stopOf(raw string) events.Stop {
	switch raw {
	case "":
		return events.StopUnknown
	case "stop":
		return events.StopEnd
	case "length", "model_length":
		return events.StopLength
	case "tool_calls", "function_call":
		return events.StopToolUse
	case "content_filter":
		return events.StopContentFilter
	default:
		return events.StopOther
	}
}

// settle turns the provider's reason into the reply's, by what it holds.
func (d *decoder) settle(stop events.Stop) events.Stop {
	switch {
	case len(d.calls) > 0 && !stop.Cuts():
		return events.StopToolUse
	case len(d.calls) == 0 && d.refusal.open && !d.text.open:
		return events.StopRefusal
	default:
		return stop
	}
}

// finish takes the reason that ends the reply; the empty one is [DONE] without
// any.
func (d *decoder) finish(raw string) error {
	if d.finished {
		return d.finishAgain(raw)
	}
	if raw == finishError {
		return openaierror.Error{Code: finishError, Message: "the provider ended the reply with an error"}.Failure()
	}
	d.finished, d.rawStop = true, raw
	d.stop = d.settle(stopOf(raw))
	if d.stop == events.StopToolUse && len(d.calls) == 0 {
		d.bad = events.NewFailure(events.InvalidReply, events.ReasonBadToolCall,
			"the provider says that it calls tools and calls none")
	}
	d.endUses()
	d.endAudio()
	d.endCalls()
	return nil
}

// finishAgain takes a second reason: the same one is accounting (OpenRouter
// repeats it beside the usage), one that comes to the same is told, another one
// contradicts.
func (d *decoder) finishAgain(raw string) error {
	switch {
	case raw == d.rawStop || raw == "":
		return nil
	case d.settle(stopOf(raw)) == d.stop:
		d.send(events.NewNotice(events.NoticeStopRepeated, "finish_reason "+raw+" after "+d.rawStop))
		return nil
	default:
		return malformed("finish_reason " + raw + " after " + d.rawStop)
	}
}
