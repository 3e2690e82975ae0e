package responseswire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// CostSpelling is where the usage of a reply says what it costs.
type CostSpelling uint8

const (
	// CostNone: it does not.
	CostNone CostSpelling = iota
	// CostDollars: cost, in US dollars, as OpenRouter.
	CostDollars
	// CostTotal: cost.total_cost, in US dollars, as Perplexity.
	CostTotal
	// CostTicks: cost_in_usd_ticks, ten thousand millions to the dollar, as xAI.
	CostTicks
)

// read returns the cost that a usage tells, nil for none.
func (c CostSpelling) read(usage *fastjson.Value) *events.Cost {
	switch c {
	case CostDollars:
		cost := wirejson.Dollars(usage.Get("cost"))
		if !usage.GetBool("is_byok") {
			return cost
		}
		// With a key of one's own it is OpenRouter's fee alone, see package chatwire.
		return wirejson.Sum(cost, wirejson.Dollars(usage.Get("cost_details", "upstream_inference_cost")))
	case CostTotal:
		return wirejson.Dollars(usage.Get("cost", "total_cost"))
	case CostTicks:
		return wirejson.Ticks(usage.Get("cost_in_usd_ticks"))
	default:
		return nil
	}
}
