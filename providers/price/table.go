package price

import (
	"maps"

	"github.com/weirsdk/weir/events"
)

// A Table holds prices by the name of the model, "<provider>:<model>". A nil
// Table knows none. Do not change a table that is shared.
type Table map[string]Price

// A Price is what one model's tokens cost. The zero Price knows nothing.
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
	// AsOf is the day on which the provider's price list was read, YYYY-MM-DD;
	// empty when not told.
	AsOf string
}

// For returns the price of the model of that name. When the table has none the
// error is a *events.Failure of kind limit and reason unpriced.
func For(t Table, name string) (Price, error) {
	p, ok := t[name]
	if !ok {
		return Price{}, events.NewFailure(events.LimitReached, events.ReasonUnpriced, "no price for the model "+name)
	}
	return p, nil
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
