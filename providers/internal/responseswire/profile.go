package responseswire

import (
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

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
	// NoStore: the host keeps nothing, and has no word for it.
	NoStore bool
	// EncryptedReasoning says of which models reasoning.encrypted_content is asked for:
	// without it reasoning that is not stored by the provider is lost with the turn.
	EncryptedReasoning EncryptedReasoning
	// PlainInput: of a turn the input takes messages, calls and their results, and refuses
	// all else: nothing else is kept to be sent back.
	PlainInput bool
	// Efforts are those that the host takes of any model; nil: it is a matter of the model.
	Efforts []request.Effort
	// ReasoningBudget: the reasoning object takes max_tokens.
	ReasoningBudget bool
	// NoToolChoice, NoParallel: the host takes no tool_choice, no parallel_tool_calls.
	NoToolChoice, NoParallel bool
	// NoSampling: it takes neither temperature nor top_p.
	NoSampling bool
	// StopAndSeed: it takes stop and seed besides, which the API has not.
	StopAndSeed bool
	// Answer is how the host is asked for a structured answer. AnswerWithoutTools: a
	// request with tools is asked for its answer in words.
	Answer             AnswerSpelling
	AnswerWithoutTools bool
	// Search is how it is asked to search the web.
	Search SearchSpelling
	// HostedPrefix begins the types of items that are uses of its own tools, HostedResults
	// ends them; empty: none.
	HostedPrefix, HostedResults string
	// Thoughts: frames response.reasoning.* tell what its tools do, and a thought each.
	Thoughts bool
	// CacheBreakpoints: parts of input take prompt_cache_breakpoint, of models whose Spec
	// says Yes to markers. CacheRetention: prompt_cache_retention keeps for an hour and
	// more, of models whose Spec says Yes to that. CacheControl: "cache_control" beside the
	// input has the end of the prompt kept.
	CacheBreakpoints, CacheRetention, CacheControl bool
	// CacheKey is the member that takes the key of the cache; empty: there is none.
	CacheKey string
	// NoUsageDetails: the details of the usage are always zero, because nobody counts
	// them: they are unknown.
	NoUsageDetails bool
	// Cost is where the reply says what it costs.
	Cost CostSpelling
	// CountsInput: tokens are counted at /input_tokens.
	CountsInput bool
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

// AnswerSpelling is how a host is asked for a structured answer.
type AnswerSpelling uint8

const (
	// AnswerText: "text": {"format": {"type": "json_schema", ...}}.
	AnswerText AnswerSpelling = iota
	// AnswerFormat: "response_format", as of Chat Completions.
	AnswerFormat
)

// ProfileFor returns the profile of a vendor by its name in lower case, with its
// Origin set to that name. A name without a row gets the tolerant default.
func ProfileFor(vendor string) Profile {
	p := Vendors()[vendor].Profile
	p.Origin = vendor
	return p
}

// maxCacheMarkers is as many as a request may write (OpenAI's API reference of
// prompt_cache_options, in openai-client-base 0.16.0, docs.rs, read 2026-12-01).
const maxCacheMarkers = 4

// specOf returns the Spec narrowed to what the host has words for: the API has no stop
// sequences and no seed (openai-python, responses/response_create_params.py, read
// 2026-12-01). Preparing leaves them out and says so.
func (p Profile) specOf(s request.Spec) request.Spec {
	no := func(support *request.Support, when bool) {
		if when {
			*support = request.No
		}
	}
	no(&s.StopSequences, !p.StopAndSeed)
	no(&s.Seed, !p.StopAndSeed)
	no(&s.ThinkingBudget, !p.ReasoningBudget)
	no(&s.ToolChoice, p.NoToolChoice)
	no(&s.ParallelTools, p.NoParallel)
	no(&s.Temperature, p.NoSampling)
	no(&s.TopP, p.NoSampling)
	if s.Efforts == nil {
		s.Efforts = p.Efforts
	}
	return p.searchSpec(p.cacheSpec(s))
}

func (p Profile) cacheSpec(s request.Spec) request.Spec {
	if !p.CacheBreakpoints || s.CacheMarkers != request.Yes {
		s.CacheMarkers = request.No
	}
	if p.CacheBreakpoints || p.CacheControl {
		s.CacheAutomatic = request.Yes
	}
	if retains := p.CacheRetention && s.CacheLong == request.Yes; !retains && !p.CacheControl {
		s.CacheLong = request.No
	}
	if p.CacheKey == "" {
		s.CacheKey = request.No
	}
	s.MaxCacheMarkers = maxCacheMarkers
	return s
}

// cache spells what is asked of the whole prompt.
func (p Profile) cache(o *wirejson.Object, c request.Cache) {
	if c.Key != "" {
		o.Set(p.CacheKey, quoted(c.Key))
	}
	switch {
	case c.Automatic == "":
	case p.CacheControl && c.Automatic == request.CacheLong:
		o.Set("cache_control", `{"type":"ephemeral","ttl":"1h"}`)
	case p.CacheControl:
		o.Set("cache_control", `{"type":"ephemeral"}`)
	case c.Automatic == request.CacheLong:
		o.Set("prompt_cache_retention", `"24h"`)
	}
}
