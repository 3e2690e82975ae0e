package responseswire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// report takes over the usage of the response and its text, which comes once, at the
// end. The error of the first counter that is not a count is kept for the end.
func (d *decoder) report(v *fastjson.Value, raw string) {
	if v == nil || v.Type() != fastjson.TypeObject {
		return
	}
	var r reader
	input, output := v.Get("input_tokens_details"), v.Get("output_tokens_details")
	if d.profile.NoUsageDetails {
		input, output = nil, nil
	}
	u := events.Usage{
		Input: r.count(v, "input_tokens"), Output: r.count(v, "output_tokens"),
		CacheRead: r.count(input, "cached_tokens"), CacheWrite: r.count(input, "cache_write_tokens"),
		InputAudio: r.count(input, "audio_tokens"), InputImage: r.count(input, "image_tokens"),
		Thinking:    r.count(output, "reasoning_tokens"),
		OutputAudio: r.count(output, "audio_tokens"), OutputImage: r.count(output, "image_tokens"),
	}
	if d.unusable = r.err; r.err != nil {
		return
	}
	d.cost = d.profile.Cost.read(v)
	// Only a witness: a bad one spoils nothing.
	total, _ := wirejson.Count("total_tokens", v.Get("total_tokens"))
	u = inclusive(u, total)
	if !u.Reported() {
		return
	}
	u.Final = true
	// The parser lets numbers and strings pass that are not JSON.
	if json.Valid([]byte(raw)) {
		u.Raw = raw
	}
	d.usage = u
	d.send(events.NewUsageUpdated(u))
	if u.Inconsistent {
		d.send(events.NewNotice(events.NoticeUsageInconsistent, "a part of the usage is larger than its whole"))
	}
}

// reader reads counts and keeps the first error.
type reader struct{ err error }

func (r *reader) count(in *fastjson.Value, field string) events.Count {
	n, err := wirejson.Count(field, in.Get(field))
	if err != nil && r.err == nil {
		r.err = err
	}
	return n
}

// inclusive holds each whole to its parts. Thinking that the reported total proves to
// stand beside the output is added; where a part is larger than its whole, the larger
// reading is taken.
func inclusive(u events.Usage, total events.Count) events.Usage {
	if u.Thinking.Or(0) > 0 && total.IsKnown() && total == u.Input.Plus(u.Output).Plus(u.Thinking) {
		u.Output = u.Output.Plus(u.Thinking)
	}
	cached := events.Known(u.CacheRead.Or(0)).Plus(events.Known(u.CacheWrite.Or(0)))
	for _, c := range [...]struct {
		whole *events.Count
		part  events.Count
	}{
		{&u.Input, cached},
		{&u.Input, u.InputAudio},
		{&u.Input, u.InputImage},
		{&u.Output, u.Thinking},
		{&u.Output, u.OutputAudio},
		{&u.Output, u.OutputImage},
	} {
		if n, known := c.whole.Get(); known && c.part.Or(0) > n {
			*c.whole, u.Inconsistent = c.part, true
		}
	}
	return u
}
