package conformance

// A Clause is one numbered sentence of the contract that [providers.Model] is.
type Clause struct {
	// ID is M01, M02 and so on, and never changes.
	ID string
	// Sentence is what an adapter keeps.
	Sentence string
}

// Clauses returns the contract, in order: the list in the documentation of
// [github.com/weirsdk/weir/providers.Model], each clause on one line.
func Clauses() []Clause {
	return []Clause{
		{m01, `Name is "<provider>:<model>", not empty, and always the same.`},
		{m02, "Spec answers at once, without I/O."},
		{m03, "Stream returns at once: nothing is sent, no goroutine is started and nothing is held before the stream is ranged."},
		{m04, "A stream is single-use: ranging it again sends nothing and yields Started, Failed{invalid_request/stream_used, not_sent}."},
		{m05, "The stream obeys the grammar of package validator: Started first, one terminal last, nothing after it."},
		{m06, "A request that the model cannot take is Failed{invalid_request, not_sent} before anything is sent; the request is never written to."},
		{m07, "Completed comes only after the provider's own terminal evidence. A body that ends or breaks before it is Failed."},
		{m08, "A tool call is completed only with arguments that are one whole JSON object, byte for byte as the provider sent them."},
		{m09, "A count that the provider did not report is unknown, never zero. (Where the reported whole is the sum of its parts, an absent part is none.)"},
		{m10, "The same bytes give the same events however they are split."},
		{m11, "Every way out of the loop (the end, break, panic, runtime.Goexit, cancellation) closes the response body once and leaves no goroutine. Panics and Goexits of the consumer are not recovered."},
		{m12, "Cancelling the context, or a clock of it (package cancel), ends the stream with Failed{cancelled} or Failed{timed_out}, whose chain holds the cause of the context."},
		{m13, "A failure says how far the request got, by evidence: not_sent only when no byte can have left."},
		{m14, "No credential is in any failure, notice or printed form, nor in any event but in what the model itself says."},
		{m15, "What is read is bounded; more is Failed{invalid_reply/too_large}. So is the wait for accounting after the terminal evidence."},
		{m16, "Unknown frames, fields and words of the provider are passed over or kept raw; they fail nothing."},
		{m17, "What the model says is told once, whole and in its order, or, where that cannot be, the stream is Failed: texts, thinking, calls, sources, counts, and beside weir's word for the stop the provider's own."},
		{m18, "A refusal of the provider, by status or inside a stream, is Failed with the kind and reason that its code says, its status and words, and the wait that it asks for."},
		{m19, "What the request says reaches the provider, with every number as it was written, or is refused or told by a Notice: texts, tools, schemas, parameters, calls and results."},
		{m20, "What the provider needs to get its own turn back (Completion.Data, ToolCall.Replay) goes back to it unchanged in the next request."},
	}
}

const (
	m01 = "M01"
	m02 = "M02"
	m03 = "M03"
	m04 = "M04"
	m05 = "M05"
	m06 = "M06"
	m07 = "M07"
	m08 = "M08"
	m09 = "M09"
	m10 = "M10"
	m11 = "M11"
	m12 = "M12"
	m13 = "M13"
	m14 = "M14"
	m15 = "M15"
	m16 = "M16"
	m17 = "M17"
	m18 = "M18"
	m19 = "M19"
	m20 = "M20"
)

// sentence returns the sentence of a clause.
func sentence(id string) string {
	for _, c := range Clauses() {
		if c.ID == id {
			return c.Sentence
		}
	}
	return ""
}
