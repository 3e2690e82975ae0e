// Package stream is one reply in progress: making a lazy stream of events,
// folding it into a reply, and passing it on.
//
//	reply, err := stream.Collect(model.Stream(ctx, req))
//	fmt.Println(reply.Text(), reply.Outcome(), reply.Usage().Output)
//	if err != nil {
//		return err // an *events.Failure; reply has what came before it
//	}
//
// A [Stream] is an iter.Seq of events: range it, or hand it to whatever takes an
// iterator. Everything is pushed on the ranging goroutine; there is no goroutine,
// channel or buffer between the loop body and what makes the events.
//
//	events  ->  New  ->  Tap, Coalesce  ->  for range, Text, Collect (Reply)
//
// To show a reply as it arrives and have the fold afterwards, do both in one
// loop:
//
//	var reply stream.Reply
//	for ev := range s {
//		reply.Add(ev)
//		if ev.Kind == events.TextDelta {
//			fmt.Print(ev.Text)
//		}
//	}
//	req.Messages = append(req.Messages, reply.Turn())
//
// Guarantees of a stream made by [New]:
//
//   - Nothing happens before it is ranged, and what happens, happens once.
//   - Every way out of the loop (end, break, panic, runtime.Goexit) unwinds
//     through the maker's defers on the same goroutine.
//   - A panic of the maker becomes Failed; a panic of the loop body stays what
//     it is.
//   - Nothing is yielded after the terminal, or after the consumer has left.
//
// Laws of the fold ([Reply]):
//
//   - Total: every prefix of every stream folds, and no method panics.
//   - The text is the concatenation of the text deltas in order of arrival;
//     thinking and refusal likewise.
//   - Only the completed calls of a reply that ended with tool_use are
//     executable.
//   - A stream that fails gives the partial reply beside the error, with the
//     usage so far.
//
// The package does not check the grammar (package validator does), keeps no
// clock, does no I/O and retries nothing. Package stream/sse carries a stream to
// a browser.
package stream
