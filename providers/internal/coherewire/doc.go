// Package coherewire is the wire family of Cohere's chat API, version 2: it spells
// a prepared request as the body of POST /v2/chat, and turns the frames of the
// streamed answer into events. It is pure: it sends nothing, knows no endpoint,
// key or price, and holds no clock, context or goroutine. Adapters do that.
//
// # The wire
//
// A reply is message-start, then content-start, content-delta and content-end for
// each block of text or thinking, tool-plan-delta for what the model says to itself
// before it calls tools, tool-call-start, tool-call-delta and tool-call-end for each
// call, citation-start and citation-end anywhere after the text, and message-end
// with the reason and the counts (docs.cohere.com/v2/docs/streaming and
// /reference/chat-stream, stored copies read 2026-12-01; the vendor's Python SDK;
// recordings). How the decoder reads it:
//
//   - message-end is the terminal evidence, and nothing after it is read: the
//     [DONE] that follows adds nothing. [DONE] alone is no evidence.
//   - Content and calls are numbered apart, each from 0. The index of a frame is a
//     key, not a position.
//   - The tool plan is thinking, in a block of its own.
//   - A tool call is complete when its tool-call-end came, or the reply went on, and
//     its arguments are one JSON object. No arguments at all, and the four letters
//     null, which Cohere sends for a tool without parameters (vercel/ai,
//     packages/cohere), are {}. What is not complete is judged by the reason.
//   - ERROR and TIMEOUT are reasons of a failure, whatever was said before.
//   - Counts come once, in message-end: those of usage.tokens are the model's,
//     cached and thinking tokens being parts of them. What is billed
//     (usage.billed_units) is less, because Cohere's own instructions are not; it
//     stays in the raw usage.
//   - A citation of several sources is one event for each. Those of the tool plan
//     have no text block to stand at, and are kept to be sent back only.
//   - Frames and blocks of unknown kinds are passed over with a Notice.
//
// # Sending a turn back
//
// Thinking, the tool plan and the citations are no blocks of a message, so
// Completion.Data keeps them, see [Format].
package coherewire
