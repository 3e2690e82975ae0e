package chatwire

// Format is the format of the ProviderData that this family writes: a JSON
// object of the members that the assistant message must have when it is sent
// back.
const Format = "chat.v1"

// ExtraKey is the key of the request's Extra that this family reads.
const ExtraKey = "chat"

// A Profile is what one vendor does in its own way. The zero Profile is the
// tolerant default for an endpoint that nothing is known of.
type Profile struct {
	// Origin is the provider's name in the ProviderData that it wrote.
	Origin string
	// NoKey says that no credential is configured, so that a refusal of it says so.
	NoKey bool

	// Path is where the language is spoken below the base URL; empty means
	// "/chat/completions".
	Path string
	// CompletionTokens sends the output cap as max_completion_tokens, which
	// OpenAI's reasoning models demand, and not as max_tokens, which is what
	// compatible servers know.
	CompletionTokens bool
	// SystemRole is the role of the system prompt; empty means "system".
	SystemRole string
	// NoStreamOptions leaves stream_options out: the vendor sends usage unasked.
	NoStreamOptions bool
	// Effort is how the vendor spells the effort.
	Effort EffortSpelling
	// Answer is how the vendor is asked for a structured answer.
	Answer AnswerSpelling
	// AnswerWithoutTools: a request with tools is asked for its answer in words,
	// because the vendor refuses response_format beside tools, or calls none then.
	AnswerWithoutTools bool
	// Media is how the vendor spells speech and files.
	Media MediaSpelling
	// Seed is the member that takes the seed; empty means "seed".
	Seed string
	// CallIDs is which ids of tool calls the vendor takes. Ids of other providers are
	// spelled so; its own go back as they came.
	CallIDs CallIDSpelling
	// Search is how the vendor is asked to search the web.
	Search SearchSpelling
	// Markers is how the vendor spells cache markers.
	Markers MarkerSpelling
	// CacheAutomatic: "cache_control" beside the messages has the end of the prompt kept.
	CacheAutomatic bool
	// CacheKey is the member that takes the key of the cache; empty: there is none.
	CacheKey string
	// CacheRetention: "prompt_cache_retention": "24h" keeps for an hour and more, of
	// models whose Spec says Yes to that.
	CacheRetention bool
	// AssistantAfterTools: a user's message may not follow results of tools; an
	// assistant's is put between.
	AssistantAfterTools bool
	// ExtraBody is a raw JSON object that is merged into every body, before the
	// request's own Extra; empty for none.
	ExtraBody string
	// ReplayReasoning sends the thinking of an earlier turn back as
	// reasoning_content. (reasoning_details are always sent back.)
	ReplayReasoning bool
	// ReplayParts sends content that came as parts back as parts, thinking and
	// references among them.
	ReplayParts bool

	// ReasoningExclusive: completion_tokens does not include the thinking.
	ReasoningExclusive bool
	// CachedExclusive: prompt_tokens does not include what came from the cache.
	CachedExclusive bool
	// UsageCost: usage.cost is what the reply costs, in US dollars.
	UsageCost bool
	// UsageTicks: usage.cost_in_usd_ticks is what it costs, ten thousand million of them
	// to the dollar.
	UsageTicks bool
	// BillingStops says of an upstream, as the first chunk names it ("provider"),
	// whether it stops when the client hangs up; nil: nobody knows.
	BillingStops func(upstream string) bool
	// CumulativeArguments: each piece of a call's arguments repeats all before it.
	CumulativeArguments bool
	// PlaceholderArguments: a first piece "{}" stands for nothing yet.
	PlaceholderArguments bool
}

// EffortSpelling is how a vendor spells the effort of a request.
type EffortSpelling uint8

const (
	// EffortWord: "reasoning_effort": "high"; no effort is "none".
	EffortWord EffortSpelling = iota
	// EffortObject: "reasoning": {"effort": "high"} or {"max_tokens": 1000}; no
	// effort is {"enabled": false}.
	EffortObject
	// EffortThinking: "thinking": {"type": "enabled"} beside reasoning_effort; no
	// effort is {"type": "disabled"} alone.
	EffortThinking
	// EffortSwitch: "thinking": {"type": "enabled"} or {"type": "disabled"} alone:
	// there is one level, which is called high.
	EffortSwitch
	// EffortEnable: "enable_thinking": true or false, one level too, and
	// "thinking_budget": 1000.
	EffortEnable
)

// takesBudget reports whether a spelling has a word for a number of tokens.
func (e EffortSpelling) takesBudget() bool { return e == EffortObject || e == EffortEnable }

// hasLevels reports whether a spelling tells one effort from another.
func (e EffortSpelling) hasLevels() bool { return e != EffortSwitch && e != EffortEnable }

// MediaSpelling is how a vendor spells speech and files in the content.
type MediaSpelling uint8

const (
	// MediaParts: "input_audio": {"data", "format"}, without an address, and
	// "file": {"file_data", "filename"}.
	MediaParts MediaSpelling = iota
	// MediaURLs: "input_audio": the bytes or an address, and "document_url" with
	// "document_name".
	MediaURLs
	// MediaInline is MediaParts of a vendor that takes no file by address: such a
	// request is refused before it is sent.
	MediaInline
)

// AnswerSpelling is how a vendor is asked for a structured answer. What is sent of
// a schema is its form in OpenAI's strict subset, which is the one that every
// server of this language was tried with.
type AnswerSpelling uint8

const (
	// AnswerSchema: "response_format" of type json_schema, without "strict": who
	// does not know the word does not refuse it.
	AnswerSchema AnswerSpelling = iota
	// AnswerStrict: the same with "strict": true, for those who enforce the schema
	// only then.
	AnswerStrict
	// AnswerObject: "response_format" of type json_object, and the schema in words.
	AnswerObject
	// AnswerWords: the schema in words alone.
	AnswerWords
)

func (a AnswerSpelling) takesSchema() bool { return a == AnswerSchema || a == AnswerStrict }

func (p Profile) systemRole() string {
	if p.SystemRole == "" {
		return "system"
	}
	return p.SystemRole
}
