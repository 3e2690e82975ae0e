// Package price says what tokens cost and computes the cost of a reply. It
// fetches no prices and keeps no registry: who has a table hands it over.
//
//	prices := price.Merge(anthropic.Prices(), price.Table{
//		"openai:gpt-5": {
//			Input:     price.PerMillion(1_250_000),
//			CacheRead: price.PerMillion(125_000),
//			Output:    price.PerMillion(10_000_000),
//		},
//	}, price.Free("ollama:llama3"))
//	p, err := price.For(prices, model.Name())
//	...
//	cost, err := p.Cost(reply.Usage())
//	if err != nil {
//		most, err := p.AtMost(reply.Usage()) // a bound: not all was reported
//		...
//	}
//
// A [Table] maps names of models to a [Price]; a price has a [Rate] per kind of
// token, in microdollars per million tokens, which is the figure that providers
// print in dollars, times a million ([ParseDollars]). Where it differs, a price
// also tells what long prompts cost ([Tier]), what the provider's service tiers
// cost ([Price.In]) and what it was on other days ([Price.On]):
//
//	p, err := price.ForReply(prices, model.Name(), reply.Start().Model)
//	p, err = p.On(dispatchedAt)
//	p, err = p.In(reply.ServiceTier())
//
// Guarantees:
//
//   - What is missing is unknown and never zero: a model, a rate, a count, a
//     service tier, a day. Free is said with [Free].
//   - A cost is exact: computed in 128 bits and rounded up once, to a whole
//     microdollar. It saturates and never wraps around.
//   - A cost that is not known is an error that says which part is missing
//     ([Unknown]), not a guess. [Price.AtMost] gives a bound, and only to who asks.
//   - A model is priced by its own entry or, by the one rule of [For], by that of
//     its name without the date; never by that of a model with a similar name.
//
// What the provider itself says that a reply costs is [events.Completion.Cost],
// exact text beside the rounded figure; which of the two a call is charged is for
// package caller/charge.
package price
