package request

// Support says whether a model can do something. The zero value is unknown.
type Support uint8

// The answers. Only No refuses a request.
const (
	Unknown Support = iota
	Yes
	No
)

// A Spec is what a model can do, as far as is known. The zero Spec knows
// nothing and refuses nothing.
type Spec struct {
	// Capabilities.
	Tools, ParallelTools, ToolChoice       Support
	Images, Audio, Files                   Support
	Thinking, ThinkingBudget               Support
	Temperature, TopP, StopSequences, Seed Support
	StructuredAnswer                       Support
	// BothSamplers: takes Temperature and TopP in one request.
	BothSamplers Support
	// Citations: names the files that an answer is taken from, asked or unasked.
	Citations Support
	// CacheMarkers: takes markers in the prompt ([Cache]). CacheAutomatic: keeps the
	// whole prompt at one word or unasked; where it is not Yes and markers are taken, the
	// last block is marked. CacheLong: keeps for an hour when asked. CacheKey: takes a key.
	CacheMarkers, CacheAutomatic, CacheLong, CacheKey Support
	// MaxCacheMarkers is the most markers of one request; 0: unknown.
	MaxCacheMarkers int
	// HostedTools: takes tools of its provider, as raw JSON. WebSearch: its search.
	HostedTools Support
	WebSearch   WebSearchSupport
	// Efforts are the efforts that the model takes, in any order; nil: unknown,
	// empty but not nil: none.
	Efforts []Effort
	// ContextWindow and MaxOutput are in tokens; 0: unknown.
	ContextWindow, MaxOutput int
}

// WebSearchSupport says which options a web search takes, and whether there is one.
type WebSearchSupport struct {
	Tool, MaxUses, AllowedDomains, BlockedDomains, Location Support
}
