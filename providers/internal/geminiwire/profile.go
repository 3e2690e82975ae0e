package geminiwire

// Format is the ProviderData format of this family. The value of a turn is a JSON
// object. Its member parts is the parts of the turn in order. A part that has
// no block in a message stands there as it came, or, where it may have a member slot of
// its own, as {"slot":"raw","part":...}; a text or a call, which are
// blocks of the message itself, is held by {"slot":"text"}, with the
// thoughtSignature that it came with, or {"slot":"call","id":...}. The member
// continuationToken is that of a turn that paused. The value of a call is an object
// with its thoughtSignature, and with the id that the provider gave where that is not
// the call's own or has to be told apart. The value of a search is an object with what
// the provider wants shown beside the answer, searchEntryPoint; it is not sent back.
const Format = "gemini.v1"

// ExtraKey is the key of the request's Extra that this family reads.
const ExtraKey = "gemini"

// MaxData bounds what is kept of a reply to send it back, in bytes.
const MaxData = 4 << 20

// A Thinking says how a model is told how hard to think.
type Thinking uint8

// The ways (docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking, a
// stored copy read 2026-12-01). The zero Thinking is the way of the newest models.
const (
	// ThinkingLevel: an effort is sent as thinkingLevel, off as a budget of 0. The
	// highest level is xhigh, of the newest models (docs.cloud.google.com/
	// gemini-enterprise-agent-platform/models/guides/gemini-4-hydrogen, a stored copy
	// read 2026-12-01).
	ThinkingLevel Thinking = iota
	// ThinkingBudget: the model knows no levels; an effort is sent as a budget of
	// tokens, in sizes of weir's own (minimal 1,024, low 2,048, medium 8,192, high
	// 16,384, xhigh 24,576, max 32,768, within the model's bounds).
	ThinkingBudget
)

// A Profile is what one host of the family, or one model, does its own way. The
// zero Profile fits the Gemini API and an unknown model.
type Profile struct {
	// Origin is the provider's name in ProviderData.
	Origin string
	// NoKey says that no credential is configured, so that a refusal of it says so.
	NoKey bool
	// Thinking says how an effort is spelled.
	Thinking Thinking
	// LeastBudget and MostBudget bound the thinking budget; 0: unknown. A budget of
	// 0 tokens, no thinking, is not bounded by LeastBudget.
	LeastBudget, MostBudget int
	// AnswerBesideTools says that a request may ask for a structured answer and
	// declare tools; other models refuse that, so they are asked in words.
	AnswerBesideTools bool
	// MediaResults says that the result of a tool may hold images; for other models
	// they follow the results as parts of their own.
	MediaResults bool
	// Hosted says how the model takes tools of the provider's beside declared ones.
	Hosted HostedTools
	// TypedFiles says that the host wants the media type of what it fetches. One that a
	// request leaves out is told by the end of its address, or the request is refused.
	TypedFiles bool
	// ExcludeDomains says that the web search can be kept off domains.
	ExcludeDomains bool
	// SignedCalls says that the model refuses a turn whose first call has no
	// signature. A call that another provider's model made has none, and is sent with
	// [placeholder].
	SignedCalls bool
	// OwnIDs says that the host takes ids of calls only where it gave them (Vertex
	// AI, which gives none); results then belong to calls by their order.
	OwnIDs bool
}

// HostedTools says how a model takes tools that the provider runs beside those that the
// request declares.
type HostedTools uint8

// The ways. The zero HostedTools is not known: both are sent.
const (
	HostedUnknown HostedTools = iota
	// HostedTold: the model takes both where it is asked to tell of each use
	// (toolConfig.includeServerSideToolInvocations).
	HostedTold
	// HostedAlone: the model refuses both together, so that the declared ones are sent.
	HostedAlone
)

// placeholder is what Google has clients send as the signature of a call that its
// models did not make, so that a history of other models is not refused (the FAQs of
// ai.google.dev/gemini-api/docs/thought-signatures, as public clients cite them, read
// 2026-12-01).
const placeholder = `"skip_thought_signature_validator"`
