package coherewire

// Format is the ProviderData format of this family. The value is a JSON object:
//
//	tool_plan  the plan, if there was one
//	content    the blocks of content in order: thinking as it came, and
//	           {"slot":"text"} where a text of the message stands
//	citations  the citations as they came
//
// Members that would be empty are left out.
const Format = "cohere.v1"

// ExtraKey is the key of the request's Extra that this family reads.
const ExtraKey = "cohere"

// MaxData bounds what is kept of a reply to send it back, in bytes.
const MaxData = 4 << 20

// A Profile is what one host of the family does its own way. The zero Profile
// fits Cohere's own API.
type Profile struct {
	// Origin is the provider's name in ProviderData.
	Origin string
	// NoKey says that no credential is configured, so that a refusal of it says so.
	NoKey bool
}
