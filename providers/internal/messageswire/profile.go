package messageswire

// Format is the ProviderData format of this family. The value is a JSON object.
// Its member content has the blocks of the turn in order. A block that must
// come back exactly stands there as it came; a text block or a tool call, which
// are blocks of the message itself, is held by {"slot":"text"} (with its raw
// citations, if it had any) or {"slot":"tool_use","id":...}. Its member container
// names where code of the provider's waits for the next request, if any does.
const Format = "messages.v1"

// ExtraKey is the key of the request's Extra that this family reads.
const ExtraKey = "messages"

// DefaultMaxTokens is the max_tokens of a request without a cap to a model whose
// maximum is not known. The field is required by the wire.
const DefaultMaxTokens = 4096

// MaxData bounds what is kept of a reply to send it back, in bytes.
const MaxData = 4 << 20

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
	// NoURLs says that the host fetches no images and files by their address.
	NoURLs bool
}
