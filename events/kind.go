package events

import "strconv"

// A Kind says what happened. The zero Kind is no event.
type Kind uint8

// The kinds of events, in the order in which they are documented.
const (
	// Started opens a stream: the answer has begun. Its payload is a [Start].
	Started Kind = iota + 1
	// TextDelta is a piece of the visible answer.
	TextDelta
	// ThinkingDelta is a piece of visible reasoning or of its summary.
	ThinkingDelta
	// RefusalDelta is a piece of the model's own refusal.
	RefusalDelta
	// ToolCallStarted opens a call that the client is to execute; id and name
	// are final. Its payload is a [ToolCall] without arguments.
	ToolCallStarted
	// ToolArgumentsDelta is a piece of a call's argument text. It may be cut
	// anywhere and is never executable.
	ToolArgumentsDelta
	// ToolCallCompleted ends a call: its arguments are one complete JSON object.
	ToolCallCompleted
	// ToolCallInvalid ends a call that will never be executable. Text holds the
	// arguments as they came, [Event.Issue] says what is wrong.
	ToolCallInvalid
	// HostedToolStarted opens the use of a tool that the provider runs itself.
	HostedToolStarted
	// HostedToolCompleted ends the use of a hosted tool.
	HostedToolCompleted
	// CitationAdded names a source for the text block at Index.
	CitationAdded
	// MediaCompleted is a generated image, audio clip or file, whole.
	MediaCompleted
	// UsageUpdated tells running counts. They are cumulative: a later event
	// replaces an earlier one field by field and never adds.
	UsageUpdated
	// Notice tells the consumer something it may want to know. Its payload is
	// a [NoticeInfo].
	Notice
	// Completed is the terminal of success. Its payload is a [Completion].
	Completed
	// Failed is the terminal of everything else. Its payload is a [Failure].
	Failed
)

// Kinds returns every kind, in order.
func Kinds() []Kind {
	kinds := make([]Kind, 0, Failed)
	for k := Started; k <= Failed; k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

// String returns the kind's name in the canonical JSON, for instance
// "text_delta". An unknown kind is "kind_N".
func (k Kind) String() string {
	switch k {
	case Started:
		return "started"
	case TextDelta:
		return "text_delta"
	case ThinkingDelta:
		return "thinking_delta"
	case RefusalDelta:
		return "refusal_delta"
	case ToolCallStarted:
		return "tool_call_started"
	case ToolArgumentsDelta:
		return "tool_arguments_delta"
	case ToolCallCompleted:
		return "tool_call_completed"
	case ToolCallInvalid:
		return "tool_call_invalid"
	case HostedToolStarted:
		return "hosted_tool_started"
	case HostedToolCompleted:
		return "hosted_tool_completed"
	case CitationAdded:
		return "citation_added"
	case MediaCompleted:
		return "media_completed"
	case UsageUpdated:
		return "usage_updated"
	case Notice:
		return "notice"
	case Completed:
		return "completed"
	case Failed:
		return "failed"
	}
	return "kind_" + strconv.Itoa(int(k))
}

// IsTerminal reports whether an event of this kind ends its stream.
func (k Kind) IsTerminal() bool { return k == Completed || k == Failed }

// IsContent reports whether an event of this kind delivers part of the answer
// to the consumer. "Nothing was delivered" always means: no event of content.
// Argument fragments and the ends of calls follow a start, so they add nothing
// to that question and are not content.
func (k Kind) IsContent() bool {
	switch k {
	case TextDelta, ThinkingDelta, RefusalDelta, ToolCallStarted, HostedToolStarted, CitationAdded, MediaCompleted:
		return true
	default:
		return false
	}
}

// IsDelta reports whether an event of this kind carries a piece of text and
// nothing else.
func (k Kind) IsDelta() bool {
	switch k {
	case TextDelta, ThinkingDelta, RefusalDelta, ToolArgumentsDelta:
		return true
	default:
		return false
	}
}

// HasIndex reports whether an event of this kind belongs to a block, so that
// its Index means something.
func (k Kind) HasIndex() bool {
	switch k {
	case TextDelta, ThinkingDelta, RefusalDelta, ToolCallStarted, ToolArgumentsDelta, ToolCallCompleted,
		ToolCallInvalid, HostedToolStarted, HostedToolCompleted, CitationAdded, MediaCompleted:
		return true
	default:
		return false
	}
}

func kindOf(name string) (Kind, bool) {
	for k := Started; k <= Failed; k++ {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}
