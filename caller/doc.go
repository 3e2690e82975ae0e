// Package caller meters the calls of a model: limits that hold, retries, fallbacks,
// structured answers, and an honest charge for every attempt. It speaks no wire and
// stores nothing: adapters and ledgers do.
//
//	c := caller.New(model, caller.Config{Prices: openai.Prices(), MaxRetries: 2})
//	run, err := c.OpenRun(ctx, caller.RunConfig{ID: "chat-42", Limits: caller.Limits{MaxCost: 2_000_000, MaxOutputTokensPerCall: 4_000}})
//	...
//	ctx = caller.WithRun(ctx, run)
//
// An agent folds. Beside an error the result has what came, and what it cost:
//
//	result, err := c.Generate(ctx, req)
//	fmt.Println(result.Reply.Text(), result.Cost, result.CostCertainty)
//
// A chat shows tokens as they arrive:
//
//	call := c.Stream(ctx, req)
//	for ev := range call.Events() {
//		if ev.Kind == events.TextDelta {
//			fmt.Print(ev.Text)
//		}
//	}
//	result, err := call.Result()
//
// A typed answer:
//
//	invoice, result, err := caller.As[Invoice](ctx, c, req)
//
// A provider may pause a long turn of hosted tools. That is a reply and no error, and
// nobody goes on by itself: each call is one that the limits see. Send it back as it is:
//
//	for result.Reply.Outcome() == stream.OutcomePaused {
//		req.Messages = append(req.Messages, result.Reply.Turn())
//		result, err = c.Generate(ctx, req)
//	}
//
// # One call
//
// A call is one or several attempts. Each is checked against what the model can do,
// reserved in the ledger at its conservative estimate, held to the grammar and to
// the request's tools, and settled before its terminal is handed on, by the table of
// package caller/charge, on every way out of the loop:
//
//	check -> reserve -> stream -> settle -> done
//	            ^                   |
//	            +---- wait <- retry, repeat without a refused feature, next model
//
// Retries follow the kind of the failure; a stream retries only while no content was
// delivered, so that a consumer sees one Started and no text twice. An attempt that
// broke after it was dispatched is ambiguous and charged the estimate. So is one that was
// cancelled or left, unless the provider says that it stops then and the model is known to
// show all that it generates: that one is charged what came, what may have been on its way
// ("A client that hangs up" in package caller/charge), and the estimated prompt.
//
// # Guarantees
//
//   - Nothing is sent before a stream is ranged, and nothing that is not reserved.
//   - What is spent and reserved stays inside the limits of the run, under any
//     concurrency (package caller/ledger).
//   - Every exit (the end, break, panic, runtime.Goexit, cancellation) settles each
//     attempt once. Panics of the consumer are not recovered.
//   - An error is nil exactly when the last attempt completed, and its structured
//     answer, if one was asked for, fits. A [Result] is there whenever an attempt was
//     made.
//   - Retry-After is a minimum and never shortened; a wait that cannot end in time is
//     not begun.
//   - Unknown is not zero: a cost that nobody knows has the certainty "unknown".
package caller
