package conversewire

import "github.com/weirsdk/weir/events"

const toolUse = "tool_use"

// stopOf maps a stop reason. The reasons are those of aws-sdk-go-v2
// service/bedrockruntime v1.63.13, read 2026-12-01; refusal is what a model of
// Anthropic says in its own language.
func stopOf(raw string) events.Stop {
	switch raw {
	case "":
		return events.StopUnknown
	case "end_turn":
		return events.StopEnd
	case toolUse:
		return events.StopToolUse
	case "max_tokens", "model_context_window_exceeded":
		return events.StopLength
	case "stop_sequence":
		return events.StopSequence
	case "guardrail_intervened", "content_filtered":
		return events.StopContentFilter
	case "refusal":
		return events.StopRefusal
	default:
		return events.StopOther
	}
}

// spoiled returns the failure of a stop reason that says that the model wrote
// nothing usable, or nil.
func spoiled(raw string) *events.Failure {
	switch raw {
	case "malformed_tool_use":
		return events.NewFailure(events.InvalidReply, events.ReasonBadToolCall, "the provider says that the model's tool call is malformed")
	case "malformed_model_output":
		return events.NewFailure(events.InvalidReply, events.ReasonMalformed, "the provider says that the model's output is malformed")
	default:
		return nil
	}
}

// normalStop is stopOf held to the rule that calls which were completed make a
// tool_use of every stop that does not cut the reply.
func normalStop(raw string, calls int) events.Stop {
	stop := stopOf(raw)
	if calls > 0 && !stop.Cuts() {
		return events.StopToolUse
	}
	return stop
}
