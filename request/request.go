package request

// A Request is one model call, the same for every provider. It is plain data,
// immutable once handed over: adapters never write to it, and neither may you
// while a stream made from it is in use. The zero Request has no message and is
// refused by every model.
type Request struct {
	// System is the system prompt; empty for none.
	System string
	// Messages is the conversation, oldest first.
	Messages []Message
	// Tools are the tools that the model may call.
	Tools []Tool
	// HostedTools are tools that the provider runs itself, a web search for one.
	HostedTools []HostedTool
	// Citations asks for an answer that names its sources among the files of the
	// request, where a provider does so only when asked. What cites unasked needs no
	// word, what cannot is told by a Notice. It is refused beside an Answer, as
	// providers refuse it: the JSON of one has no place for them.
	Citations bool
	// ToolChoice says whether the model may, must or must not call a tool; the
	// zero value leaves it to the model.
	ToolChoice ToolChoice
	// Parallel allows (true) or forbids (false) several calls in one reply; nil
	// leaves it to the provider.
	Parallel *bool
	// Answer asks for an answer that is one JSON object of a schema; the zero
	// Answer asks for none. A model that cannot be asked in its own way is asked in
	// words, at the end of System, with a Notice. What its own way cannot express
	// is told by a Notice too. Of the text that comes, see Answer.Check.
	Answer Answer
	// MaxOutputTokens caps the reply, thinking included; 0 sets no cap (families
	// that must have one send the model's own maximum or their default).
	MaxOutputTokens int
	// Temperature and TopP are sampling parameters; nil leaves them to the model.
	Temperature, TopP *float64
	// Stop are sequences that end the reply.
	Stop []string
	// Seed asks for repeatable sampling; nil for none.
	Seed *int64
	// Effort is how hard the model should think; empty leaves it to the model.
	Effort Effort
	// ThinkingBudget caps the thinking in tokens, where a model takes a number;
	// nil leaves it to Effort. Where only one of the two is taken it goes first, but
	// beside EffortOff there is nothing to cap; a Notice tells either.
	ThinkingBudget *int
	// Strict refuses the request where something would otherwise be left out or
	// clamped with a Notice, empty texts and MaxOutputTokens included.
	Strict bool
	// Foreign says what to do with ProviderData of another provider.
	Foreign Foreign
	// Cache says what of the prompt the provider is asked to keep for later requests.
	Cache Cache
	// Extra is a raw JSON object for each wire family ("chat", "messages",
	// "ollama" ...) that is merged last into the body. It cannot override
	// messages or tools.
	Extra map[string]string
	// Correlation travels to observers, never to the provider, and is not part
	// of the canonical request.
	Correlation Correlation
	// Options is for the caller; leave it zero.
	Options Options
}

// Correlation names what a call belongs to. All parts are optional.
type Correlation struct {
	Run, Turn, Actor, Purpose string
}

// Options carries what the caller has learned about a provider.
type Options struct {
	// Without lists features that the provider refused before and that are
	// therefore left out ([FeatureTools] ...).
	Without []string
}

// Features that a provider may refuse, as named by events.Failure.Feature and
// Options.Without.
const (
	FeatureTools          = "tools"
	FeatureParallelTools  = "parallel_tools"
	FeatureEffort         = "effort"
	FeatureTemperature    = "temperature"
	FeatureMaxTokensField = "max_tokens_field"
	FeatureAnswerSchema   = "answer_schema"
	FeatureStreamOptions  = "stream_options"
	FeatureCache          = "cache"
	FeatureWebSearch      = "web_search"
)

// Foreign says what an adapter does with ProviderData that another provider or
// format wrote.
type Foreign string

const (
	// ForeignRefuse, the default, refuses the request before anything is sent.
	ForeignRefuse Foreign = ""
	// ForeignDrop leaves the data out and sends a Notice.
	ForeignDrop Foreign = "drop"
)

// ToolChoice says whether the model may call tools. The zero value is auto.
type ToolChoice struct {
	// Mode is auto, none, required or one named tool.
	Mode ToolMode
	// Name is the tool that must be called, with ToolNamed.
	Name string
}

// ToolMode is the mode of a ToolChoice.
type ToolMode string

// The modes.
const (
	ToolAuto     ToolMode = ""
	ToolNone     ToolMode = "none"
	ToolRequired ToolMode = "required"
	ToolNamed    ToolMode = "named"
)
