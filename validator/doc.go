// Package validator holds a stream of events to the grammar: which events may
// come in which order, with what, and how much of it.
//
//	for ev := range validator.Guard(model.Stream(ctx, req), validator.ForRequest(req)) {
//		switch ev.Kind {
//		case events.TextDelta:
//			fmt.Print(ev.Text)
//		case events.Failed:
//			return ev.Err()
//		}
//	}
//
// A [Validator] is the automaton: it is fed events by [Validator.Observe] and
// answers nil or a *[Violation]. [Guard] is the automaton around a stream: valid
// events pass as they are, a violation becomes the terminal Failed. With
// [ForRequest] a guard also checks each completed tool call against the tools
// that the request declares; [WithPolicy] says what becomes of the reply then.
//
// A reply is made of blocks, each with an index: text, thinking and refusal are
// opened by their first delta and may be resumed until the end; a tool call and
// a hosted tool are opened by their start and closed by their end; media are a
// block each. Blocks may interleave.
//
//	Started ( blocks, citations, usage, notices )* Completed
//	                                             | Failed
//
// The rules, by their stable ids (also [Rules]):
//
//   - G01: the first event is Started
//   - G02: Started comes once
//   - G03: nothing follows Completed or Failed
//   - G04: the stream ends with Completed or Failed
//   - G05: an index is 0..Limits.Index, taken in order, and belongs to one kind
//     of block
//   - G06: ToolCallStarted opens a new index, with a non-empty id and name
//   - G07: ids of tool calls are unique within the response
//   - G08: ToolArgumentsDelta, ToolCallCompleted and ToolCallInvalid name an
//     open call
//   - G09: the end of a call repeats the id and name of its start
//   - G10: if there were fragments, joined they equal the completed arguments
//   - G11: completed arguments are one JSON object within the bounds of
//     events.CheckArguments
//   - G12: Completed leaves no call open
//   - G13: Completed with tool_use has a completed or reported call; with end,
//     stop_sequence, unknown or other it has none
//   - G14: a delta is not empty, is valid UTF-8, and is at most
//     Limits.DeltaBytes
//   - G15: a citation names a text block that exists, a hosted result an open
//     hosted tool
//   - G16: counts, sizes and totals stay inside the limits
//   - G17: a known count of usage is 0..2^53-1
//   - G18: Failed carries a failure with a kind; Completed carries none
//   - G19: an event carries exactly what its kind requires
//
// Of G19 in particular: an event has the payload of its kind and no other; only
// deltas and ToolCallInvalid have a text; an event without a block has index 0;
// the start of a call has neither arguments nor replay; ToolCallInvalid has an
// issue, a hosted tool a name, media some data, a Notice a code, Completed one of
// the known stops; provider data with a value has a format.
//
// A rejected event leaves the state unchanged. A validator keeps no text: of a
// tool call its id and name, and the length and a 64-bit hash of its fragments.
// A delta costs no allocation; Started, the events of hosted tools, the ends of
// tool calls and the terminal may cost a few.
//
// [Limits] bounds everything that is counted. The validator never repairs: it
// does not fill in a missing end, reorder blocks or complete arguments. It does
// not judge what is said, reads no clock and starts no goroutine. Containing a
// panic of a stream is the job of package stream, folding events into a reply
// too.
package validator
