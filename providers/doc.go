// Package providers is the port: the interface [Model] that every adapter
// implements and everything above is written against.
//
//	model, err := openai.New(openai.Config{Key: key, Model: "gpt-5"})
//	...
//	for ev := range model.Stream(ctx, request.Request{
//		Messages: []request.Message{request.UserText("Hello")},
//	}) {
//		if ev.Kind == events.TextDelta {
//			fmt.Print(ev.Text)
//		}
//		if err := ev.Err(); err != nil {
//			return err
//		}
//	}
//
// The doc comment of Model is the contract, as numbered clauses. An adapter is
// thin: it encodes the request, names the endpoint, and leaves the exchange to
// package transport. [Secret] keeps credentials out of every printer; [WithTap]
// lets a recorder see the raw bytes of a reply, and a [Scrubber] keeps the
// credentials out of what it stores. A [TokenSource] gives credentials that expire.
// What a model can do besides is an interface of its own, like [ModelLister] and
// [TokenCounter], and [As] finds it behind wrappers.
//
// The package does not retry, meter or price; that is the caller's job. It holds
// no registry of providers: import the adapters that you use.
package providers
