package events

// Stop says why the model stopped, in weir's words. The provider's own word is
// kept beside it ([Completion.RawStop]).
type Stop string

// The reasons to stop.
const (
	// StopEnd: the model had finished.
	StopEnd Stop = "end"
	// StopToolUse: the model asks for at least one tool call.
	StopToolUse Stop = "tool_use"
	// StopLength: the output limit cut the reply.
	StopLength Stop = "length"
	// StopSequence: one of the request's stop sequences was generated.
	StopSequence Stop = "stop_sequence"
	// StopPause: the provider paused a long turn and asks to be called again.
	StopPause Stop = "pause"
	// StopRefusal: the model refused.
	StopRefusal Stop = "refusal"
	// StopContentFilter: a filter of the provider stopped the reply.
	StopContentFilter Stop = "content_filter"
	// StopUnknown: the provider ended properly and gave no reason.
	StopUnknown Stop = "unknown"
	// StopOther: a word that weir does not know; see the raw stop.
	StopOther Stop = "other"
)

// Cuts reports whether this stop ends a reply before the model had finished it,
// so that open tool calls are over as invalid and completed ones are not
// executable.
func (s Stop) Cuts() bool {
	switch s {
	case StopLength, StopContentFilter, StopRefusal, StopPause:
		return true
	default:
		return false
	}
}

// A NoticeCode names what a Notice is about.
type NoticeCode string

// The codes of notices. New ones may be added.
const (
	// NoticeEffortClamped: the model does not take the effort asked for; the
	// nearest one was sent.
	NoticeEffortClamped NoticeCode = "effort_clamped"
	// NoticeParameterDropped: the model does not take a parameter; it was not sent.
	NoticeParameterDropped NoticeCode = "parameter_dropped"
	// NoticeSchemaLossy: the provider cannot be asked for all that the schema of a
	// structured answer says.
	NoticeSchemaLossy NoticeCode = "schema_lossy"
	// NoticeForeignDropped: another provider's data was left out of the request.
	NoticeForeignDropped NoticeCode = "foreign_dropped"
	// NoticeEmptyBlockDropped: an empty block of the history was not sent.
	NoticeEmptyBlockDropped NoticeCode = "empty_block_dropped"
	// NoticeUnknownFrame: the provider sent a frame or a field value that the
	// adapter does not know; it was passed over.
	NoticeUnknownFrame NoticeCode = "unknown_frame"
	// NoticeUsageInconsistent: a part of the usage was larger than its whole;
	// the larger reading was taken.
	NoticeUsageInconsistent NoticeCode = "usage_inconsistent"
	// NoticeDuplicateID: a tool call repeated an id of the same response; it got
	// a minted one.
	NoticeDuplicateID NoticeCode = "duplicate_id"
	// NoticeStopRepeated: the provider gave a second stop reason; the first,
	// more telling one was kept.
	NoticeStopRepeated NoticeCode = "stop_repeated"
	// NoticeMediaNotKept: a generated image, clip or file is too large to go back
	// to its provider with the turn. The consumer, who has it, can send it as an
	// input.
	NoticeMediaNotKept NoticeCode = "media_not_kept"
	// NoticeModelReplaced: the provider let another model go on with the reply. What it
	// costs is told in the raw usage.
	NoticeModelReplaced NoticeCode = "model_replaced"
	// NoticeAttemptFailed: an attempt failed before anything was delivered and
	// was repeated.
	NoticeAttemptFailed NoticeCode = "attempt_failed"
)

// NoticeInfo is the payload of a Notice.
type NoticeInfo struct {
	Code   NoticeCode
	Detail string
}
