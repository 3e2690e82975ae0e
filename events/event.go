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

// detail holds the payload of a rare event. It is behind a pointer so that an
// Event has four fields of at most four words, which the compiler keeps in
// registers.
type detail struct {
	value any
}

// A ToolCall is a call that the model asks the client to execute.
type ToolCall struct {
	// ID pairs the call with its result; unique within the response.
	ID string
	// Name is the tool's declared name.
	Name string
	// Arguments is one complete JSON object, byte for byte as the provider sent
	// it; "{}" when the provider sent none. Empty in a ToolCallStarted.
	Arguments string
	// Minted reports that the provider gave no usable id and the adapter made
	// this one.
	Minted bool
	// Replay is what the provider needs to get this call back, exactly.
	Replay ProviderData
}

// ProviderData is what a provider needs to get its own turn back exactly: signed
// or encrypted thinking, signatures, item ids. Only the adapter that wrote it
// interprets it; everybody else stores it and sends it back unchanged. It holds
// data only, never a credential. The zero value is none.
type ProviderData struct {
	// Format is "<family>.v1": how Value is written.
	Format string
	// Origin is the provider that gave it.
	Origin string
	// Value is text, bounded to 4 MiB.
	Value string
}

// IsZero reports whether there is no data.
func (d ProviderData) IsZero() bool { return d == ProviderData{} }

// A Start is the payload of Started: what is known when the first frame was read.
type Start struct {
	// ResponseID is the provider's id of this response, empty when not told.
	ResponseID string
	// Model is the model that answers, as the provider names it.
	Model string
	// RequestID is the provider's id of the HTTP exchange, for its support.
	RequestID string
	// RateLimits is what the response head told of the account's limits, or nil.
	RateLimits *RateLimits
	// Metadata is what else the provider said of the response, by its own
	// names (service tier, system fingerprint ...). May be nil.
	Metadata map[string]string
}

// A HostedTool is the use of a tool that the provider runs itself.
type HostedTool struct {
	ID   string
	Name string
	// Arguments is the provider's JSON text; empty when not told.
	Arguments string
	// Outcome is "ok", "error" or empty when not told.
	Outcome string
	// Sources are what a search found.
	Sources []Source
	// Replay is what the provider needs to get this use back, exactly.
	Replay ProviderData
}

// A Source is one result of a hosted tool.
type Source struct {
	URL     string `json:"url,omitempty"`
	Title   string `json:"title,omitempty"`
	Snippet string `json:"snippet,omitempty"`
}

// A Citation is a source for a passage of text.
type Citation struct {
	URL   string `json:"url,omitempty"`
	Title string `json:"title,omitempty"`
	// Text is the passage of the source that is cited.
	Text string `json:"text,omitempty"`
	// Start and End are the range of the cited passage as the provider counts
	// it; End is 0 when no range was given.
	Start int `json:"start"`
	End   int `json:"end"`
}

// Media is generated content that is not text.
type Media struct {
	// Type is the media type, for instance "image/png".
	Type string
	Data []byte
}

// A Completion is the payload of Completed.
type Completion struct {
	// Stop says why the model stopped, in weir's words.
	Stop Stop
	// RawStop is the provider's own word, empty when it gave none.
	RawStop string
	// Usage is what the provider reported, unknown where it did not.
	Usage Usage
	// Cost is the provider's own figure, or nil.
	Cost *Cost
	// Data is what the provider needs to get this turn back, exactly.
	Data ProviderData
}

// NewStarted returns a Started event.
func NewStarted(s Start) Event {
	return Event{Kind: Started, detail: &detail{value: cloneStart(s)}}
}

// NewTextDelta returns a piece of the visible answer for the block at index.
func NewTextDelta(index int, text string) Event {
	return Event{Kind: TextDelta, Index: int32(index), Text: text}
}

// NewThinkingDelta returns a piece of visible reasoning for the block at index.
func NewThinkingDelta(index int, text string) Event {
	return Event{Kind: ThinkingDelta, Index: int32(index), Text: text}
}

// NewRefusalDelta returns a piece of the model's refusal for the block at index.
func NewRefusalDelta(index int, text string) Event {
	return Event{Kind: RefusalDelta, Index: int32(index), Text: text}
}

// NewToolCallStarted opens the call at index. Arguments and Replay are left out.
func NewToolCallStarted(index int, id, name string, minted bool) Event {
	return Event{Kind: ToolCallStarted, Index: int32(index), detail: &detail{value: ToolCall{ID: id, Name: name, Minted: minted}}}
}

// NewToolArgumentsDelta returns a piece of the argument text of the call at index.
func NewToolArgumentsDelta(index int, text string) Event {
	return Event{Kind: ToolArgumentsDelta, Index: int32(index), Text: text}
}

// NewToolCallCompleted ends the call at index with its whole arguments.
func NewToolCallCompleted(index int, call ToolCall) Event {
	return Event{Kind: ToolCallCompleted, Index: int32(index), detail: &detail{value: call}}
}

// NewToolCallInvalid ends the call at index as never executable. The arguments
// as they came are call.Arguments; they become the event's Text.
func NewToolCallInvalid(index int, call ToolCall, issue Issue) Event {
	text := call.Arguments
	call.Arguments = ""
	return Event{Kind: ToolCallInvalid, Index: int32(index), Text: text, detail: &detail{value: invalidCall{call, issue}}}
}

type invalidCall struct {
	call  ToolCall
	issue Issue
}

// NewHostedToolStarted opens the use of a hosted tool at index. Only ID and
// Name are kept.
func NewHostedToolStarted(index int, id, name string) Event {
	return Event{Kind: HostedToolStarted, Index: int32(index), detail: &detail{value: HostedTool{ID: id, Name: name}}}
}

// NewHostedToolCompleted ends the use of a hosted tool at index.
func NewHostedToolCompleted(index int, h HostedTool) Event {
	h.Sources = slices.Clone(h.Sources)
	return Event{Kind: HostedToolCompleted, Index: int32(index), detail: &detail{value: h}}
}

// NewCitationAdded names a source for the text block at index.
func NewCitationAdded(index int, c Citation) Event {
	return Event{Kind: CitationAdded, Index: int32(index), detail: &detail{value: c}}
}

// NewMediaCompleted returns a generated piece of media at index. The data is
// copied.
func NewMediaCompleted(index int, mediaType string, data []byte) Event {
	return Event{Kind: MediaCompleted, Index: int32(index), detail: &detail{value: Media{Type: mediaType, Data: slices.Clone(data)}}}
}

// NewUsageUpdated tells running counts.
func NewUsageUpdated(u Usage) Event {
	return Event{Kind: UsageUpdated, detail: &detail{value: u}}
}

// NewNotice tells the consumer something it may want to know. The detail is
// bounded and cleaned as a failure's is.
func NewNotice(code NoticeCode, text string) Event {
	return Event{Kind: Notice, detail: &detail{value: NoticeInfo{Code: code, Detail: CleanDetail(text)}}}
}

// NewCompleted ends a stream with success.
func NewCompleted(c Completion) Event {
	if c.Cost != nil {
		cost := *c.Cost
		c.Cost = &cost
	}
	return Event{Kind: Completed, detail: &detail{value: c}}
}

// NewFailed ends a stream with a failure. The failure is copied and its detail
// cleaned (see [CleanDetail]); nil becomes a failure of kind other.
func NewFailed(f *Failure) Event {
	if f == nil {
		f = &Failure{Kind: Other, Detail: "failed without a failure"}
	}
	return Event{Kind: Failed, detail: &detail{value: f.clean()}}
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
	h.Sources = slices.Clone(h.Sources)
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
	switch e.Kind {
	case TextDelta, ThinkingDelta, RefusalDelta, ToolArgumentsDelta:
		return e.detail == nil
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
	}
	return false
}

func holds[T any](e Event) bool {
	_, ok := payload[T](e)
	return ok
}

// Equal reports whether two events say the same. Causes of failures, which have
// no written form, do not count.
func (e Event) Equal(o Event) bool {
	if e.Kind != o.Kind || e.Index != o.Index || e.Text != o.Text {
		return false
	}
	if e.detail == nil || o.detail == nil {
		return e.detail == o.detail
	}
	return reflect.DeepEqual(withoutCause(e.detail.value), withoutCause(o.detail.value))
}

// withoutCause returns v without what Equal leaves out.
func withoutCause(v any) any {
	f, ok := v.(*Failure)
	if !ok {
		return v
	}
	f = f.clone()
	f.cause = nil
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

func cloneStart(s Start) Start {
	if s.RateLimits != nil {
		limits := *s.RateLimits
		s.RateLimits = &limits
	}
	if s.Metadata != nil {
		m := make(map[string]string, len(s.Metadata))
		for k, v := range s.Metadata {
			m[k] = v
		}
		s.Metadata = m
	}
	return s
}
