package geminiwire

import "github.com/weirsdk/weir/events"

// stopOf maps a finishReason. The reasons are those of
// ai.google.dev/api/generate-content (FinishReason) and of the reference of
// firebase.google.com/docs/reference/android/com/google/firebase/ai/type/FinishReason,
// stored copies read 2026-12-01, and CONTINUATION of ai.google.dev/gemini-api/docs/
// generate-content/long-decode, read the same day. The numbers are those of the enum, as they come
// from endpoints that are asked for them.
func stopOf(raw string) events.Stop {
	switch raw {
	case "STOP", "1":
		return events.StopEnd
	case "MAX_TOKENS", "2":
		return events.StopLength
	case "CONTINUATION":
		return events.StopPause
	case "SAFETY", "3", "RECITATION", "4", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR",
		"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION":
		return events.StopContentFilter
	default:
		return events.StopOther
	}
}

// normalStop is stopOf held to the rule that calls which were completed make a
// tool_use of every stop that does not cut the reply, and of a pause: they were told, and
// no history may leave them unanswered. One that cannot go on, for want of a token, does
// not pause: it is cut.
func normalStop(raw string, calls int, token bool) events.Stop {
	stop := stopOf(raw)
	switch {
	case stop == events.StopPause && !token:
		return events.StopLength
	case stop == events.StopPause && calls > 0:
		return events.StopToolUse
	}
	if calls > 0 && !stop.Cuts() {
		return events.StopToolUse
	}
	return stop
}

// failureOfStop returns the failure that a finishReason tells, or nil. The
// message is the provider's, if it gave one.
func failureOfStop(raw, message string) *events.Failure {
	kind, reason := events.InvalidReply, events.ReasonBadToolCall
	switch raw {
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS":
	case "MALFORMED_RESPONSE":
		reason = events.ReasonMalformed
	case "MISSING_THOUGHT_SIGNATURE":
		kind, reason = events.Rejected, events.ReasonBadRequest
	default:
		return nil
	}
	if message == "" {
		message = "the provider ended the reply with " + raw
	}
	f := events.NewFailure(kind, reason, message)
	f.ProviderCode = raw
	return f
}
