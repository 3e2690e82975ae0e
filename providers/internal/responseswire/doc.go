// Package responseswire is the OpenAI Responses wire family: it spells a prepared
// request as the body of a Responses call, and turns the frames of the streamed
// answer into events. It is pure: it sends nothing, knows no endpoint, key or price,
// and holds no clock, context or goroutine. Adapters do that.
//
// # The wire
//
// A response is a list of output items: messages, reasoning, calls of functions, uses
// of the provider's own tools. A stream tells response.created, then per item
// response.output_item.added, its pieces, and response.output_item.done with the item
// whole, then one of response.completed, response.incomplete, response.failed, or
// error (openai-go v3.52 and its issues, read August to October 2026, openai-python,
// and recordings). How the decoder reads it:
//
//   - output_index is the key of an item; an id is one only where there is no index.
//   - Each text part is a block of its own, as is each part of a reasoning summary.
//   - What a frame that ends something says again is compared, and what did not come
//     in pieces is said then: some servers send no pieces, some nothing but the end.
//   - A call is complete when its item is done and its arguments are one JSON
//     object. What is not complete then is judged by the end of the response: cut by
//     it, or broken. Arguments that differ from their pieces are malformed.
//   - The terminal frame alone is the evidence that a response has ended. Its status
//     is the raw stop, or the reason why it is incomplete. The wire has no word for a
//     stop that calls tools: the items say it.
//   - Items, frames, parts and sources of unknown kinds are passed over with a Notice;
//     an unknown item is kept to be sent back. Speech is of these: no model speaks in
//     this API (developers.openai.com/api/docs/models/gpt-audio.md, read 2026-12-01).
//   - A custom tool takes free text; its call's arguments are {"input": text}.
//   - The service tier is how the response was asked ("auto") until its end tells which
//     one served it. One that is queued first, of background, is read on as any other.
//
// Uses of the provider's own tools are told as hosted tools, whatever they are: an item
// whose type ends in _call, an MCP server's list of tools and its question for approval,
// and what a vendor marks as its own. They go back byte for byte, and so do their
// outputs and the summary of a compaction. An image is a medium besides; those that come
// before it is whole, which are sent to who asks for them, are passed over.
//
// Shells, patches, computers and searches for tools that the client is to run are told as
// hosted tools without an outcome: weir has no way to declare or to answer them.
//
// # Vendors
//
// What a vendor of the API does in its own way is a field of [Profile], and each vendor
// that is known a row of [Vendors], with its sources. What is sent to one is what its
// documents have a word for; the rest is left out with a Notice, or refused of a strict
// request. Data of a turn goes back only to where it is from: encrypted reasoning of
// another origin is foreign.
//
// # Sending a turn back
//
// Nothing is stored at the provider (store is false), so each turn takes its items
// along, see [Format]: reasoning with its encrypted content, in its place before the
// item that it led to, with the ids and members that they came with.
package responseswire
