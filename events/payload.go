package events

import "maps"

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
	// BillingStops reports that the provider says that it stops generating, and
	// billing, when the client hangs up. False: it goes on, or nobody knows.
	BillingStops bool
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
	// Start and End are the range of the passage in the text block, as the provider
	// counts it: in bytes or in characters, its adapter says which. End is 0 when no
	// range was given: the source is one of the whole block.
	Start int `json:"start"`
	End   int `json:"end"`
	// SourceStart and SourceEnd are the range in the source, in what it is counted in:
	// characters of a text, pages of a PDF, blocks of a list. SourceEnd is 0 when none
	// was given.
	SourceStart int `json:"source_start"`
	SourceEnd   int `json:"source_end"`
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
	// ServiceTier is the provider's name of the tier that served the reply, where it
	// says in the end another than the one of [Start.Metadata] ("service_tier"): "auto"
	// is how it was asked, and no tier. Empty otherwise.
	ServiceTier string
	// Usage is what the provider reported, unknown where it did not.
	Usage Usage
	// Cost is the provider's own figure, or nil.
	Cost *Cost
	// Data is what the provider needs to get this turn back, exactly.
	Data ProviderData
}

type invalidCall struct {
	call  ToolCall
	issue Issue
}

// The clones have one form for nothing, so that what is written and read back
// is equal: no limits, no metadata and no sources are nil.

func cloneStart(s Start) Start {
	s.RateLimits = s.RateLimits.clone()
	if len(s.Metadata) == 0 {
		s.Metadata = nil
	}
	s.Metadata = maps.Clone(s.Metadata)
	return s
}

func cloneSources(s []Source) []Source { return append([]Source(nil), s...) }
