package responseswire

import "github.com/weirsdk/weir/request"

// Format is the ProviderData format of this family. The value of a turn is a JSON
// object with one member, output: the items of the turn in order. An item that must
// come back exactly stands there as it came. A message or a tool call, which are
// blocks of the message itself, is held by {"slot":"message","item":...} or
// {"slot":"call","id":...,"item":...}: the item as it came, with null in the place
// of what the blocks say. The value of a call is such an item alone.
const Format = "responses.v1"

// ExtraKey is the key of the request's Extra that this family reads.
const ExtraKey = "responses"

// MaxData bounds what is kept of a reply to send it back, in bytes: the 4 MiB of the
// grammar (validator.Limits) but for what else counts there.
const MaxData = 4<<20 - 64<<10

// A Profile is what one host of the family does its own way. The zero Profile is
// the tolerant default for an endpoint that nothing is known of.
type Profile struct {
	// Origin is the provider's name in ProviderData.
	Origin string
	// NoKey says that no credential is configured, so that a refusal of it says so.
	NoKey bool
	// EncryptedReasoning says of which models reasoning.encrypted_content is asked for:
	// without it reasoning that is not stored by the provider is lost with the turn.
	EncryptedReasoning EncryptedReasoning
	// ReasoningBudget: the reasoning object takes max_tokens.
	ReasoningBudget bool
	// CacheBreakpoints: parts of input take prompt_cache_breakpoint, of models whose Spec
	// says Yes to markers. CacheKey: there is a prompt_cache_key. CacheRetention:
	// prompt_cache_retention keeps for an hour and more, of models whose Spec says Yes to
	// that.
	CacheBreakpoints, CacheKey, CacheRetention bool
	// UsageCost: usage.cost is what the reply costs, in US dollars.
	UsageCost bool
	// ExtraBody is a raw JSON object that is merged into every body, before the
	// request's own Extra; empty for none.
	ExtraBody string
}

// EncryptedReasoning says of which models sealed reasoning is asked for. Some hosts
// refuse to be asked for it of a model that does not think.
type EncryptedReasoning uint8

const (
	// EncryptedNever: the host has no such thing.
	EncryptedNever EncryptedReasoning = iota
	// EncryptedWhereKnown: of a model whose Spec says that it thinks, and of any in a
	// request that asks for an effort.
	EncryptedWhereKnown
	// EncryptedByDefault: of every model, unless its Spec says that it does not think.
	EncryptedByDefault
)

// encrypts reports whether sealed reasoning is asked for.
func (p Profile) encrypts(r *request.Request, s request.Spec) bool {
	switch {
	case p.EncryptedReasoning == EncryptedNever, s.Thinking == request.No:
		return false
	case p.EncryptedReasoning == EncryptedByDefault, s.Thinking == request.Yes:
		return true
	default:
		return r.Effort != "" && r.Effort != request.EffortOff
	}
}

// ProfileFor returns the profile of a vendor by its name in lower case, with its
// Origin set to that name. A name without a row gets the tolerant default.
func ProfileFor(vendor string) Profile {
	p := vendors()[vendor]
	p.Origin = vendor
	return p
}

// vendors is the table of what is known to differ.
func vendors() map[string]Profile {
	return map[string]Profile{
		// A model that does not think refuses the parameter include with 400, at both
		// (github.com/pydantic/pydantic-ai, issues 2865, of gpt-4o at Azure, and 3326, read
		// 2026-12-01). Of OpenAI's ids it is known which do not; the name of a deployment
		// says nothing.
		// Of the cache see the table of package chatwire.
		"openai": {EncryptedReasoning: EncryptedByDefault, CacheBreakpoints: true, CacheKey: true, CacheRetention: true},
		"azure":  {EncryptedReasoning: EncryptedWhereKnown, CacheBreakpoints: true, CacheKey: true, CacheRetention: true},
		// docs.x.ai/developers/model-capabilities/text/comparison, and
		// /developers/advanced-api-usage/prompt-caching/maximizing-cache-hits, stored copies
		// read 2026-12-01.
		"xai": {EncryptedReasoning: EncryptedByDefault, CacheKey: true},
		// In recordings of its requests.
		"bedrockmantle": {EncryptedReasoning: EncryptedByDefault},
		// openrouter.ai/docs/agent-sdk/typescript/models/openresponsesreasoningconfig
		// (max_tokens) and /openresponsesusage (cost), /docs/api/api-reference/responses/
		// create-a-response (include), stored copies read 2026-12-01. That a model
		// which does not think takes include there is not confirmed.
		"openrouter": {EncryptedReasoning: EncryptedByDefault, ReasoningBudget: true, UsageCost: true},
	}
}

// maxCacheMarkers is as many as a request may write (OpenAI's API reference of
// prompt_cache_options, in openai-client-base 0.16.0, docs.rs, read 2026-12-01).
const maxCacheMarkers = 4

// specOf returns the Spec narrowed to what the wire has words for: there are no stop
// sequences and no seed (openai-python, responses/response_create_params.py, read
// 2026-12-01). Preparing leaves them out and says so.
func (p Profile) specOf(s request.Spec) request.Spec {
	s.StopSequences, s.Seed = request.No, request.No
	if !p.ReasoningBudget {
		s.ThinkingBudget = request.No
	}
	if !p.CacheBreakpoints || s.CacheMarkers != request.Yes {
		s.CacheMarkers = request.No
	}
	if p.CacheBreakpoints {
		s.CacheAutomatic = request.Yes
	}
	if !p.CacheRetention || s.CacheLong != request.Yes {
		s.CacheLong = request.No
	}
	if !p.CacheKey {
		s.CacheKey = request.No
	}
	s.MaxCacheMarkers = maxCacheMarkers
	// OpenAI's search cannot be kept off domains (openrouter.ai/docs/agent-sdk/typescript/
	// api-reference/models/websearchservertoolconfig, read 2026-12-01).
	s.WebSearch.BlockedDomains = request.No
	return s
}
