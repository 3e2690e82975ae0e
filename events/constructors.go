package events

// block returns index as an Event holds it. One that does not fit is -1, which
// the grammar refuses, rather than some other block's.
func block(index int) int32 {
	if int(int32(index)) != index {
		return -1
	}
	return int32(index)
}

// NewStarted returns a Started event.
func NewStarted(s Start) Event {
	return bare(Started, cloneStart(s))
}

// NewTextDelta returns a piece of the visible answer for the block at index.
func NewTextDelta(index int, text string) Event {
	return Event{Kind: TextDelta, Index: block(index), Text: text}
}

// NewThinkingDelta returns a piece of visible reasoning for the block at index.
func NewThinkingDelta(index int, text string) Event {
	return Event{Kind: ThinkingDelta, Index: block(index), Text: text}
}

// NewRefusalDelta returns a piece of the model's refusal for the block at index.
func NewRefusalDelta(index int, text string) Event {
	return Event{Kind: RefusalDelta, Index: block(index), Text: text}
}

// NewToolCallStarted opens the call at index. Arguments and Replay are left out.
func NewToolCallStarted(index int, id, name string, minted bool) Event {
	return Event{Kind: ToolCallStarted, Index: block(index), detail: &detail{value: ToolCall{ID: id, Name: name, Minted: minted}}}
}

// NewToolArgumentsDelta returns a piece of the argument text of the call at index.
func NewToolArgumentsDelta(index int, text string) Event {
	return Event{Kind: ToolArgumentsDelta, Index: block(index), Text: text}
}

// NewToolCallCompleted ends the call at index with its whole arguments.
func NewToolCallCompleted(index int, call ToolCall) Event {
	return Event{Kind: ToolCallCompleted, Index: block(index), detail: &detail{value: call}}
}

// NewToolCallEnded ends the call at index as its arguments say: completed when they
// are one JSON object (see [CheckArguments]; none at all are {}), else invalid, with
// the issue. It is for wires on which nothing but the arguments decides that; a call
// that was cut is NewToolCallInvalid with IssueTruncated whatever its arguments are.
func NewToolCallEnded(index int, call ToolCall) Event {
	if call.Arguments == "" {
		call.Arguments = "{}"
	}
	if issue := CheckArguments(call.Arguments); issue != nil {
		return NewToolCallInvalid(index, call, *issue)
	}
	return NewToolCallCompleted(index, call)
}

// NewToolCallInvalid ends the call at index as never executable. The arguments
// as they came are call.Arguments; they become the event's Text.
func NewToolCallInvalid(index int, call ToolCall, issue Issue) Event {
	text := call.Arguments
	call.Arguments = ""
	return Event{Kind: ToolCallInvalid, Index: block(index), Text: text, detail: &detail{value: invalidCall{call, issue}}}
}

// NewHostedToolStarted opens the use of a hosted tool at index. Only ID and
// Name are kept.
func NewHostedToolStarted(index int, id, name string) Event {
	return Event{Kind: HostedToolStarted, Index: block(index), detail: &detail{value: HostedTool{ID: id, Name: name}}}
}

// NewHostedToolCompleted ends the use of a hosted tool at index.
func NewHostedToolCompleted(index int, h HostedTool) Event {
	h.Sources = cloneSources(h.Sources)
	return Event{Kind: HostedToolCompleted, Index: block(index), detail: &detail{value: h}}
}

// NewCitationAdded names a source for the text block at index. A range without
// an end is dropped, and one that is none: with a negative start, or the end before it.
func NewCitationAdded(index int, c Citation) Event {
	c.Start, c.End = aRange(c.Start, c.End)
	c.SourceStart, c.SourceEnd = aRange(c.SourceStart, c.SourceEnd)
	return Event{Kind: CitationAdded, Index: block(index), detail: &detail{value: c}}
}

func aRange(start, end int) (int, int) {
	if end <= 0 || start < 0 || end < start {
		return 0, 0
	}
	return start, end
}

// NewMediaCompleted returns a generated piece of media at index. The data is
// copied.
func NewMediaCompleted(index int, mediaType string, data []byte) Event {
	return Event{Kind: MediaCompleted, Index: block(index), detail: &detail{value: Media{Type: mediaType, Data: append([]byte(nil), data...)}}}
}

// NewUsageUpdated tells running counts.
func NewUsageUpdated(u Usage) Event {
	return bare(UsageUpdated, u)
}

// NewNotice tells the consumer something it may want to know. The detail is
// bounded and cleaned as a failure's is.
func NewNotice(code NoticeCode, detail string) Event {
	return bare(Notice, NoticeInfo{Code: code, Detail: CleanDetail(detail)})
}

// bare returns an event that belongs to no block.
func bare(kind Kind, value any) Event { return Event{Kind: kind, detail: &detail{value: value}} }

// NewCompleted ends a stream with success.
func NewCompleted(c Completion) Event {
	if c.Cost != nil {
		cost := *c.Cost
		c.Cost = &cost
	}
	return bare(Completed, c)
}

// NewFailed ends a stream with a failure. The failure is copied and its detail
// cleaned (see [CleanDetail]); nil becomes a failure of kind other.
func NewFailed(f *Failure) Event {
	if f == nil {
		f = &Failure{Kind: Other, Detail: "failed without a failure"}
	}
	return bare(Failed, f.clean())
}
