package openai

import (
	"github.com/weirsdk/weir/providers/price"
)

// Prices returns what some of OpenAI's models cost, by "openai:<model>", dated ids
// by the rule of [price.For]. The table is new for each call. It is short on
// purpose: it holds the models whose rates, all of them, could be read in OpenAI's
// own pages, and the standard service tier. A model that is not in it has no price;
// add yours with [price.Merge].
//
// Source: the models' pages below developers.openai.com/api/docs/models, read
// 2026-11-30 in stored copies without a date: gpt-5.1 (zh-Hans), gpt-5-mini
// (ko-KR), gpt-5-nano.md, gpt-4.md, gpt-3.5-turbo.md. The last two list no rate for
// cached input, which those models do not report.
func Prices() price.Table {
	m := price.PerMillion
	return price.Table{
		Provider + ":gpt-5.1":       standard(price.Price{Input: m(1_250_000), CacheRead: m(125_000), Output: m(10_000_000)}),
		Provider + ":gpt-5-mini":    standard(price.Price{Input: m(250_000), CacheRead: m(25_000), Output: m(2_000_000)}),
		Provider + ":gpt-5-nano":    standard(price.Price{Input: m(50_000), CacheRead: m(5_000), Output: m(400_000)}),
		Provider + ":gpt-4":         standard(price.Price{Input: m(30_000_000), Output: m(60_000_000)}),
		Provider + ":gpt-3.5-turbo": standard(price.Price{Input: m(500_000), Output: m(1_500_000)}),
	}
}

// standard returns the price with the name of the service tier that it is of.
func standard(p price.Price) price.Price {
	p.Service = map[string]price.Multiplier{"default": {Num: 1, Den: 1}}
	return p
}
