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
	// ExtraBody is a raw JSON object that is merged into every body, before the
	// request's own Extra; empty for none.
	ExtraBody string
	// ReplayReasoning sends the thinking of an earlier turn back as
	// reasoning_content. (reasoning_details are always sent back.)
	ReplayReasoning bool

	// ReasoningExclusive: completion_tokens does not include the thinking.
	ReasoningExclusive bool
	// CachedExclusive: prompt_tokens does not include what came from the cache.
	CachedExclusive bool
	// UsageCost: usage.cost is what the reply costs, in US dollars.
	UsageCost bool
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
)

func (p Profile) systemRole() string {
	if p.SystemRole == "" {
		return "system"
	}
	return p.SystemRole
}

// ProfileFor returns the profile of a vendor by its name in lower case, with its
// Origin set to that name. A name without a row gets the tolerant default.
//
// Sources are beside the rows. Where none is, it is the vendors' SDKs and docs,
// read August to October 2026.
func ProfileFor(vendor string) Profile {
	p := vendors()[vendor]
	p.Origin = vendor
	return p
}

// vendors is the table of what is known to differ. A vendor whose streams the
// default reads right needs no row.
func vendors() map[string]Profile {
	return map[string]Profile{
		"openai": {CompletionTokens: true},
		// Of its reasoning models: github.com/MicrosoftDocs/azure-ai-docs,
		// articles/foundry/openai/how-to/reasoning.md, a stored copy read 2026-11-30.
		// That the others take it as well is not confirmed.
		"azure": {CompletionTokens: true},
		// openrouter.ai/docs/use-cases/reasoning-tokens and /usage-accounting, stored
		// copies read 2026-11-30. They have "enabled" but do not show it false. The
		// cost is in credits; that one is a dollar is not confirmed.
		"openrouter": {Effort: EffortObject, UsageCost: true},
		// The reasoning object: vercel.com/docs/ai-gateway/openai-compat/advanced, a
		// stored copy read 2026-11-30. usage.cost is in recordings of its streams.
		"vercelgateway": {Effort: EffortObject, UsageCost: true},
		// api-docs.deepseek.com/guides/thinking_mode, stored copies read 2026-11-30:
		// the thinking of a turn with tool calls must come back in all later requests
		// (else 400), of others it is ignored. Its own efforts are low, high and max;
		// it takes the other words and maps them.
		"deepseek": {Effort: EffortThinking, ReplayReasoning: true},
		// Usage comes in the last chunk unasked. That stream_options would be refused
		// is not confirmed.
		"mistral": {NoStreamOptions: true},
		// total_tokens = prompt_tokens + completion_tokens + reasoning_tokens.
		"xai": {ReasoningExclusive: true},
		// max_tokens is deprecated: Groq's Python SDK and its pull request 175, stored
		// excerpts read 2026-11-30.
		"groq": {CompletionTokens: true},
	}
}
