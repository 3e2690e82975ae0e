package gemini

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// Prices returns what models of the Gemini API cost in its paid tier, by
// "gemini:<model>". The table is new for each call. A model that is not in it has no
// price, so that it is never taken for another; nor has any service tier that is not
// listed. Flex is half of all (ai.google.dev/gemini-api/docs/optimization, a stored copy
// read 2026-12-01); what priority costs is known of two models.
//
// Not in the table, because the counts do not tell: what is stored in an explicit
// cache, and searches.
//
// Sources: the notes of github.com/api-evangelist/deepmind on
// ai.google.dev/gemini-api/docs/pricing as of 2026-10-07 (input and output of 3.8
// and 3.5 Flash, 3.5 Flash-Lite and 3.1 Pro, input of 2.5 Pro and, with audio, 2.5
// Flash, output of 2.5 Flash-Lite); cache reads and the rest:
// github.com/anomalyco/models.dev, which agrees with it; of Gemini 4 Argon
// ai.google.dev/gemini-api/docs/generate-content/latest-model and github.com/BerriAI/litellm,
// discussion 46238; of Carbon the same, discussion 50970, and
// cursor.com/docs/models/gemini-4-carbon; of Neon and Hydrogen, and their priority tier,
// github.com/iyulab/TokenMeter, release 0.17.0, and dev.to/hassann (2026-11-19 and
// -13); of 3.1 Flash-Lite claw-planet.pages.dev/google/gemini-api/models (2026-05-15);
// all read 2026-12-01.
func Prices() price.Table {
	table := price.Table{}
	for model, p := range map[string]price.Price{
		"gemini-3.1-flash-lite":  audio(500_000, ratesOf(250_000, 1_500_000, -1)),
		"gemini-3.5-flash-lite":  ratesOf(300_000, 2_500_000, -1),
		"gemini-3-flash-preview": audio(1_000_000, ratesOf(500_000, 3_000_000, 50_000)),
		"gemini-2.5-flash":       audio(1_000_000, ratesOf(300_000, 2_500_000, 30_000)),
		"gemini-2.5-flash-lite":  audio(300_000, ratesOf(100_000, 400_000, 10_000)),
		"gemini-4-argon": changed("2026-12-01", ratesOf(4_000_000, 20_000_000, 200_000),
			ratesOf(2_000_000, 10_000_000, 100_000)),
		"gemini-4-carbon": changed("2026-12-01", ratesOf(4_000_000, 20_000_000, 200_000),
			ratesOf(2_000_000, 10_000_000, 100_000)),
		"gemini-4-neon":     prioritized(ratesOf(3_000_000, 15_000_000, 150_000)),
		"gemini-4-hydrogen": prioritized(ratesOf(1_500_000, 7_500_000, 75_000)),
		"gemini-3.8-flash": changed("2027-01-01", ratesOf(1_500_000, 7_500_000, 150_000),
			ratesOf(750_000, 3_750_000, 75_000)),
		"gemini-3.5-flash": ratesOf(1_500_000, 9_000_000, 150_000),
		"gemini-3.1-pro-preview": long(ratesOf(2_000_000, 12_000_000, 200_000),
			ratesOf(4_000_000, 18_000_000, 400_000)),
		"gemini-2.5-pro": long(ratesOf(1_250_000, 10_000_000, 125_000),
			ratesOf(2_500_000, 15_000_000, 250_000)),
	} {
		p.AsOf = asOf(model)
		table[Provider+":"+model] = p
	}
	return table
}

// ratesOf returns a price per million tokens, audio the same as text; a negative
// rate is not known. Nothing is charged for what an implicit cache writes.
func ratesOf(input, output, cacheRead events.Micros) price.Price {
	return price.Price{
		Input: price.PerMillion(input), Output: price.PerMillion(output), CacheRead: price.PerMillion(cacheRead),
		InputAudio: price.AsWhole(),
		Service:    map[string]price.Multiplier{"standard": {Num: 1, Den: 1}, "flex": {Num: 1, Den: 2}},
	}
}

// asOf returns the day on which the price of a model was read.
func asOf(model string) string {
	switch model {
	case "gemini-3.1-flash-lite":
		return "2026-05-15"
	case "gemini-4-argon":
		return "2026-10-13"
	case "gemini-4-carbon", "gemini-4-neon", "gemini-4-hydrogen":
		return "2026-12-01"
	default:
		return "2026-10-07"
	}
}

// prioritized is a price with that of the priority tier, 1.8 times as much.
func prioritized(p price.Price) price.Price {
	p.Service["priority"] = price.Multiplier{Num: 9, Den: 5}
	return p
}

// changed is a price since a day, and the one before it.
func changed(from string, now, before price.Price) price.Price {
	now.From, now.Before = from, []price.Price{before}
	return now
}

// long is a price with that of prompts of more than 200,000 tokens.
func long(short, above price.Price) price.Price {
	short.Long = []price.Tier{{Above: 200_000, Price: above}}
	return short
}

// audio is a price in which the audio of a prompt has one of its own.
func audio(input events.Micros, p price.Price) price.Price {
	p.InputAudio = price.PerMillion(input)
	return p
}
