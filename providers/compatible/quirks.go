package compatible

import "github.com/weirsdk/weir/providers/internal/chatwire"

// Quirks is what one provider does in its own way. The zero Quirks is the
// tolerant default.
type Quirks struct {
	// Path is where the endpoint answers below BaseURL; empty means
	// "/chat/completions".
	Path string
	// CompletionTokens sends the output cap as max_completion_tokens and not as
	// max_tokens.
	CompletionTokens bool
	// SystemRole is the role of the system prompt; empty means "system".
	SystemRole string
	// NoStreamOptions leaves stream_options out, for providers that send usage
	// unasked or refuse the parameter.
	NoStreamOptions bool
	// Effort is how the effort is spelled.
	Effort EffortSpelling
	// Answer is how the provider is asked for a structured answer.
	Answer AnswerSpelling
	// AnswerWithoutTools asks a request with tools for its answer in words, for
	// providers that refuse response_format beside tools, or call none then.
	AnswerWithoutTools bool
	// Media is how speech and files are spelled.
	Media MediaSpelling
	// Seed is the member that takes the seed; empty means "seed".
	Seed string
	// CallIDs is which ids of tool calls the provider takes: those that another provider
	// gave are spelled so.
	CallIDs CallIDSpelling
	// Search is how the provider is asked to search the web.
	Search SearchSpelling
	// CacheMarkers is how cache markers are spelled.
	CacheMarkers CacheMarkerSpelling
	// CacheAutomatic asks for the end of the prompt to be kept by "cache_control" beside
	// the messages.
	CacheAutomatic bool
	// CacheKey is the member that takes the key of the cache, for instance
	// "prompt_cache_key"; empty: the provider has none.
	CacheKey string
	// CacheRetention asks for an hour by "prompt_cache_retention": "24h", of models whose
	// Spec says Yes to CacheLong.
	CacheRetention bool
	// ReplayReasoning sends the thinking of an earlier turn back as
	// reasoning_content.
	ReplayReasoning bool
	// AssistantAfterTools puts an assistant's message ("OK") between results of tools
	// and a user's message, for providers that refuse the latter after the former.
	AssistantAfterTools bool
	// ReplayParts sends content that came as parts (thinking and references among
	// them) back as parts.
	ReplayParts bool
	// ReasoningExclusive says that completion_tokens does not include the
	// thinking, CachedExclusive that prompt_tokens does not include what came
	// from the cache. Where a reported total shows either, it is seen without.
	ReasoningExclusive, CachedExclusive bool
	// UsageCost says that usage.cost is what the reply costs, in US dollars.
	UsageCost bool
	// UsageTicks says that usage.cost_in_usd_ticks is what it costs, ten thousand million
	// of them to the dollar, as xAI.
	UsageTicks bool
	// CumulativeArguments says that each piece of a call's arguments repeats all
	// before it, PlaceholderArguments that a first piece "{}" stands for nothing
	// yet. Without them such arguments are invalid: nothing is guessed.
	CumulativeArguments, PlaceholderArguments bool
}

// EffortSpelling is how a provider spells the effort.
type EffortSpelling uint8

// The spellings.
const (
	// EffortWord: "reasoning_effort": "high", as OpenAI.
	EffortWord EffortSpelling = iota
	// EffortObject: "reasoning": {"effort": "high"}, as OpenRouter. This one and
	// EffortEnable have a word for a thinking budget.
	EffortObject
	// EffortThinking: "thinking": {"type": "enabled"} beside reasoning_effort, as
	// DeepSeek.
	EffortThinking
	// EffortSwitch: "thinking": {"type": "enabled"} alone, as Moonshot and Z.AI. Every
	// effort but off is high; a Notice tells of another one.
	EffortSwitch
	// EffortEnable: "enable_thinking": true and "thinking_budget": 1000, as Alibaba.
	// The same of every effort.
	EffortEnable
)

// CallIDSpelling is which ids of tool calls a provider takes.
type CallIDSpelling uint8

// The spellings.
const (
	// CallIDAny: all of them.
	CallIDAny CallIDSpelling = iota
	// CallIDForty: those of at most 40 characters, as OpenAI.
	CallIDForty
	// CallIDNine: those of exactly nine letters and digits, as Mistral.
	CallIDNine
)

// SearchSpelling is how a provider is asked to search the web.
type SearchSpelling uint8

// The spellings.
const (
	// SearchNone: it has no word of its own; its tools are given raw.
	SearchNone SearchSpelling = iota
	// SearchOptions: "web_search_options": {}, as OpenAI.
	SearchOptions
	// SearchPlugin: "plugins": [{"id": "web"}], as OpenRouter.
	SearchPlugin
	// SearchBrowser: a tool "browser_search"; of a compound system what is in
	// "compound_custom" and "search_settings", as Groq.
	SearchBrowser
)

// MediaSpelling is how a provider spells speech and files in the content.
type MediaSpelling uint8

// The spellings.
const (
	// MediaParts: "input_audio": {"data", "format"} and "file": {"file_data"}, as OpenAI.
	MediaParts MediaSpelling = iota
	// MediaURLs: "input_audio", the bytes or an address, and "document_url", as Mistral.
	MediaURLs
	// MediaInline: as MediaParts, and a file by address is refused before it is sent.
	MediaInline
)

// CacheMarkerSpelling is how a provider spells a cache marker on a part of the content
// of a system or user message; other messages have none.
type CacheMarkerSpelling uint8

// The spellings.
const (
	// CacheMarkerNone: the provider takes no markers; a Notice tells of them.
	CacheMarkerNone CacheMarkerSpelling = iota
	// CacheMarkerControl: "cache_control": {"type": "ephemeral"}, as OpenRouter.
	CacheMarkerControl
	// CacheMarkerBreakpoint: "prompt_cache_breakpoint": {"mode": "explicit"}, as OpenAI,
	// of models whose Spec says Yes to CacheMarkers.
	CacheMarkerBreakpoint
)

// AnswerSpelling is how a provider is asked for a structured answer. A schema is
// sent in its form in OpenAI's strict subset.
type AnswerSpelling uint8

// The spellings.
const (
	// AnswerSchema: "response_format" of type json_schema, without "strict".
	AnswerSchema AnswerSpelling = iota
	// AnswerStrict: the same with "strict": true, as OpenAI.
	AnswerStrict
	// AnswerObject: "response_format" of type json_object, and the schema in words
	// at the end of the system prompt, as DeepSeek.
	AnswerObject
	// AnswerWords: the schema in words alone.
	AnswerWords
)

// QuirksOf returns what is known of a provider by its name in lower case
// ("deepseek", "groq", "mistral", "xai" ...), the tolerant default for others.
func QuirksOf(provider string) Quirks {
	p := chatwire.ProfileFor(provider)
	return Quirks{
		Path:                 p.Path,
		CompletionTokens:     p.CompletionTokens,
		SystemRole:           p.SystemRole,
		NoStreamOptions:      p.NoStreamOptions,
		Effort:               EffortSpelling(p.Effort),
		Answer:               AnswerSpelling(p.Answer),
		AnswerWithoutTools:   p.AnswerWithoutTools,
		Media:                MediaSpelling(p.Media),
		Seed:                 p.Seed,
		CallIDs:              CallIDSpelling(p.CallIDs),
		Search:               SearchSpelling(p.Search),
		CacheMarkers:         CacheMarkerSpelling(p.Markers),
		CacheAutomatic:       p.CacheAutomatic,
		CacheKey:             p.CacheKey,
		CacheRetention:       p.CacheRetention,
		ReplayReasoning:      p.ReplayReasoning,
		ReplayParts:          p.ReplayParts,
		AssistantAfterTools:  p.AssistantAfterTools,
		ReasoningExclusive:   p.ReasoningExclusive,
		CachedExclusive:      p.CachedExclusive,
		UsageCost:            p.UsageCost,
		UsageTicks:           p.UsageTicks,
		CumulativeArguments:  p.CumulativeArguments,
		PlaceholderArguments: p.PlaceholderArguments,
	}
}

func (q Quirks) profile() chatwire.Profile {
	return chatwire.Profile{
		Path:                 q.Path,
		CompletionTokens:     q.CompletionTokens,
		SystemRole:           q.SystemRole,
		NoStreamOptions:      q.NoStreamOptions,
		Effort:               chatwire.EffortSpelling(q.Effort),
		Answer:               chatwire.AnswerSpelling(q.Answer),
		AnswerWithoutTools:   q.AnswerWithoutTools,
		Media:                chatwire.MediaSpelling(q.Media),
		Seed:                 q.Seed,
		CallIDs:              chatwire.CallIDSpelling(q.CallIDs),
		Search:               chatwire.SearchSpelling(q.Search),
		Markers:              chatwire.MarkerSpelling(q.CacheMarkers),
		CacheAutomatic:       q.CacheAutomatic,
		CacheKey:             q.CacheKey,
		CacheRetention:       q.CacheRetention,
		ReplayReasoning:      q.ReplayReasoning,
		ReplayParts:          q.ReplayParts,
		AssistantAfterTools:  q.AssistantAfterTools,
		ReasoningExclusive:   q.ReasoningExclusive,
		CachedExclusive:      q.CachedExclusive,
		UsageCost:            q.UsageCost,
		UsageTicks:           q.UsageTicks,
		CumulativeArguments:  q.CumulativeArguments,
		PlaceholderArguments: q.PlaceholderArguments,
	}
}
