package chatwire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A reading is one usage object, as the provider counts.
type reading struct {
	input, output, total        events.Count
	cached, written, thinking   events.Count
	inputAudio, inputImage      events.Count
	outputAudio, outputImage    events.Count
	otherCached, otherWritten   events.Count
	cost, costDetails, ticks    *fastjson.Value
	ownKey                      bool
	inputDetails, outputDetails *fastjson.Value
	err                         error
}

func (r *reading) count(c *events.Count, field string, v *fastjson.Value) {
	n, err := wirejson.Count(field, v)
	if err != nil && r.err == nil {
		r.err = err
	}
	*c = n
}

// member takes one member of usage. Where the cached part stands outside
// prompt_tokens_details it is DeepSeek's prompt_cache_hit_tokens, Moonshot's
// cached_tokens, or Anthropic's words from a gateway.
func (r *reading) member(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "prompt_tokens":
		r.count(&r.input, "prompt_tokens", v)
	case "completion_tokens":
		r.count(&r.output, "completion_tokens", v)
	case "total_tokens":
		// Only a witness: a bad one spoils nothing.
		r.total, _ = wirejson.Count("total_tokens", v)
	case "prompt_tokens_details":
		r.inputDetails = v
	case "completion_tokens_details":
		r.outputDetails = v
	case "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens":
		r.count(&r.otherCached, string(key), v)
	case "cache_creation_input_tokens":
		r.count(&r.otherWritten, "cache_creation_input_tokens", v)
	case "cost":
		r.cost = v
	case "cost_in_usd_ticks":
		r.ticks = v
	case "cost_details":
		r.costDetails = v
	case "is_byok":
		r.ownKey = v.GetBool()
	}
}

func (r *reading) inputDetail(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "cached_tokens":
		r.count(&r.cached, "cached_tokens", v)
	case "cache_write_tokens":
		r.count(&r.written, "cache_write_tokens", v)
	case "audio_tokens":
		r.count(&r.inputAudio, "audio_tokens", v)
	case "image_tokens":
		r.count(&r.inputImage, "image_tokens", v)
	}
}

func (r *reading) outputDetail(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "reasoning_tokens":
		r.count(&r.thinking, "reasoning_tokens", v)
	case "audio_tokens":
		r.count(&r.outputAudio, "audio_tokens", v)
	case "image_tokens":
		r.count(&r.outputImage, "image_tokens", v)
	}
}

// readUsage reads the usage of a chunk, Groq's x_groq.usage where there is no
// other, and reports whether there was one that says something new. One that is no
// object ([] or "", in place of none) costs no reply: it is passed over and told.
func (d *decoder) readUsage() bool {
	v := d.chunk.usage
	if v == nil && d.chunk.groq != nil {
		v = d.chunk.groq.Get("usage")
	}
	if v == nil || notNull(v) == nil {
		return false
	}
	o := v.GetObject()
	if o == nil {
		if !d.odd {
			d.odd = true
			d.send(events.NewNotice(events.NoticeUnknownFrame, "a usage that is no object"))
		}
		return false
	}
	d.scratch = v.MarshalTo(d.scratch[:0])
	if string(d.scratch) == d.usage.Raw {
		d.usage.Final, d.unusable = d.finished, nil
		return false
	}
	var r reading
	o.Visit(r.member)
	if o := r.inputDetails.GetObject(); o != nil {
		o.Visit(r.inputDetail)
	}
	if o := r.outputDetails.GetObject(); o != nil {
		o.Visit(r.outputDetail)
	}
	// The last report counts: a usable one after an unusable one heals it.
	d.unusable = r.err
	if r.err != nil {
		return false
	}
	return d.takeReading(&r)
}

// dollars returns what the reply costs. With a key of one's own at the upstream, cost is
// OpenRouter's fee alone, which may be 0, and the upstream's bill is beside it; without
// such a key the cost holds it (github.com/tailcallhq/forgecode, issue 1641, and
// github.com/omnara-ai/omnara, pull request 347, read 2026-12-01).
func (r *reading) dollars() *events.Cost {
	cost := wirejson.Dollars(r.cost)
	if !r.ownKey {
		return cost
	}
	return wirejson.Sum(cost, wirejson.Dollars(r.costDetails.Get("upstream_inference_cost")))
}

// takeReading makes the reading the reply's usage.
func (d *decoder) takeReading(r *reading) bool {
	if d.profile.UsageCost && r.cost != nil {
		d.cost = r.dollars()
	}
	if d.profile.UsageTicks && r.ticks != nil {
		d.cost = wirejson.Ticks(r.ticks)
	}
	u := d.settleUsage(r)
	if u == (events.Usage{}) {
		return false
	}
	u.Final = d.finished
	// A report of a part of the counts says nothing of the others.
	partial := !u.Input.IsKnown() || !u.Output.IsKnown()
	u.Inconsistent = u.Inconsistent || partial && d.usage.Inconsistent
	d.usage = reconcile(d.usage.Merge(u))
	// The parser lets numbers and strings pass that are not JSON.
	if d.usage.Raw = ""; json.Valid(d.scratch) {
		d.usage.Raw = string(d.scratch)
	}
	return true
}

// reconcile takes the larger reading where a part is larger than its whole, which
// may have come in another report.
func reconcile(u events.Usage) events.Usage {
	for _, c := range [...]struct {
		whole *events.Count
		part  events.Count
	}{
		{&u.Input, u.CacheRead},
		{&u.Input, u.CacheWrite},
		{&u.Input, u.InputAudio},
		{&u.Input, u.InputImage},
		{&u.Output, u.Thinking},
		{&u.Output, u.OutputAudio},
		{&u.Output, u.OutputImage},
	} {
		larger := false
		*c.whole, larger = whole(*c.whole, c.part.Or(0), false)
		u.Inconsistent = u.Inconsistent || larger
	}
	return u
}

// sendUsage tells the counts so far.
func (d *decoder) sendUsage() {
	d.send(events.NewUsageUpdated(d.usage))
	if d.usage.Inconsistent && !d.told {
		d.told = true
		d.send(events.NewNotice(events.NoticeUsageInconsistent, "a part of the usage is larger than its whole"))
	}
}

// settleUsage makes the counts inclusive: Input all of the prompt, Output all
// that was generated. Where parts are counted apart, by the profile or by the
// reported total, they are added; where a part is larger than its whole without
// such a proof, the larger reading is taken.
func (d *decoder) settleUsage(r *reading) events.Usage {
	u := events.Usage{
		Input: r.input, Output: r.output, Thinking: r.thinking,
		CacheRead: first(r.cached, r.otherCached), CacheWrite: first(r.written, r.otherWritten),
		InputAudio: r.inputAudio, InputImage: r.inputImage, OutputAudio: r.outputAudio, OutputImage: r.outputImage,
	}
	cached, thinking := u.CacheRead.Or(0)+u.CacheWrite.Or(0), u.Thinking.Or(0)
	addCached, addThinking := d.exclusive(r, cached, thinking)
	u.Input, u.Inconsistent = whole(u.Input, cached, addCached)
	output, inconsistent := whole(u.Output, thinking, addThinking)
	u.Output, u.Inconsistent = output, u.Inconsistent || inconsistent
	return u
}

// exclusive reports which parts stand beside their whole.
func (d *decoder) exclusive(r *reading, cached, thinking int64) (addCached, addThinking bool) {
	total, known := r.total.Get()
	base := r.input.Or(0) + r.output.Or(0)
	if known && r.input.IsKnown() && r.output.IsKnown() {
		switch total {
		case base:
			// The total holds both, unless a part is too large for its whole: then
			// the total is merely their sum.
			return d.profile.CachedExclusive && cached > r.input.Or(0), d.profile.ReasoningExclusive && thinking > r.output.Or(0)
		case base + thinking + cached:
			return true, true
		case base + thinking:
			return false, true
		case base + cached:
			return true, false
		}
	}
	return d.profile.CachedExclusive, d.profile.ReasoningExclusive
}

// whole returns the whole with its part settled.
func whole(c events.Count, part int64, add bool) (_ events.Count, inconsistent bool) {
	n, known := c.Get()
	switch {
	case !known:
		return c, false
	case add:
		return c.Plus(events.Known(part)), false
	case part > n:
		// Parts of which each is a count may come to more than one.
		return events.Known(min(part, events.MaxCount)), true
	default:
		return c, false
	}
}

func first(c, other events.Count) events.Count {
	if c.IsKnown() {
		return c
	}
	return other
}
