package messageswire

// Format is the ProviderData format of this family. The value is a JSON object
// with one member, content: the blocks of the turn in order. A block that must
// come back exactly stands there as it came; a text block or a tool call, which
// are blocks of the message itself, is held by {"slot":"text"} (with its raw
// citations, if it had any) or {"slot":"tool_use","id":...}.
const Format = "messages.v1"

// ExtraKey is the key of the request's Extra that this family reads.
const ExtraKey = "messages"

// DefaultMaxTokens is the max_tokens of a request without a cap to a model whose
// maximum is not known. The field is required by the wire.
const DefaultMaxTokens = 4096

// MaxData bounds what is kept of a reply to send it back, in bytes.
const MaxData = 4 << 20

// minBudget is the least thinking budget that the wire takes (anthropic-sdk-go
// v1.60, read August to October 2026).
const minBudget = 1024

// A Thinking says how a model is told to think.
type Thinking uint8

// The ways (platform.claude.com/docs/en/models, migration guides, stored copies
// read 2026-11-30). The zero Thinking is the way of the newest models.
const (
	// ThinkingAdaptive: an effort is sent as output_config.effort beside
	// thinking of type adaptive.
	ThinkingAdaptive Thinking = iota
	// ThinkingEffort: an effort is sent as output_config.effort alone.
	ThinkingEffort
	// ThinkingBudget: the model knows no efforts; one is sent as a budget of
	// tokens, in sizes of weir's own (minimal 1,024, low 2,048, medium 8,192, high
	// 16,384, xhigh and max 32,000, always below max_tokens).
	ThinkingBudget
)

// A Profile is what one host of the family does its own way. The zero Profile
// fits Anthropic's own API and an unknown model.
type Profile struct {
	// Origin is the provider's name in ProviderData.
	Origin string
	// NoKey says that no credential is configured, so that a refusal of it says so.
	NoKey bool
	// MaxOutput is the model's own maximum, sent as max_tokens when a request
	// sets no cap; 0: unknown.
	MaxOutput int
	// Thinking says how an effort is spelled.
	Thinking Thinking
	// BodyVersion is sent as anthropic_version in the body, where the host
	// names the model in the URL; the body then has no model. Empty: the model
	// is in the body.
	BodyVersion string
	// StreamInURL says that the host is asked for a stream by its URL; the body
	// then has no word for it.
	StreamInURL bool
}
