// Package charge decides what one attempt of a call is charged, in tokens, from
// what is known when it is over. It is pure: no clock, no ledger, no price.
//
//	attempt := charge.Attempt{Estimate: charge.EstimateOf(req)}
//	for ev := range model.Stream(ctx, req) {
//		attempt.Observe(ev)
//	}
//	c := charge.Settle(attempt)
//	// c.Usage is charged, c.Known is certain, c.Status and c.Certainty say why.
//
// The rule is a table whose rows are tried from the top. A Completed costs what
// the provider reported, and what it did not report is estimated. What certainly
// was not served costs nothing. Everything else is ambiguous: the provider may
// have served it, so the attempt is charged the larger, count by count, of the
// conservative estimate and what was reported until then. [Charge.Outcome] names
// the row.
//
//   - Completed, the provider reports its own cost: ok, provider
//   - Completed, usage sane: ok, exact
//   - Completed, usage inconsistent: ok, the larger reading, estimated
//     (or as if unusable, with [Refuse])
//   - Completed, usage partly or wholly unknown: ok, estimated
//   - Completed, usage unusable: error, the estimate; no reply
//   - Failed, not_sent: error, nothing
//   - Failed, a definite HTTP error before any stream: error, nothing
//   - Failed, a 200 that is no stream but the provider's error: error, nothing
//   - Failed, with final usage reported: error, exact
//   - Failed after a 2xx began: ambiguous
//   - Failed, maybe_sent, no answer: ambiguous
//   - cancelled or abandoned, where billing stops when the client hangs up: ambiguous,
//     less output than the cap
//   - cancelled or abandoned after dispatch, or a panic or Goexit in the
//     consumer's loop: ambiguous
//
// Guarantees:
//
//   - Every attempt has a row, and a terminal that was read decides it, however
//     the loop was left.
//   - Final counts that were reported are never charged lower, nor is an ambiguous
//     attempt below what was reported, or below its estimate but for the output of one
//     that was cut off.
//   - A count that nobody reported is estimated or stays unknown; it is never 0.
//   - Arithmetic saturates at [events.MaxCount].
//
// Money is not here. The provider's own cost rides along as [Charge.Cost];
// otherwise the caller prices Charge.Usage with package providers/price. What to
// do after a failure (retry, fall back) is the caller's too.
//
// # A client that hangs up
//
// Most providers do not say whether they go on, and bill, when a client hangs up: a
// stop button costs the whole cap then. Where the provider says that it stops
// ([events.Start.BillingStops]), the output is what arrived, at a token for three bytes, and
// what may have been generated without being read: a thousand tokens for each second of
// [Attempt.Unread], and a thousand while the hang-up was on its way. Both numbers are
// assumptions, high ones. It is never more than the cap, and never less than was
// reported. The cap holds all the same
//
//   - where what arrived says little: the model thinks, or may think for all that is
//     known ([Attempt.AllShown]), or made media;
//   - where the stream broke or a clock ran out: a hang-up may not arrive then;
//   - without an answer: nobody has said who serves it.
//
// It stays ambiguous and estimated, because a word of documentation is no bill.
package charge
