// Package cancel gives cancellation a reason and keeps the clocks of a call. It
// neither retries nor makes failures: who reads the reason does.
//
// A stop button, and the code that asks why:
//
//	scope := cancel.New(ctx)
//	defer scope.Close()
//	button.OnClick(func() { scope.Cancel(cancel.User) })
//	for ev := range model.Stream(scope.Context(), req) {
//		...
//	}
//
// A [Reason] is the cause of a context ([context.Cause]), so it passes through
// every layer that knows only contexts. [Scope] makes such contexts; [ReasonOf]
// and [Of] read any context.
//
// How long a call may wait is set on a context, for all calls under it:
//
//	ctx = cancel.WithClocks(ctx, cancel.Clocks{FirstToken: 30 * time.Second, Idle: 20 * time.Second})
//
// A [Watch] owns the four clocks of a call and travels in its context. The
// transport begins one for each attempt and tells it of waits, bytes and content.
// The clocks run only while somebody waits for the provider:
//
//	dispatch        first byte      first content        end of the reply
//	   |---- call -----------------------------------------------|
//	   |---- first token -----------------|
//	                    |---- idle (restarts with any byte) -----|
//	                                      |---- stall (content) -|
//
// Guarantees:
//
//   - The first reason wins and is kept; later ones change nothing.
//   - A clock fires only in a wait, and in no wait later than it is due.
//   - A wait costs no allocation, and a clock that is put off costs no timer.
//   - After Stop no timer and no context is left.
//
// The clocks do not bound the consumer's own code; a deadline of the user's
// context does.
package cancel
