// Package geminiwire is the wire family of Google's generateContent API, as it
// streams (streamGenerateContent): it spells a prepared request as a body and
// turns the frames of the answer into events. It is pure: it sends nothing, knows
// no endpoint, key or price, and holds no clock, context or goroutine. Adapters do
// that, for the Gemini API and for Gemini on Vertex AI.
//
// # The wire
//
// A frame is a whole GenerateContentResponse with the parts that are new: an SSE
// event, an element of one JSON array (what comes without alt=sse), or, of an
// error after the events, an object that stands bare in the body
// (go-genai v1.69 and its issues, read August to October 2026, and recordings).
// How the decoder reads it:
//
//   - Only the candidate of index 0 is read. Its parts have no indexes: text goes
//     on in the same block until a part of another kind or with a signature comes.
//   - A finishReason is the terminal evidence, and so is a blockReason of the
//     prompt. There is no end mark, and some proxies say STOP early: a finishReason
//     before any content, which content follows, was none, and a STOP before anything
//     that brings no counts waits for the end of the body. Content after any other
//     finishReason is malformed.
//   - A call comes whole, its arguments an object, or in values at paths
//     (partialArgs), which are written as one JSON text in the order in which they
//     come. It has no id, or one that the provider gave. finishReason is STOP for
//     calls too.
//   - Counts are cumulative, a later object replaces an earlier one. The prompt
//     includes what is cached and leaves out what tools brought in; the candidates
//     leave out the thoughts, unless the total says that they do not. A count that
//     is left out where the others make up the total is none.
//   - A passage that sources are cited for is told by bytes of the whole answer, and
//     handed on by those of its block of text, or of each that it is in.
//   - Unknown parts and members are passed over with a Notice or kept to go back.
//
// # Sending a turn back
//
// A thoughtSignature goes back on the part that it came on. Completion.Data keeps
// those of texts, and whole parts that have no block in a message (code that was
// run and its results, images, an empty text that only brings a signature), see
// [Format]; ToolCall.Replay keeps that of a call.
//
// A turn that paused (CONTINUATION) goes on from the same request with its token,
// without what it said; once it is over, its turns are one content. Google's Agent
// Development Kit sends what it said too (google/adk-go, read 2026-12-01), its SDKs and
// the documentation do not.
package geminiwire
