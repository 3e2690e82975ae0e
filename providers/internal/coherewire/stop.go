package coherewire

import "github.com/weirsdk/weir/events"

// The reasons of message-end (docs.cohere.com/reference/chat-stream, a stored copy,
// and the vendor's Python SDK, types/chat_finish_reason.py; read 2026-12-01).
// [reasonError] and [reasonTimeout] end no reply but a failure.
const (
	toolCall      = "TOOL_CALL"
	reasonError   = "ERROR"
	reasonTimeout = "TIMEOUT"
)

// stopOf maps a reason.
func stopOf(raw string) events.Stop {
	switch raw {
	case "":
		return events.StopUnknown
	case "COMPLETE":
		return events.StopEnd
	case "STOP_SEQUENCE":
		return events.StopSequence
	case "MAX_TOKENS":
		return events.StopLength
	case toolCall:
		return events.StopToolUse
	default:
		return events.StopOther
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
