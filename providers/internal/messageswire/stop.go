package messageswire

import "github.com/weirsdk/weir/events"

const pauseTurn = "pause_turn"

// compaction is the name of a stop reason and of a kind of block.
const compaction = "compaction"

// stopOf maps a stop reason. The reasons and their meaning are those of
// https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons (a
// stored copy read 2026-11-30), which says of model_context_window_exceeded to
// treat the reply as truncated. The beta reason compaction is from anthropic-sdk-go
// v1.60, read August to October 2026: it pauses a turn after its history was
// compacted, for the client to go on.
func stopOf(raw string) events.Stop {
	switch raw {
	case "":
		return events.StopUnknown
	case "end_turn":
		return events.StopEnd
	case "tool_use":
		return events.StopToolUse
	case "max_tokens", "model_context_window_exceeded":
		return events.StopLength
	case "stop_sequence":
		return events.StopSequence
	case pauseTurn, compaction:
		return events.StopPause
	case "refusal":
		return events.StopRefusal
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
