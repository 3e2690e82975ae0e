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
	// Answer is how the vendor is asked for a structured answer.
	Answer AnswerSpelling
	// AnswerWithoutTools: a request with tools is asked for its answer in words,
	// because the vendor refuses response_format beside tools, or calls none then.
	AnswerWithoutTools bool
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
// default reads right needs no row. Of those without one, these document that they
// take a schema in response_format: Together (docs.together.ai/docs/inference/chat/
// structured-outputs) and LM Studio (lmstudio.ai/docs/advanced/structured-output),
// stored copies read 2026-11-30; llama.cpp's server takes it by its source (ggml-org/llama.cpp,
// tools/server/server-common.cpp, pull request 18963).
func vendors() map[string]Profile {
	return map[string]Profile{
		// Structured answers: developers.openai.com/api/docs/guides/
		// structured-outputs, a stored copy read 2026-11-30.
		"openai": {CompletionTokens: true, Answer: AnswerStrict},
		// Of its reasoning models: github.com/MicrosoftDocs/azure-ai-docs,
		// articles/foundry/openai/how-to/reasoning.md, a stored copy read 2026-11-30.
		// That the others take it as well is not confirmed.
		// Structured answers as at OpenAI: articles/foundry/openai/how-to/
		// structured-outputs.md there, read likewise.
		"azure": {CompletionTokens: true, Answer: AnswerStrict},
		// openrouter.ai/docs/use-cases/reasoning-tokens and /usage-accounting, stored
		// copies read 2026-11-30. They have "enabled" but do not show it false. The
		// cost is in credits; that one is a dollar is not confirmed. Structured
		// answers: openrouter.ai/docs/structured-outputs, read likewise; it shows
		// "strict": true and hands it to the providers that take it.
		"openrouter": {Effort: EffortObject, UsageCost: true, Answer: AnswerStrict},
		// The reasoning object: vercel.com/docs/ai-gateway/openai-compat/advanced, a
		// stored copy read 2026-11-30. usage.cost is in recordings of its streams.
		"vercelgateway": {Effort: EffortObject, UsageCost: true},
		// api-docs.deepseek.com/guides/thinking_mode, stored copies read 2026-11-30:
		// the thinking of a turn with tool calls must come back in all later requests
		// (else 400), of others it is ignored. Its own efforts are low, high and max;
		// it takes the other words and maps them. It takes json_object only, with
		// "json" in the prompt (api-docs.deepseek.com/guides/json_mode, read likewise),
		// and answers json_schema with 400 and no parameter
		// (github.com/UKGovernmentBEIS/inspect_ai, issue 4916, August 2026).
		"deepseek": {Effort: EffortThinking, ReplayReasoning: true, Answer: AnswerObject},
		// Usage comes in the last chunk unasked. That stream_options would be refused
		// is not confirmed. Structured answers: docs.mistral.ai/capabilities/
		// structured-output/custom_structured_output, a stored copy read 2026-11-30;
		// that "strict" is false unless set is what github.com/vercel/ai says (pull
		// request 8130).
		"mistral": {NoStreamOptions: true, Answer: AnswerStrict},
		// total_tokens = prompt_tokens + completion_tokens + reasoning_tokens. A schema
		// is enforced without "strict" (docs.x.ai/developers/model-capabilities/text/
		// structured-outputs, a stored copy read 2026-11-30).
		"xai": {ReasoningExclusive: true},
		// max_tokens is deprecated: Groq's Python SDK and its pull request 175, stored
		// excerpts read 2026-11-30. "strict" true is for two models only, without it
		// more take a schema (console.groq.com/docs/structured-outputs, read likewise);
		// beside tools it is refused (github.com/pydantic/pydantic-ai, pull request
		// 3858).
		"groq": {CompletionTokens: true, AnswerWithoutTools: true},
		// A schema leaves the model no room for calls: github.com/ollama/ollama, issue
		// 13750; of vLLM github.com/openai/openai-agents-python, issue 3709 (June 2026).
		"ollama": {AnswerWithoutTools: true},
		"vllm":   {AnswerWithoutTools: true},
	}
}
