package price

import (
	"math"
	"strings"

	"github.com/weirsdk/weir/events"
)

// A Rate is the price of one kind of token, in microdollars per million tokens.
// The zero Rate is unknown, which is not free.
type Rate struct {
	micros  int64
	known   bool
	asWhole bool
}

// PerMillion returns the rate of m for a million tokens; PerMillion(0) is free.
// There are no negative rates: one is unknown.
func PerMillion(m events.Micros) Rate {
	if m < 0 {
		return Rate{}
	}
	return Rate{micros: int64(m), known: true}
}

// AsWhole returns the rate of a part that costs what the rest of its whole
// costs: of the cached part of a prompt, the input rate.
func AsWhole() Rate { return Rate{asWhole: true} }

// Get returns the rate and whether it is known. That of [AsWhole] is not.
func (r Rate) Get() (perMillion events.Micros, known bool) { return events.Micros(r.micros), r.known }

// orWhole returns r, or [AsWhole] when r is unknown.
func (r Rate) orWhole() Rate {
	if r.known {
		return r
	}
	return AsWhole()
}

// isFree reports whether any number of tokens costs nothing.
func (r Rate) isFree() bool { return r.known && r.micros == 0 }

const (
	// decimals is how many digits a microdollar stands behind the dollar's point.
	decimals = 6
	// maxDigits is how many digits the largest int64 has; any number of so many
	// fits a uint64.
	maxDigits = 19
)

// ParseDollars reads an amount of dollars as a price list prints it ("5",
// "4.41", "$0.50") and rounds it to the nearest microdollar, halves up. Dollars
// for a million tokens give the argument of [PerMillion]. Signs, exponents,
// separators of thousands, NaN, infinities, and amounts of 2^63 microdollars or
// more are refused with a *events.Failure of kind invalid_request and reason
// bad_config.
func ParseDollars(s string) (events.Micros, error) {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(s, "$"), ".")
	if whole == "" && fraction == "" || !areDigits(whole) || !areDigits(fraction) {
		return 0, badDollars(s, "is no amount of dollars")
	}
	fraction += strings.Repeat("0", decimals+1)
	digits := strings.TrimLeft(whole+fraction[:decimals], "0")
	if len(digits) > maxDigits {
		return 0, badDollars(s, "is too much")
	}
	var micros uint64
	for _, d := range []byte(digits) {
		micros = micros*10 + uint64(d-'0')
	}
	if fraction[decimals] >= '5' {
		micros++
	}
	if micros > math.MaxInt64 {
		return 0, badDollars(s, "is too much")
	}
	return events.Micros(micros), nil
}

func areDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func badDollars(s, what string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, `"`+events.CutText(s, 40)+`" `+what)
}
