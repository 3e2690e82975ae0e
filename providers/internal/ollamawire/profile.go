package ollamawire

// Format is the format of the provider data that this family writes.
const Format = "ollama.v1"

// ExtraKey is the key of the request's Extra that this family reads.
const ExtraKey = "ollama"

// A Profile is what differs between servers and models of this family. The zero
// Profile is a server with its own defaults and a model that thinks or does not.
type Profile struct {
	// Origin is the provider's name, written into provider data.
	Origin string
	// NoKey says that no credential is configured, so that a refusal of it says so.
	NoKey bool
	// ThinkLevels says that the model takes levels of thinking by their names: those of
	// the Spec's efforts, or low, medium, high and max; others only take on and off and
	// refuse a level with 400.
	ThinkLevels bool
	// KeepAlive is how long the server keeps the model loaded, as JSON: a
	// duration string or seconds. Empty leaves it to the server.
	KeepAlive string
	// ContextLength is the size of the context window in tokens (num_ctx); 0
	// leaves it to the server, which cuts a longer prompt without a word.
	ContextLength int
}
