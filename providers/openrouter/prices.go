package openrouter

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// Prices returns what some models cost through OpenRouter, by
// "openrouter:<vendor>/<model>", dated ids by the rule of [price.For]. The table is
// new for each call.
//
// OpenRouter tells of each reply what it costs, and that is what a call is charged.
// The table is only needed so that a run with a limit on cost can reserve. So its
// prices are of the dearest listed upstream as far as that is told, else of
// OpenRouter's own listing; the source has the listing alone. Another upstream
// may be dearer, and models of open weights, which many serve, are left out. A
// model that is not in the table has no price, nor has one with a variant (":nitro");
// add yours with [price.Merge].
//
// Where the source has a dearer price for long prompts it holds from 200,000
// tokens on. What it does not tell has no rate: audio, and a cache kept for an hour.
// Gemini's cache writes are left out: the figure is below the input's, so it cannot
// be all that such a token costs.
//
// Source: providers/openrouter/models of github.com/anomalyco/models.dev, stored
// copies read 2026-11-30. AsOf is the file's last_updated, which for most is the day
// of the model; the copy may be later. Left out as well: what no copy read has a day for
// (Opus 4.8, GPT-5.5), Grok 4.7, listed below xAI's own price, GPT-5 nano, whose
// cache reads differ from OpenAI's, and GPT-5.4, Gemini 2.5 Pro and Grok 4.5, of
// which it is not clear whether long prompts are dearer.
func Prices() price.Table {
	table := price.Table{}
	for _, r := range []struct {
		asOf, model string
		rates       price.Price
		long        *price.Price
	}{
		{"2026-09-28", "anthropic/claude-sonnet-5.5", claude(2_000_000, 10_000_000), nil},
		{"2026-02-17", "anthropic/claude-sonnet-4.6", claude(3_000_000, 15_000_000), new(claude(6_000_000, 22_500_000))},
		{"2025-09-29", "anthropic/claude-sonnet-4.5", claude(3_000_000, 15_000_000), new(claude(6_000_000, 22_500_000))},
		{"2025-10-15", "anthropic/claude-haiku-4.5", claude(1_000_000, 5_000_000), nil},
		{"2025-11-13", "openai/gpt-5.1", ratesOf(1_250_000, 10_000_000, 130_000), nil},
		{"2025-08-07", "openai/gpt-5-mini", ratesOf(250_000, 2_000_000, 25_000), nil},
		{"2025-04-14", "openai/gpt-4.1", ratesOf(2_000_000, 8_000_000, 500_000), nil},
		{"2024-07-18", "openai/gpt-4o-mini", ratesOf(150_000, 600_000, 75_000), nil},
		{"2026-09-02", "google/gemini-3.8-flash", ratesOf(1_500_000, 7_500_000, 150_000), nil},
		{"2026-04-30", "x-ai/grok-4.3", ratesOf(1_250_000, 2_500_000, 200_000), new(ratesOf(2_500_000, 5_000_000, 400_000))},
	} {
		p := r.rates
		p.AsOf = r.asOf
		if r.long != nil {
			p.Long = []price.Tier{{Above: longest, Price: *r.long}}
		}
		table[Provider+":"+r.model] = p
	}
	return table
}

// longest is the longest prompt at the lower price. Some copies have the threshold as
// "min", so that a prompt of exactly 200,000 tokens is a long one.
const longest = 199_999

func ratesOf(input, output, cacheRead events.Micros) price.Price {
	return price.Price{Input: price.PerMillion(input), Output: price.PerMillion(output), CacheRead: price.PerMillion(cacheRead)}
}

// claude returns the rates of an Anthropic model. Of each that is listed a cache read
// costs a tenth of the input, and a cache write of five minutes 1.25 times the input.
func claude(input, output events.Micros) price.Price {
	p := ratesOf(input, output, input/10)
	p.CacheWrite = price.PerMillion(input * 5 / 4)
	return p
}
