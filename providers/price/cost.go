package price

import (
	"math"
	"math/bits"

	"github.com/weirsdk/weir/events"
)

// A Gap says why a cost is not known.
type Gap string

// The gaps.
const (
	// NoRate: tokens were used that the price has no rate for.
	NoRate Gap = "no_rate"
	// NoCount: nobody reported how many tokens of a priced kind were used.
	NoCount Gap = "no_count"
	// BadCount: the count is negative, above [events.MaxCount], or the parts are
	// more than their whole.
	BadCount Gap = "bad_count"
	// Overlap: tokens may be of two kinds that are priced apart (cached audio),
	// and nobody reported how many are.
	Overlap Gap = "overlap"
)

// Unknown is the error of a cost that is not known. It wraps a *events.Failure
// of kind limit and reason unpriced.
type Unknown struct {
	// Part is the kind of token, by its name in the canonical JSON of a usage:
	// "input", "cache_read" ...
	Part string
	// Gap is what is missing of it.
	Gap Gap
}

// Error returns part and gap.
func (u *Unknown) Error() string { return "cost unknown: " + u.Part + ": " + string(u.Gap) }

// Unwrap returns the failure.
func (u *Unknown) Unwrap() error {
	return unpriced(u.Error())
}

// A part is one kind of token, a whole or within a whole.
type part struct {
	name   string
	rate   Rate
	count  events.Count
	cached bool // read from or written to the cache
	media  bool // audio or images, which may be cached too
}

// Cost returns what u costs, rounded up to a whole microdollar and saturated. A
// price that is free costs nothing, whatever was counted. Else tokens without a
// rate, and counts that nobody reported of what has a rate, make it an [Unknown]
// error. A part that has no rate and was not reported is taken for absent, and
// so is every unreported part of nothing.
//
// So a price with a rate for the cache does not tell the cost of a usage without
// the cached count ([NoCount]), which many compatible servers leave out: some of
// the prompt may have cost less, or more. [Price.AtMost] then gives a bound. Who
// knows that nothing was cached says so with a count of 0 (events.Known(0)).
func (p Price) Cost(u events.Usage) (events.Micros, error) {
	if p.isFree() {
		return 0, nil
	}
	p = p.tier(u.Input)
	var t total
	if err := t.addWhole(p.input(u)); err != nil {
		return 0, err
	}
	if err := t.addWhole(p.output(u)); err != nil {
		return 0, err
	}
	return t.micros(p.chosen), nil
}

func (p Price) isFree() bool {
	for _, t := range p.Long {
		if !t.Price.isFree() {
			return false
		}
	}
	return areFree(p.input(events.Usage{})) && areFree(p.output(events.Usage{}))
}

func areFree(whole part, parts []part) bool {
	if !whole.rate.isFree() {
		return false
	}
	for _, part := range parts {
		if !part.rate.isFree() && !part.rate.asWhole {
			return false
		}
	}
	return true
}

func (p Price) input(u events.Usage) (whole part, parts []part) {
	return part{name: "input", rate: p.Input, count: u.Input}, []part{
		{name: "cache_read", rate: p.CacheRead, count: u.CacheRead, cached: true},
		{name: "cache_write", rate: p.CacheWrite, count: u.CacheWrite, cached: true},
		{name: "cache_write_long", rate: p.CacheWriteLong, count: u.CacheWriteLong, cached: true},
		{name: "input_audio", rate: p.InputAudio, count: u.InputAudio, media: true},
		{name: "input_image", rate: p.InputImage.orWhole(), count: u.InputImage, media: true},
	}
}

func (p Price) output(u events.Usage) (whole part, parts []part) {
	return part{name: "output", rate: p.Output, count: u.Output}, []part{
		{name: "thinking", rate: p.Thinking.orWhole(), count: u.Thinking},
		{name: "output_audio", rate: p.OutputAudio, count: u.OutputAudio},
		{name: "output_image", rate: p.OutputImage, count: u.OutputImage},
	}
}

// total is the cost so far, in millionths of a microdollar, as 128 bits. Ten
// products of a count and a rate are below 2^(53+63+4).
type total struct {
	high, low uint64
}

func (t *total) add(tokens int64, r Rate) {
	high, low := bits.Mul64(uint64(tokens), uint64(r.micros))
	var carry uint64
	t.low, carry = bits.Add64(t.low, low, 0)
	t.high, _ = bits.Add64(t.high, high, carry)
}

// micros multiplies and rounds up, once.
func (t *total) micros(m Multiplier) events.Micros {
	const million = 1_000_000
	if m == (Multiplier{}) {
		m = Multiplier{1, 1}
	}
	divisor := million * uint64(m.Den) // below 2^40
	if t.high >= 1<<40 {
		return math.MaxInt64 // 2^104 / 2^40 is above 2^63
	}
	high, low := bits.Mul64(t.low, uint64(m.Num))
	high += t.high * uint64(m.Num) // below 2^60 + 2^20
	if high >= divisor {
		return math.MaxInt64
	}
	quotient, rest := bits.Div64(high, low, divisor)
	if rest > 0 && quotient < math.MaxInt64 {
		quotient++
	}
	return events.Micros(min(quotient, math.MaxInt64))
}

// addWhole adds the parts that are priced apart, and the rest at the rate of the
// whole.
func (t *total) addWhole(whole part, parts []part) error {
	all, known := whole.count.Get()
	if !whole.isSane() {
		return &Unknown{whole.name, BadCount}
	}
	rest := all
	var cached bool
	for _, p := range parts {
		n, err := p.apart(known && all == 0)
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		if p.media && cached {
			return &Unknown{p.name, Overlap}
		}
		cached = cached || p.cached
		rest -= n
		t.add(n, p.rate)
	}
	return t.addRest(whole, rest, known)
}

func (t *total) addRest(whole part, rest int64, known bool) error {
	switch {
	case !known:
		return &Unknown{whole.name, NoCount}
	case rest < 0:
		return &Unknown{whole.name, BadCount}
	case rest > 0 && !whole.rate.known:
		return &Unknown{whole.name, NoRate}
	default:
		t.add(rest, whole.rate)
		return nil
	}
}

// apart returns how many tokens are to be priced apart from the whole.
func (p part) apart(wholeIsNothing bool) (int64, error) {
	n, known := p.count.Get()
	switch {
	case !p.isSane():
		return 0, &Unknown{p.name, BadCount}
	case p.rate.asWhole:
		return 0, nil
	case p.rate.known && known:
		return n, nil
	case p.rate.known && !wholeIsNothing:
		return 0, &Unknown{p.name, NoCount}
	case n > 0:
		return 0, &Unknown{p.name, NoRate}
	default:
		return 0, nil
	}
}

func (p part) isSane() bool {
	n := p.count.Or(0)
	return n >= 0 && n <= events.MaxCount
}
