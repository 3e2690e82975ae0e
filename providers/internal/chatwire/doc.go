// Package chatwire speaks the language of OpenAI's Chat Completions, which many
// providers share: it spells a prepared request as a body and turns the frames
// of a streamed answer into events. It sends nothing and knows no vendor by name
// outside one table ([ProfileFor]).
//
// The package is pure: no context, clock, goroutine or socket.
//
//	body, err := chatwire.Encode("gpt-5", prepared, profile)
//	decoder := chatwire.NewDecoder(prepared, profile)
//
// What a vendor does differently is a named field of its [Profile]. The zero
// Profile is the tolerant default: it takes every spelling that does not
// contradict another one.
//
// Guarantees of the decoder:
//
//   - One text, one thinking and one refusal block, opened by their first piece;
//     each tool call has a block of its own.
//   - A tool that the provider ran is a block of its own, and over with its results, at
//     the latest with the finish_reason. Pictures are media where they come, speech is
//     one piece of media at the end.
//   - A tool call starts when its name can no longer grow and ends only with the
//     provider's finish_reason or [DONE]: arguments that happen to parse end
//     nothing.
//   - The evidence that a reply has ended is a finish_reason or [DONE]. A body
//     that ends before is a failure, one that breaks after is not.
//   - A delta costs no allocation of its own.
//
// Sources: openai-go v3.52 and OpenAI's docs, read August to October 2026, and
// recordings of streams; the quirks of others are cited where they are read.
package chatwire
