package cohere

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// Prices returns bounds of what two of Cohere's models cost with a production key, by
// "cohere:<model>". The table is new for each call. A model that is not in it has no
// price; add yours with [price.Merge].
//
// Cohere bills fewer tokens (usage.billed_units) than it counts (usage.tokens), and a
// Usage holds what it counts: the rates of its list are the most that a reply may have
// cost. So that nobody takes that for a cost, each price has a rate for what is written
// to a cache too, which Cohere never tells: [price.Price.Cost] does not know then, and
// a caller charges what [price.Price.AtMost] says, as an estimate. Reads of the cache
// are bounded by the whole rate.
//
// Sources, stored copies read 2026-12-01, of cohere.com/pricing: as captured on
// 2026-11-11 docs.flexprice.io/cookbooks/pricing-teardowns/cohere-pricing, for Command
// R 08-2024; as of June 2026 developer.puter.com/tutorials/cohere-api-pricing, which
// agrees, for Command R7B. Not in the table: Command A Reasoning, which is free up to a
// rate limit and sold by Model Vault beyond it (docs.cohere.com/docs/
// command-a-reasoning), and all others, whose price for a token was not confirmed.
func Prices() price.Table {
	return price.Table{
		Provider + ":command-r-08-2024":   bound(150_000, 600_000, "2026-11-11"),
		Provider + ":command-r7b-12-2024": bound(37_500, 150_000, ""),
	}
}

// bound returns a price, per million tokens, that gives a bound and no cost.
func bound(input, output events.Micros, asOf string) price.Price {
	return price.Price{
		Input: price.PerMillion(input), CacheRead: price.AsWhole(), CacheWrite: price.PerMillion(input),
		Output: price.PerMillion(output), AsOf: asOf,
	}
}
