// Package messageswire is the Anthropic Messages wire family: it spells a
// prepared request as the body of a Messages call, and turns the frames of the
// streamed answer into events. It is pure: it sends nothing, knows no endpoint,
// key or price, and holds no clock, context or goroutine. Adapters do that.
//
// # The wire
//
// A reply is message_start, then per content block content_block_start,
// content_block_delta and content_block_stop, then message_delta with the stop
// reason and the counts, then message_stop; ping may come anywhere, and error
// ends it (anthropic-sdk-go v1.60 and its issues, read August to October 2026, and
// recordings). How the decoder reads it:
//
//   - The index of a block is a key, not a position: gaps are nothing, and a
//     start on an index whose block is still open ends that block (Ollama
//     0.17.4 does this when a tool call follows thinking).
//   - A stop reason in a message_delta, or message_stop, is the terminal
//     evidence. A body that ends before is truncated, whatever it called
//     complete until then. A second stop reason that is another one is
//     malformed; the same again, or none, is accounting.
//   - A tool call is complete when its block ends and its arguments are one JSON
//     object. What is not complete then is judged by the stop reason: cut by it,
//     or broken. A call that got neither arguments nor an end has none under
//     tool_use, and is broken under anything else.
//   - Counts are cumulative and replace earlier ones field by field.
//     input_tokens leaves the cached parts out; they are added. So is what
//     compacting the history cost, which is told apart (usage.iterations).
//   - Frames, blocks and deltas of unknown kinds are passed over with a Notice.
//
// # Sending a turn back
//
// Signed thinking, redacted thinking and the provider's own tool blocks must
// come back exactly, in their places. Completion.Data keeps them, see [Format], and
// with them the container in which the provider's code waits, which the next request
// must name.
//
// Where another model went on (fallbacks), what the declining one thought and called
// does not go back; its calls are not told either, for which those of a request that
// asks for fallbacks wait for the end of the reply.
package messageswire
