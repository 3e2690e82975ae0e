package wirejson

import (
	"math/big"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
)

// Dollars reads an amount of dollars, rounded up to a whole microdollar; nil when v
// is nil or no such amount.
func Dollars(v *fastjson.Value) *events.Cost {
	if v == nil || v.Type() != fastjson.TypeNumber {
		return nil
	}
	text := Raw(v)
	if len(text) > 40 || strings.ContainsAny(text, "xXpPnNiI_/-") && !strings.Contains(strings.ToLower(text), "e-") {
		return nil
	}
	if e := strings.IndexAny(text, "eE"); e >= 0 && len(text)-e > 4 {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || r.Sign() < 0 {
		return nil
	}
	return costOf(r, text)
}

// Sum returns what two amounts that [Dollars] read come to, exactly; nil when one of
// them is.
func Sum(a, b *events.Cost) *events.Cost {
	if a == nil || b == nil {
		return nil
	}
	x, okX := new(big.Rat).SetString(a.Text)
	y, okY := new(big.Rat).SetString(b.Text)
	if !okX || !okY {
		return nil
	}
	x.Add(x, y)
	digits, _ := x.FloatPrec()
	return costOf(x, x.FloatString(digits))
}

// Ticks reads a whole number of ticks, of which a dollar has ten thousand million (xAI:
// docs.x.ai/developers/cost-tracking, read 2026-12-01); nil when v is nil or no such
// number.
func Ticks(v *fastjson.Value) *events.Cost {
	const aDollar = 10_000_000_000
	n, err := Count("ticks", v)
	if err != nil || !n.IsKnown() {
		return nil
	}
	dollars := big.NewRat(n.Or(0), aDollar)
	digits, _ := dollars.FloatPrec()
	return costOf(dollars, dollars.FloatString(digits))
}

func costOf(dollars *big.Rat, text string) *events.Cost {
	dollars.Mul(dollars, big.NewRat(1_000_000, 1))
	micros, rest := new(big.Int).QuoRem(dollars.Num(), dollars.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		micros.Add(micros, big.NewInt(1))
	}
	if !micros.IsInt64() {
		return nil
	}
	return &events.Cost{Micros: events.Micros(micros.Int64()), Text: text}
}
