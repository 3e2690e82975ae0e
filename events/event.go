package events

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// An Event is one step of a reply. The zero Event is no event.
//
// Events are values: copy them freely, keep them as long as you like. A kept
// delta may pin the 1 KiB arena that its text was cut from. Events are
// immutable once made and safe for concurrent readers.
type Event struct {
	// Kind says what happened.
	Kind Kind
	// Index names the block of the response that the event belongs to, 0 to
	// 1023, where [Kind.HasIndex] holds; else 0.
	Index int32
	// Text is the piece: of text, thinking, refusal or arguments. Of a
	// ToolCallInvalid it is the arguments as they came.
	Text string

	detail *detail // nil for deltas
}

// payload returns the event's payload when it is a T.
func payload[T any](e Event) (T, bool) {
	if e.detail == nil {
		var zero T
		return zero, false
	}
	v, ok := e.detail.value.(T)
	return v, ok
}

// Start returns what a Started event tells.
func (e Event) Start() (Start, bool) {
	s, ok := payload[Start](e)
	return cloneStart(s), ok && e.Kind == Started
}

// Call returns the call of a ToolCallStarted (without arguments), a
// ToolCallCompleted, or a ToolCallInvalid (whose arguments, as they came, are
// the event's Text and never here).
func (e Event) Call() (ToolCall, bool) {
	switch e.Kind {
	case ToolCallStarted, ToolCallCompleted:
		return payload[ToolCall](e)
	case ToolCallInvalid:
		c, ok := payload[invalidCall](e)
		return c.call, ok
	default:
		return ToolCall{}, false
	}
}

// Issue returns what is wrong with the call of a ToolCallInvalid.
func (e Event) Issue() (Issue, bool) {
	c, ok := payload[invalidCall](e)
	return c.issue, ok && e.Kind == ToolCallInvalid
}

// Hosted returns the hosted tool of a HostedToolStarted or HostedToolCompleted.
func (e Event) Hosted() (HostedTool, bool) {
	h, ok := payload[HostedTool](e)
	h.Sources = cloneSources(h.Sources)
	return h, ok && (e.Kind == HostedToolStarted || e.Kind == HostedToolCompleted)
}

// Citation returns the source of a CitationAdded.
func (e Event) Citation() (Citation, bool) {
	c, ok := payload[Citation](e)
	return c, ok && e.Kind == CitationAdded
}

// Media returns the content of a MediaCompleted, copied.
func (e Event) Media() (Media, bool) {
	m, ok := payload[Media](e)
	m.Data = slices.Clone(m.Data)
	return m, ok && e.Kind == MediaCompleted
}

// MediaSize returns the number of bytes of a MediaCompleted without copying it.
func (e Event) MediaSize() int {
	m, _ := payload[Media](e)
	return len(m.Data)
}

// Usage returns the counts of a UsageUpdated or Completed event, and those of a
// Failed event when its failure has any.
func (e Event) Usage() (Usage, bool) {
	switch e.Kind {
	case UsageUpdated:
		return payload[Usage](e)
	case Completed:
		c, ok := payload[Completion](e)
		return c.Usage, ok
	case Failed:
		f, ok := payload[*Failure](e)
		if !ok {
			return Usage{}, false
		}
		return f.Usage, f.Usage.Reported()
	default:
		return Usage{}, false
	}
}

// Notice returns what a Notice tells.
func (e Event) Notice() (NoticeInfo, bool) {
	n, ok := payload[NoticeInfo](e)
	return n, ok && e.Kind == Notice
}

// Completion returns what a Completed event tells.
func (e Event) Completion() (Completion, bool) {
	c, ok := payload[Completion](e)
	if c.Cost != nil {
		cost := *c.Cost
		c.Cost = &cost
	}
	return c, ok && e.Kind == Completed
}

// Failure returns a copy of the failure of a Failed event.
func (e Event) Failure() (*Failure, bool) {
	f, ok := payload[*Failure](e)
	if !ok || e.Kind != Failed {
		return nil, false
	}
	return f.clone(), true
}

// Err returns the failure of a Failed event as an error, and nil of any other.
// A Failed event built by hand without a failure gives one of kind other.
func (e Event) Err() error {
	if e.Kind != Failed {
		return nil
	}
	if f, ok := e.Failure(); ok {
		return f
	}
	return NewFailure(Other, "", "failed without a failure")
}

// HasDetail reports whether the event carries the payload that its kind needs
// and no other. Deltas need none.
func (e Event) HasDetail() bool {
	// Short enough to be inlined: it is asked for every delta.
	if e.detail == nil {
		return e.Kind.IsDelta()
	}
	return e.hasPayload()
}

// hasPayload reports whether the payload is the one that the kind needs.
func (e Event) hasPayload() bool {
	switch e.Kind {
	case Started:
		return holds[Start](e)
	case ToolCallStarted, ToolCallCompleted:
		return holds[ToolCall](e)
	case ToolCallInvalid:
		return holds[invalidCall](e)
	case HostedToolStarted, HostedToolCompleted:
		return holds[HostedTool](e)
	case CitationAdded:
		return holds[Citation](e)
	case MediaCompleted:
		return holds[Media](e)
	case UsageUpdated:
		return holds[Usage](e)
	case Notice:
		return holds[NoticeInfo](e)
	case Completed:
		return holds[Completion](e)
	case Failed:
		f, ok := payload[*Failure](e)
		return ok && f != nil
	default:
		return false // deltas carry nothing
	}
}

func holds[T any](e Event) bool {
	_, ok := payload[T](e)
	return ok
}

// Equal reports whether two events say the same. Causes of failures, which have
// no written form, do not count; an empty Sent is MaybeSent.
func (e Event) Equal(o Event) bool {
	if e.Kind != o.Kind || e.Index != o.Index || e.Text != o.Text {
		return false
	}
	if e.detail == nil || o.detail == nil {
		return e.detail == o.detail
	}
	return reflect.DeepEqual(sayings(e.detail.value), sayings(o.detail.value))
}

// sayings returns v without what Equal leaves out.
func sayings(v any) any {
	f, ok := v.(*Failure)
	if !ok {
		return v
	}
	f = f.clone()
	f.cause = nil
	if f.Sent == "" {
		f.Sent = MaybeSent
	}
	return f
}

// maxString bounds what String shows of a text.
const maxString = 80

// String returns a short form for logs and test output. Texts are cut at 80
// bytes; the form is not stable, [Event.MarshalJSON] is.
func (e Event) String() string {
	var b strings.Builder
	b.WriteString(e.Kind.String())
	if e.Kind.HasIndex() {
		b.WriteString(" #" + strconv.Itoa(int(e.Index)))
	}
	switch e.Kind {
	case ToolCallStarted, ToolCallCompleted, ToolCallInvalid:
		c, _ := e.Call()
		b.WriteString(" " + clip(c.Name) + " " + clip(c.ID))
		if c.Arguments != "" {
			b.WriteString(" " + clip(c.Arguments))
		}
		if i, ok := e.Issue(); ok {
			b.WriteString(" " + string(i.Kind))
		}
	case Notice:
		n, _ := e.Notice()
		b.WriteString(" " + string(n.Code) + " " + clip(n.Detail))
	case Completed:
		c, _ := e.Completion()
		b.WriteString(" " + string(c.Stop))
	case Failed:
		if f, ok := e.Failure(); ok {
			b.WriteString(" " + clip(f.Error()))
		}
	default:
	}
	if e.Text != "" {
		b.WriteString(" " + strconv.Quote(clip(e.Text)))
	}
	return b.String()
}

func clip(s string) string {
	if len(s) <= maxString {
		return s
	}
	return CutText(s, maxString) + "..."
}
