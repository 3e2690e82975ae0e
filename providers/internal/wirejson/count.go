package wirejson

import (
	"math/big"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
)

// Count reads a count of tokens from the number's own text. Absent and null are
// unknown. What is not a whole number, is negative, or is larger than
// [events.MaxCount] is a failure of kind invalid_reply and reason
// unusable_usage that names the field.
func Count(field string, v *fastjson.Value) (events.Count, error) {
	if v == nil || v.Type() == fastjson.TypeNull {
		return events.Count{}, nil
	}
	if v.Type() == fastjson.TypeNumber {
		if n, err := v.Int64(); err == nil && n >= 0 && n <= events.MaxCount { // without an allocation
			return events.Known(n), nil
		}
		if n, ok := whole(Raw(v)); ok {
			return events.Known(n), nil
		}
	}
	return events.Count{}, events.NewFailure(events.InvalidReply, events.ReasonUnusableUsage,
		"usage field "+field+" is not a count: "+events.CutText(Raw(v), 64))
}

// whole returns the number that a literal spells when it is a whole number from
// 0 to MaxCount, however it is spelled (12, 12.0, 1.2e1).
func whole(literal string) (int64, bool) {
	var n int64
	for i, d := range []byte(literal) {
		if d < '0' || d > '9' || i > 15 {
			return wholeSlowly(literal)
		}
		n = n*10 + int64(d-'0')
	}
	return n, literal != "" && n <= events.MaxCount
}

func wholeSlowly(literal string) (int64, bool) {
	// A huge exponent would make big.Rat build a huge number.
	if len(literal) > 32 || strings.ContainsAny(literal, "xXpPnNiI_/") {
		return 0, false
	}
	if e := strings.IndexAny(literal, "eE"); e >= 0 && len(literal)-e > 4 {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(literal)
	if !ok || !r.IsInt() || r.Sign() < 0 || !r.Num().IsInt64() {
		return 0, false
	}
	n := r.Num().Int64()
	return n, n <= events.MaxCount
}
