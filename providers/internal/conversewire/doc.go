// Package conversewire is the wire family of Amazon Bedrock: it spells a prepared
// request as the body of a ConverseStream call and turns the messages of the
// streamed answer into events. It also unwraps the answers of
// InvokeModelWithResponseStream, which carry another family's frames, see
// [NewChunkDecoder]. It is pure: it sends nothing, knows no endpoint, credential or
// price, and holds no clock, context or goroutine. Adapters do that.
//
// # The wire
//
// A reply is messageStart, then the content blocks, then messageStop with the stop
// reason, then metadata with the counts; an exception ends it
// (github.com/aws/aws-sdk-go-v2/service/bedrockruntime v1.63.13, read 2026-12-01,
// and recordings). How the decoder reads it:
//
//   - Only blocks that call a tool, hold a hosted tool's result or an image have a
//     start; texts and thinking begin with their first delta. A delta of another
//     kind on the same index begins another block.
//   - messageStop is the terminal evidence, metadata the end. A second stop reason
//     that is another one is malformed.
//   - A tool call is complete when its block ends and its arguments are one JSON
//     object. What is not complete then is judged by the stop reason: cut by it,
//     or broken.
//   - inputTokens leaves the cached parts out; they are added.
//   - A citation belongs to the text of its block, which may follow it; in a block
//     without text (Amazon Nova) it belongs to the text before.
//   - Messages, blocks and deltas of unknown kinds are passed over with a Notice.
//
// # Sending a turn back
//
// Signed and encrypted reasoning, the uses of hosted tools and citations come back
// exactly, in their places. Completion.Data keeps them, see [Format].
package conversewire
