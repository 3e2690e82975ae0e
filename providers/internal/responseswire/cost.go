package responseswire

import (
	"strings"

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

// tickDigits are the decimals of a tick.
const tickDigits = 10

// read returns the cost that a usage tells, nil for none.
func (c CostSpelling) read(usage *fastjson.Value) *events.Cost {
	switch c {
	case CostDollars:
		return wirejson.Dollars(usage.Get("cost"))
	case CostTotal:
		return wirejson.Dollars(usage.Get("cost", "total_cost"))
	case CostTicks:
		return ticks(usage.Get("cost_in_usd_ticks"))
	default:
		return nil
	}
}

// ticks reads a whole number of ticks as dollars.
func ticks(v *fastjson.Value) *events.Cost {
	n, err := wirejson.Count("cost_in_usd_ticks", v)
	if err != nil || !n.IsKnown() {
		return nil
	}
	digits := wirejson.Raw(v)
	if strings.Trim(digits, "0123456789") != "" {
		return nil
	}
	if missing := tickDigits + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	at := len(digits) - tickDigits
	const ticksPerMicro = 10_000
	micros := n.Or(0) / ticksPerMicro
	if n.Or(0)%ticksPerMicro > 0 {
		micros++
	}
	return &events.Cost{
		Micros: events.Micros(micros),
		Text:   strings.TrimSuffix(strings.TrimRight(digits[:at]+"."+digits[at:], "0"), "."),
	}
}
