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
//
// A [Table] maps names of models to a [Price]; a price has a [Rate] per kind of
// token, in microdollars per million tokens, which is the figure that providers
// print in dollars, times a million ([ParseDollars]).
//
// Guarantees:
//
//   - What is missing is unknown and never zero: a model, a rate, a count. Free
//     is said with [Free].
//   - A cost is exact: computed in 128 bits and rounded up once, to a whole
//     microdollar. It saturates and never wraps around.
//   - A cost that is not known is an error that says which part is missing
//     ([Unknown]), not a guess. What to charge then is the caller's to decide.
//
// Prices by prompt size, service tier or date of effect are not here yet.
package price
