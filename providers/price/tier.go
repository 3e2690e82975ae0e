package price

import "github.com/weirsdk/weir/events"

// A Tier is what a request with a long prompt costs: all of it, the output too,
// not only the tokens beyond the threshold.
type Tier struct {
	// Above is the threshold in tokens of the whole prompt, cached and written
	// ones included: a prompt of exactly so many is not above it. 0 or more.
	Above int64
	// Price has the rates, and the service tiers that requests of this length can
	// have. Its own Long, From, Before and AsOf mean nothing.
	Price Price
}

// tier returns the price of a request whose prompt is that long: of the tiers
// that it is above, the highest.
func (p Price) tier(input events.Count) Price {
	n, above, held := input.Or(0), int64(-1), p
	for _, t := range p.Long {
		if n > t.Above && t.Above > above {
			above, held = t.Above, t.Price
		}
	}
	return held
}

// maxRatio bounds both numbers of a Multiplier, so that a cost fits 128 bits.
const maxRatio = 1_000_000

// A Multiplier is an exact ratio, Num / Den: {1, 2} is half the price. Both are 1
// to 1,000,000; any other is unknown.
type Multiplier struct {
	Num, Den int64
}

func (m Multiplier) isKnown() bool {
	return m.Num > 0 && m.Num <= maxRatio && m.Den > 0 && m.Den <= maxRatio
}

// In returns the price in a service tier, by the provider's name for it in the
// reply ("default", "flex", "priority" ...). An empty name, where the provider
// told none, is the price as it stands, and so are "default" and "standard", the
// providers' names for no tier in particular, where they are not listed. Of another tier that the price does not list
// the error is a *events.Failure of kind limit and reason unpriced; when only
// some lengths of the prompt are listed for it, the others have no rates. What is
// free is free in every tier.
func (p Price) In(service string) (Price, error) {
	if service == "" || p.isFree() {
		return p, nil
	}
	m, listed := p.Service[service]
	if !listed && isStandard(service) && p.chosen == (Multiplier{}) {
		return p, nil
	}
	if !m.isKnown() {
		return Price{}, unpriced("no price for the service tier " + service)
	}
	long := make([]Tier, len(p.Long))
	for i, t := range p.Long {
		rates, _ := t.Price.In(service)
		long[i] = Tier{Above: t.Above, Price: rates}
	}
	p.chosen, p.Long, p.Service = m, long, nil
	return p, nil
}

// isStandard reports whether a name is that of the ordinary tier: "default" of OpenAI
// (service_tier in its API reference) and "standard" of Anthropic (usage.service_tier),
// stored copies read 2026-11-30.
func isStandard(service string) bool { return service == "default" || service == "standard" }
