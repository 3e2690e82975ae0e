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
//   - cancelled or abandoned after dispatch, or a panic or Goexit in the
//     consumer's loop: ambiguous
//
// Guarantees:
//
//   - Every attempt has a row, and a terminal that was read decides it, however
//     the loop was left.
//   - Final counts that were reported are never charged lower, nor is an ambiguous
//     attempt below its estimate or below what was reported.
//   - A count that nobody reported is estimated or stays unknown; it is never 0.
//   - Arithmetic saturates at [events.MaxCount].
//
// Money is not here. The provider's own cost rides along as [Charge.Cost];
// otherwise the caller prices Charge.Usage with package providers/price. What to
// do after a failure (retry, fall back) is the caller's too.
package charge
