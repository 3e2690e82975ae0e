// Package events is the vocabulary of a model's reply: the events that every
// provider's stream is translated into, and the one failure type.
//
// A stream of events reads well in a switch:
//
//	for ev := range model.Stream(ctx, req) {
//		switch ev.Kind {
//		case events.TextDelta:
//			fmt.Print(ev.Text)
//		case events.Failed:
//			return ev.Err()
//		}
//	}
//
// An [Event] is a value of 32 bytes; a delta (the hot path) allocates nothing.
// Rare payloads are read with accessors that say whether they apply
// ([Event.Call], [Event.Usage], [Event.Completion], [Event.Failure] ...) and
// return copies, so that no reader changes what another one sees.
//
// Every error of weir is or wraps a [Failure]. Ask it by kind and reason, never
// by text; [AsFailure] gives all it knows:
//
//	if errors.Is(err, &events.Failure{Kind: events.RateLimited}) {
//		...
//	}
//	if f, ok := events.AsFailure(err); ok && f.Retryable() {
//		wait(f.RetryAfter)
//	}
//
// The words, the same in every package:
//
//   - thinking: visible reasoning or its summary (wire names vary);
//   - tool call: a call the client is to execute; hosted tool: one that the
//     provider runs itself;
//   - block: a piece of the response named by an index, of one kind: text,
//     thinking, refusal, tool call, hosted tool or media;
//   - terminal: the last event of a stream, Completed or Failed;
//   - minted: made by the adapter because the provider gave nothing usable.
//
// Guarantees:
//
//   - An unknown count is not zero: the zero [Count] is unknown, all the way.
//   - What the provider said and what was inferred are told apart: raw stop
//     reason, raw usage, minted ids, inconsistent usage.
//   - A [Failure] made here holds no raw body, header, query, credential or SDK
//     error, and its detail is bounded.
//
// The package imports nothing of weir and does no I/O. The order in which the
// events may come is the job of package validator; folding them into a reply is
// the job of package stream.
package events
