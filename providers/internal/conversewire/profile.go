package conversewire

// Format is the ProviderData format of this family. The value is a JSON object
// with one member, content: the blocks of the turn in order. A block that must
// come back exactly stands there as the wire takes it; a text block or a tool call,
// which are blocks of the message itself, is held by {"slot":"text"} or
// {"slot":"tool_use","id":...}.
const Format = "converse.v1"

// ExtraKey is the key of the request's Extra that this family reads.
const ExtraKey = "converse"

// MaxData bounds what is kept of a reply to send it back, in bytes.
const MaxData = 4 << 20

// MaxMedia bounds the images of a reply, in bytes.
const MaxMedia = 64 << 20

// A Thinking says how a model is told to think: by the wire's own word, or in
// additionalModelRequestFields, which the wire passes on to the model.
type Thinking uint8

// The ways. Sources: of outputConfig.effort aws-sdk-go-v2 service/bedrockruntime
// v1.63.13; of Claude docs.aws.amazon.com/bedrock/latest/userguide/
// claude-messages-adaptive-thinking.html; of Amazon Nova 2
// docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html (stored
// copies), all read 2026-12-01. Not confirmed: reasoning_effort, and reasoningConfig
// of type disabled.
const (
	// ThinkingEffort: an effort is sent as outputConfig.effort; off, which it does not
	// take, is left out with a Notice.
	ThinkingEffort Thinking = iota
	// ThinkingAdaptive: the same beside thinking of type adaptive, or disabled for
	// off.
	ThinkingAdaptive
	// ThinkingBudget: thinking of type enabled with budget_tokens; an effort is sent
	// as a budget (minimal 1,024, low 2,048, medium 8,192, high 16,384, xhigh and max
	// 32,000, always below maxTokens).
	ThinkingBudget
	// ReasoningConfig: reasoningConfig with maxReasoningEffort.
	ReasoningConfig
	// ReasoningEffort: reasoning_effort.
	ReasoningEffort
)

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
