package validator

// A Rule is the stable id of one rule of the grammar, "G01" to "G19".
type Rule string

// The rules. What each one says is in [Rules].
const (
	G01 Rule = "G01"
	G02 Rule = "G02"
	G03 Rule = "G03"
	G04 Rule = "G04"
	G05 Rule = "G05"
	G06 Rule = "G06"
	G07 Rule = "G07"
	G08 Rule = "G08"
	G09 Rule = "G09"
	G10 Rule = "G10"
	G11 Rule = "G11"
	G12 Rule = "G12"
	G13 Rule = "G13"
	G14 Rule = "G14"
	G15 Rule = "G15"
	G16 Rule = "G16"
	G17 Rule = "G17"
	G18 Rule = "G18"
	G19 Rule = "G19"
)

// A Definition is one row of the table of rules.
type Definition struct {
	ID       Rule
	Sentence string
}

// Rules returns the table of rules in the order of their ids. The slice is the
// caller's.
func Rules() []Definition {
	return []Definition{
		{G01, "the first event is Started"},
		{G02, "Started comes once"},
		{G03, "nothing follows Completed or Failed"},
		{G04, "the stream ends with Completed or Failed"},
		{G05, "an index is 0..Limits.Index, taken in order, and belongs to one kind of block"},
		{G06, "ToolCallStarted opens a new index, with a non-empty id and name"},
		{G07, "ids of tool calls are unique within the response"},
		{G08, "ToolArgumentsDelta, ToolCallCompleted and ToolCallInvalid name an open call"},
		{G09, "the end of a call repeats the id and name of its start"},
		{G10, "if there were fragments, joined they equal the completed arguments"},
		{G11, "completed arguments are one JSON object within the bounds of events.CheckArguments"},
		{G12, "Completed leaves no call open"},
		{G13, "Completed with tool_use has a completed or reported call; with end, stop_sequence, unknown or other it has none"},
		{G14, "a delta is not empty, is valid UTF-8, and is at most Limits.DeltaBytes"},
		{G15, "a citation names a text block that exists, a hosted result an open hosted tool"},
		{G16, "counts, sizes and totals stay inside the limits"},
		{G17, "a known count of usage is 0..2^53-1"},
		{G18, "Failed carries a failure with a kind; Completed carries none"},
		{G19, "an event carries exactly what its kind requires"},
	}
}

// Sentence returns what the rule says, or the empty string for an unknown id.
func (r Rule) Sentence() string {
	for _, d := range Rules() {
		if d.ID == r {
			return d.Sentence
		}
	}
	return ""
}
