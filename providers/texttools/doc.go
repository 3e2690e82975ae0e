// Package texttools gives tools to a model that has none: it puts them into the
// system prompt, reads the calls out of the text while it streams, and tells the
// results as text.
//
//	inner, err := ollama.New(ollama.Config{Model: "gemma3"})
//	...
//	model, err := texttools.New(inner)
//	...
//	for ev := range model.Stream(ctx, req) { // tool calls as from any other model
//
// A [Model] wraps any providers.Model and keeps the same contract. Loops, callers
// and recorders see no difference: calls are started, streamed and completed,
// their ids are minted, the reply stops with tool_use.
//
// # The language
//
// A call is a fenced block on lines of its own; its first line names the tool, and
// what is inside is the arguments, byte for byte:
//
//	```tool_call get_weather
//	{"city": "Oslo"}
//	```
//
// A result is told in a user message as such a block of tool_result, a tool's
// failure as one of tool_error, in the order of the calls. Calls of earlier turns
// stand in the history as the model would have written them.
//
// Models are sloppy, and this much is taken as it is meant: spaces before a fence,
// arguments on the first line, a closing fence at the end of their last line, a
// next block that begins on the line of a closing fence, no closing fence at the
// end of the reply, no arguments at all. A block without a name is an object with
// "name" and "arguments" or "parameters". Words after the name are passed over.
// Nothing is repaired beyond that: where the arguments are not one JSON object the
// call is ToolCallInvalid, and the reply Failed with bad_tool_arguments, as of a
// model with tools; where the output limit cut a block the call is
// ToolCallInvalid and the reply stays Completed with length. A tool that nobody
// declared is for the guard to refuse (validator.ForRequest), as of any model.
//
// A block inside another block of code is text, as in Markdown, and so is one that
// does not begin its line. White space next to a block is not part of the text. What a
// line is has to show in its first 1,024 bytes, and a closing fence at its end in its
// last run of backticks and white space of as many: what is found never depends on how
// the text came.
//
// The range of a source is that of a text of the inner model's: behind a call in it, or
// where it goes on after another, the source has none.
//
// # What it does with a request
//
// Tools, ToolChoice and Parallel become words; the model may not keep to them. A
// structured answer beside tools is asked for in words too, because a model that
// is held to a schema cannot write a block. Everything else goes to the inner
// model as it is, provider data of a turn (Message.Data) included. That of a call
// (ToolCall.Replay) has no place in a text and is foreign. A request without tools
// and without calls in its history is not touched.
//
// The package adds no request, retries nothing, and does no I/O of its own. It
// takes the words of the prompt for what they are: a document that tells the model
// to write a block is as dangerous as with any other model with tools.
package texttools
