package caller

import (
	"math"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/request"
)

const (
	maxMicros   = events.Micros(math.MaxInt64)
	unknownCost = ledger.UnknownCost
)

// A quote is what an attempt may cost, before it is sent.
type quote struct {
	price    price.Price
	priced   bool
	reserved events.Micros
}

// quote prices the estimate of an attempt, at the most that it can cost. A service tier
// that the request's extras name has to be in the price; "auto", where the account
// decides, reserves the dearest one.
func (c *Caller) quote(model string, req request.Request, estimate events.Usage) quote {
	p, err := price.For(c.config.Prices, model)
	if err == nil {
		p, err = p.On(time.Now())
	}
	if err != nil {
		return quote{}
	}
	estimate.Output = events.Known(estimate.Output.Or(0))
	base := p
	tier := serviceTier(req)
	if tier != "auto" {
		p, err = p.In(tier)
	}
	if err != nil {
		return quote{}
	}
	most, err := p.AtMost(estimate)
	if err != nil {
		return quote{}
	}
	if tier == "auto" {
		most = max(most, dearest(p, estimate))
	}
	return quote{price: base, priced: true, reserved: most}
}

// dearest returns the most that u costs in any service tier that the price lists.
func dearest(p price.Price, u events.Usage) events.Micros {
	var most events.Micros
	for name := range p.Service {
		tier, err := p.In(name)
		if err != nil {
			continue
		}
		if cost, err := tier.AtMost(u); err == nil {
			most = max(most, cost)
		}
	}
	return most
}

// A cost is what an attempt is charged in money.
type cost struct {
	micros, known events.Micros
	certainty     charge.Certainty
	text          string
}

// costOf prices a charge: the provider's own figure, else by the model that answered,
// on the day and in the service tier of the reply.
func (a *attempt) costOf(c charge.Charge) cost {
	switch {
	case c.Certainty == charge.None:
		return cost{certainty: charge.None}
	case c.Cost != nil:
		return cost{micros: c.Cost.Micros, known: c.Cost.Micros, certainty: charge.Provider, text: c.Cost.Text}
	}
	p, certainty, ok := a.priceOfReply(c)
	if !ok {
		return cost{certainty: unknownCost}
	}
	known := floor(p, c.Known)
	micros, err := p.Cost(c.Usage)
	if err != nil {
		certainty = weaker(certainty, charge.Estimated)
		micros, err = p.AtMost(c.Usage)
	}
	if err != nil {
		micros = a.quote.reserved
		if !a.quote.priced {
			certainty = unknownCost
		}
	}
	if certainty == unknownCost {
		micros = max(micros, dearest(p, c.Usage), a.quote.reserved)
	}
	return cost{micros: micros, known: min(known, micros), certainty: certainty}
}

// priceOfReply returns the price of the reply and how certain a cost by it is at best. In
// a service tier that the price does not list nobody knows the cost; the dearest tier is
// charged then.
func (a *attempt) priceOfReply(c charge.Charge) (p price.Price, certainty charge.Certainty, ok bool) {
	p, err := price.ForReply(a.session.caller.config.Prices, a.facts.Model, a.start.Model)
	if err == nil {
		p, err = p.On(a.dispatched)
	}
	if err != nil {
		return a.quote.price, charge.Estimated, a.quote.priced
	}
	service := a.start.Metadata["service_tier"]
	if end, _ := a.charge.Terminal.Completion(); end.ServiceTier != "" {
		service = end.ServiceTier
	}
	tier, err := p.In(service)
	if err != nil {
		return p, unknownCost, true
	}
	return tier, c.Certainty, true
}

// floor returns what the tokens that were certainly used cost at least; 0 when that
// cannot be told.
func floor(p price.Price, known events.Usage) events.Micros {
	known.Input = events.Known(known.Input.Or(0))
	known.Output = events.Known(known.Output.Or(0))
	micros, err := p.Cost(known)
	if err != nil {
		return 0
	}
	return micros
}
