package compatible

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// Prices returns what some models of the endpoints of [Preset] cost, by
// "<provider>:<model>", dated ids by the rule of [price.For]. The table is new for
// each call. Look at AsOf before you rely on a price: some are of last year. A model
// that is not in it has no price; add yours with [price.Merge]. Where the source has
// no rate for cached input, a reply that reports some has no price.
//
// Sources, stored copies read 2026-11-30: providers/*/models of
// github.com/anomalyco/models.dev. AsOf is the day on which it read the provider's
// page where it tells that, else the file's last_updated, which may be the day of the
// model. Grok 4.6 and 4.7 have neither: it is the day of
// apidog.com/blog/how-to-use-grok-4-7-api, which has the same rates, and the long
// prompts from 200,000 tokens on.
//
// Left out: DeepSeek, whose prices halve outside its peak hours
// (api-docs.deepseek.com/quick_start/pricing, a stored copy without a date), for
// which a price has no word; grok-4.20 and grok-build-0.1, of which two copies
// differ; gpt-oss of Fireworks, of which docs.fireworks.ai/serverless/pricing
// differs; Mistral Large 4, at half its price in a preview without an end; Together's
// DeepSeek models and GLM-5.3, without a day; zai-glm-4.7 of Cerebras, listed as
// free. Nor has any service tier but the standard one a price.
func Prices() price.Table {
	table := price.Table{}
	for _, r := range []struct {
		asOf, provider           string
		input, output, cacheRead events.Micros // untold is below 0
		models                   []string
		long                     int64 // the longest prompt at these rates; 0: of any length
	}{
		{"2026-05-27", "groq", 150_000, 600_000, 75_000, []string{"openai/gpt-oss-120b"}, 0},
		{"2026-05-27", "groq", 75_000, 300_000, 37_500, []string{"openai/gpt-oss-20b"}, 0},
		{"2026-08-29", "groq", 800_000, 4_000_000, 400_000, []string{"qwen/qwen3.8-27b"}, 0},
		{"2026-09-29", "xai", 2_000_000, 6_000_000, 500_000, []string{"grok-4.7", "grok-4.6"}, xaiLong},
		{"2026-06-29", "xai", 2_000_000, 6_000_000, 500_000, []string{"grok-4.5"}, xaiLong},
		{"2026-05-01", "xai", 1_250_000, 2_500_000, 200_000, []string{"grok-4.3"}, xaiLong},
		{"2026-08-27", "mistral", 1_500_000, 7_500_000, untold, []string{"mistral-medium-3-5", "mistral-medium-3.5"}, 0},
		{"2025-12-02", "mistral", 500_000, 1_500_000, untold, []string{"mistral-large-2512"}, 0},
		{"2026-08-27", "mistral", 300_000, 900_000, 30_000, []string{"codestral-2508"}, 0},
		{"2026-08-27", "mistral", 200_000, 200_000, 20_000, []string{"ministral-14b-2512"}, 0},
		{"2026-08-27", "mistral", 150_000, 150_000, 15_000, []string{"ministral-8b-2512"}, 0},
		{"2026-08-27", "mistral", 100_000, 100_000, 10_000, []string{"ministral-3b-2512"}, 0},
		{"2026-07-27", "together", 3_000_000, 15_000_000, 300_000, []string{"moonshotai/Kimi-K3"}, 0},
		{"2026-06-14", "together", 950_000, 4_000_000, 190_000, []string{"moonshotai/Kimi-K2.7-Code"}, 0},
		{"2026-04-21", "together", 1_200_000, 4_500_000, 200_000, []string{"moonshotai/Kimi-K2.6"}, 0},
		{"2026-06-16", "together", 1_400_000, 4_400_000, 260_000, []string{"zai-org/GLM-5.2"}, 0},
		{"2026-09-26", "fireworks", 950_000, 4_000_000, 190_000, []string{"accounts/fireworks/models/kimi-k2p7-code"}, 0},
		{"2026-04-17", "fireworks", 950_000, 4_000_000, 160_000, []string{"accounts/fireworks/models/kimi-k2p6"}, 0},
		{"2026-08-29", "fireworks", 1_400_000, 4_400_000, 260_000, []string{"accounts/fireworks/models/glm-5p3"}, 0},
		{"2026-04-07", "fireworks", 1_400_000, 4_400_000, 260_000, []string{"accounts/fireworks/models/glm-5p1"}, 0},
		{"2026-06-12", "fireworks", 300_000, 1_200_000, 60_000, []string{"accounts/fireworks/models/minimax-m3"}, 0},
		{"2026-09-03", "cerebras", 990_000, 1_490_000, untold, []string{"qwen-3.8-27b"}, 0},
	} {
		p := ratesOf(r.input, r.output, r.cacheRead)
		p.AsOf = r.asOf
		if r.long > 0 {
			p.Long = []price.Tier{{Above: r.long, Price: ratesOf(2*r.input, 2*r.output, 2*r.cacheRead)}}
		}
		for _, model := range r.models {
			table[r.provider+":"+model] = p
		}
	}
	return table
}

const (
	// untold is no rate, as of [price.PerMillion].
	untold = events.Micros(-1)
	// xaiLong is the longest prompt at xAI's lower price; those of 200,000 tokens
	// and more cost twice as much.
	xaiLong = 199_999
)

func ratesOf(input, output, cacheRead events.Micros) price.Price {
	return price.Price{Input: price.PerMillion(input), Output: price.PerMillion(output), CacheRead: price.PerMillion(cacheRead)}
}
