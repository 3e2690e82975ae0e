package coherewire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// report takes over the usage object. A count that cannot be one leaves the others.
//
// tokens.input_tokens is the whole prompt and cached_tokens a part of it,
// tokens.output_tokens all that was generated and tokens.reasoning_tokens a part of
// it (recordings of August 2026). The vendor's SDK has them as floating-point
// numbers, and some hosts write 12.0.
func (d *decoder) report(from *fastjson.Value) {
	if from == nil || from.Type() != fastjson.TypeObject {
		return
	}
	// Before anything in it is read, which would change how it is written.
	if raw := wirejson.Raw(from); json.Valid([]byte(raw)) {
		d.usage.Raw = raw
	}
	u, tokens := &d.usage, from.Get("tokens")
	for _, f := range []struct {
		name  string
		value *fastjson.Value
		count *events.Count
	}{
		{"tokens.input_tokens", tokens.Get("input_tokens"), &u.Input},
		{"tokens.output_tokens", tokens.Get("output_tokens"), &u.Output},
		{"tokens.reasoning_tokens", tokens.Get("reasoning_tokens"), &u.Thinking},
		{"cached_tokens", from.Get("cached_tokens"), &u.CacheRead},
	} {
		n, err := wirejson.Count(f.name, f.value)
		if err != nil && d.unusable == nil {
			d.unusable = err
		}
		*f.count = n
	}
	larger(u, &u.Input, u.CacheRead)
	larger(u, &u.Output, u.Thinking)
	u.Final = u.Input.IsKnown() || u.Output.IsKnown()
	if u.Inconsistent {
		d.send(events.NewNotice(events.NoticeUsageInconsistent, "a part of the usage is larger than its whole"))
	}
}

// larger takes the larger reading where a part is more than its whole.
func larger(u *events.Usage, whole *events.Count, part events.Count) {
	if n, known := part.Get(); known && n > whole.Or(n) {
		*whole, u.Inconsistent = part, true
	}
}
