package price

import "maps"

// A Table holds prices by the name of the model, "<provider>:<model>". A nil
// Table knows none. Do not change a table that is shared.
type Table map[string]Price

// A Price is what one model's tokens cost. The zero Price knows nothing. Do not
// change the slices and maps of a price that is shared.
type Price struct {
	// Input is the rate of the prompt, but for the parts that have their own.
	Input Rate
	// CacheRead, CacheWrite (kept five minutes) and CacheWriteLong (one hour)
	// are the rates of those parts of the prompt. Where they cost what the rest
	// of the prompt costs, say [AsWhole].
	CacheRead, CacheWrite, CacheWriteLong Rate
	// InputAudio is the rate of the prompt's audio.
	InputAudio Rate
	// InputImage is the rate of the prompt's images where they are priced apart;
	// without it they cost what the rest of the prompt costs.
	InputImage Rate
	// Output is the rate of what is generated, but for the parts that have their
	// own.
	Output Rate
	// Thinking is the rate of thinking where it is priced apart; without it
	// thinking costs what the rest of the output costs.
	Thinking Rate
	// OutputAudio and OutputImage are the rates of those parts of the output.
	OutputAudio, OutputImage Rate
	// Long are the rates of requests with a long prompt, in any order; nil when
	// the length makes no difference.
	Long []Tier
	// Service says what the service tiers that the provider names in its replies
	// cost, by that name, the standard one included; see [Price.In].
	Service map[string]Multiplier
	// From is the first day of this price, YYYY-MM-DD, and Before are the prices
	// of other days, in any order; see [Price.On]. Empty: it always held.
	From   string
	Before []Price
	// AsOf is the day on which the provider's price list was read, YYYY-MM-DD;
	// empty when not told.
	AsOf string

	chosen Multiplier // of the service tier; zero is once
}

// Free returns a table in which the models of those names cost nothing.
func Free(names ...string) Table {
	t := make(Table, len(names))
	zero := PerMillion(0)
	for _, name := range names {
		t[name] = Price{
			Input: zero, CacheRead: zero, CacheWrite: zero, CacheWriteLong: zero, InputAudio: zero, InputImage: zero,
			Output: zero, Thinking: zero, OutputAudio: zero, OutputImage: zero,
		}
	}
	return t
}

// Merge returns a table of all the models; of a model in several tables the
// last one's price holds, whole.
func Merge(tables ...Table) Table {
	merged := Table{}
	for _, t := range tables {
		maps.Copy(merged, t)
	}
	return merged
}
