package price

import "github.com/weirsdk/weir/events"

// AtMost returns the most that u may have cost, where [Price.Cost] says that it
// does not know: tokens of unreported kinds cost what the dearest kind costs that
// they may be of, and tokens that may be of two kinds at once cost both. Where
// Cost knows, AtMost is the same. Prompt and output have to be known, and what
// was counted has to have a rate; else the error is [Unknown], as of Cost.
//
// It is a bound, not a cost: say so where it is shown.
func (p Price) AtMost(u events.Usage) (events.Micros, error) {
	if p.isFree() {
		return 0, nil
	}
	p = p.tier(u.Input)
	var t total
	if err := t.addMost(p.input(u)); err != nil {
		return 0, err
	}
	if err := t.addMost(p.output(u)); err != nil {
		return 0, err
	}
	return t.micros(p.chosen), nil
}

// A group is the parts of one whole that are disjoint from each other.
type group struct {
	counted int64 // tokens of its parts that were reported
	open    bool  // some part with a rate was not
}

// addMost adds the reported parts at their rates, and all tokens that may be of
// another kind at the dearest rate of those.
func (t *total) addMost(whole part, parts []part) error {
	all, known := whole.count.Get()
	if !whole.isSane() {
		return &Unknown{whole.name, BadCount}
	}
	if !known {
		return &Unknown{whole.name, NoCount}
	}
	var plain, media group
	dearest := whole.rate
	for _, p := range parts {
		own := &plain
		if p.media {
			own = &media
		}
		if p.isOpen() {
			own.open = true
			dearest = dearest.orDearer(p.rate)
			continue
		}
		n, err := p.apart(all == 0)
		if err != nil {
			return err
		}
		own.counted += n
		t.add(n, p.rate)
	}
	rest := all - settled(plain, media)
	if rest > 0 && !whole.rate.known {
		return &Unknown{whole.name, NoRate}
	}
	if plain.counted > all || media.counted > all {
		return &Unknown{whole.name, BadCount}
	}
	t.add(rest, dearest)
	return nil
}

// settled returns how many tokens are certainly of no other kind than one that
// was counted. The two groups may overlap (cached audio), so the larger one
// counts; where a group is open, any token outside it may be of its open kind.
func settled(a, b group) int64 {
	n := max(a.counted, b.counted)
	if a.open {
		n = min(n, a.counted)
	}
	if b.open {
		n = min(n, b.counted)
	}
	return n
}

// isOpen reports whether the part has a rate and nobody reported its count.
func (p part) isOpen() bool { return p.rate.known && !p.count.IsKnown() }

// orDearer returns the dearer of r and another known rate.
func (r Rate) orDearer(other Rate) Rate {
	if other.micros > r.micros {
		return other
	}
	return r
}
