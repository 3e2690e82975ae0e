package anthropic

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// Prices returns what Anthropic's models cost, by "anthropic:<model>", dated ids
// by the rule of [price.For]. The table is new for each call. A model that is not
// in it has no price, so that it is never taken for another. Nor has any service
// tier but the standard one: a committed Priority Tier has no price per token.
//
// Not in the table, because the counts do not tell: inference in the US only
// (1.1 times), and what hosted tools cost for each use.
//
// Sources, read 2026-11-30, the pages in stored copies without a date. Input,
// output and cache reads: the table that github.com/joeylking/agent-runtime v0.5.0
// dates 2026-09-29. Cache writes, 1.25 and 2 times the input, and Opus 4.5:
// platform.claude.com/docs/en/about-claude/pricing. Sonnet 5.5 before its change:
// platform.claude.com/docs/zh-CN/models/sonnet-5-5/overview. Its cheaper cache
// reads since 2026-10-07, and Haiku 5.5 with its long prompts: the notes of
// github.com/kurofune/claudit v1.9.2 on the pricing page as of 2026-10-24, with
// which those of github.com/TheKrush/PromptFuel v1.0.23 agree.
func Prices() price.Table {
	const autumn, later = "2026-09-29", "2026-10-24"
	table := price.Table{}
	for _, r := range []struct {
		asOf                     string
		input, output, cacheRead events.Micros
		models                   []string
	}{
		{autumn, 10_000_000, 50_000_000, 250_000, []string{"fable-5-1", "mythos-5-1"}},
		{autumn, 10_000_000, 50_000_000, 1_000_000, []string{"fable-5", "mythos-5"}},
		{autumn, 4_000_000, 20_000_000, 200_000, []string{"opus-5-5"}},
		{autumn, 5_000_000, 25_000_000, 500_000, []string{"opus-5", "opus-4-8", "opus-4-7", "opus-4-6"}},
		{"", 5_000_000, 25_000_000, 500_000, []string{"opus-4-5"}},
		{autumn, 2_000_000, 10_000_000, 200_000, []string{"sonnet-5"}},
		{autumn, 3_000_000, 15_000_000, 300_000, []string{"sonnet-4-6"}},
		{autumn, 1_000_000, 5_000_000, 100_000, []string{"haiku-4-5"}},
		{later, 2_000_000, 10_000_000, 100_000, []string{"sonnet-5-5"}},
		{later, 100_000, 500_000, 10_000, []string{"haiku-5-5"}},
	} {
		for _, model := range r.models {
			p := ratesOf(r.input, r.output, r.cacheRead)
			p.AsOf = r.asOf
			table[Provider+":claude-"+model] = p
		}
	}
	sonnet := table[Provider+":claude-sonnet-5-5"]
	sonnet.From, sonnet.Before = "2026-10-07", []price.Price{ratesOf(2_000_000, 10_000_000, 200_000)}
	table[Provider+":claude-sonnet-5-5"] = sonnet
	haiku := table[Provider+":claude-haiku-5-5"]
	haiku.Long = []price.Tier{{Above: 100_000, Price: ratesOf(500_000, 2_500_000, 50_000)}}
	table[Provider+":claude-haiku-5-5"] = haiku
	return table
}

// ratesOf returns a price per million tokens; what is written to the cache costs
// 1.25 times the input for five minutes and twice the input for an hour.
func ratesOf(input, output, cacheRead events.Micros) price.Price {
	return price.Price{
		Input: price.PerMillion(input), Output: price.PerMillion(output),
		CacheRead: price.PerMillion(cacheRead), CacheWrite: price.PerMillion(input * 5 / 4), CacheWriteLong: price.PerMillion(input * 2),
		Service: map[string]price.Multiplier{"standard": {Num: 1, Den: 1}},
	}
}
