package conversewire

// Format is the ProviderData format of this family. The value is a JSON object
// with one member, content: the blocks of the turn in order. A block that must
// come back exactly stands there as the wire takes it; a text block or a tool call,
// which are blocks of the message itself, is held by {"slot":"text"} (with its raw
// citations, if it had any) or {"slot":"tool_use","id":...}.
const Format = "converse.v1"

// ExtraKey is the key of the request's Extra that this family reads.
const ExtraKey = "converse"

// MaxData bounds what is kept of a reply to send it back, in bytes.
const MaxData = 4 << 20

// MaxMedia bounds the images of a reply, in bytes.
const MaxMedia = 64 << 20

// A Profile is what one host or model of the family does its own way.
type Profile struct {
	// Origin is the provider's name in ProviderData.
	Origin string
	// NoKey says that no credential is configured, so that a refusal of it says so.
	NoKey bool
	// Thinking says how an effort or a budget is spelled.
	Thinking Thinking
	// SystemTools are tools that the provider runs itself, by the names that it
	// gives them; they are offered with every request.
	SystemTools []string
	// UnmarkedTools says that the model takes no cache marker after the tools.
	UnmarkedTools bool
}
