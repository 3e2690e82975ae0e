package messageswire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// counts are the provider's counters by its own names. They are cumulative: a
// report replaces what it names. input leaves the cached parts out.
type counts struct {
	input, created, read events.Count
	// fiveMinutes and oneHour split created, where told.
	fiveMinutes, oneHour events.Count
	output, thinking     events.Count
	raw                  string
}

// report takes over a usage object and its text as it came, which is left out
// when it is no JSON. The error is the first counter that is not a count; the
// others are taken over all the same.
func (c *counts) report(u *fastjson.Value, raw string) error {
	c.raw = ""
	if json.Valid([]byte(raw)) {
		c.raw = raw
	}
	var r reader
	created := r.count(u, "cache_creation_input_tokens")
	split := u.Get("cache_creation")
	five, hour := r.count(split, "ephemeral_5m_input_tokens"), r.count(split, "ephemeral_1h_input_tokens")
	if created.IsKnown() && !five.IsKnown() && !hour.IsKnown() && created != c.fiveMinutes.Plus(c.oneHour) {
		// A new total without its split makes the old split stale.
		c.fiveMinutes, c.oneHour = events.Count{}, events.Count{}
	}
	replace(&c.created, created)
	replace(&c.fiveMinutes, five)
	replace(&c.oneHour, hour)
	replace(&c.input, r.count(u, "input_tokens"))
	replace(&c.read, r.count(u, "cache_read_input_tokens"))
	replace(&c.output, r.count(u, "output_tokens"))
	replace(&c.thinking, r.count(u.Get("output_tokens_details"), "thinking_tokens"))
	return r.err
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

func replace(c *events.Count, later events.Count) {
	if later.IsKnown() {
		*c = later
	}
}

// usage returns the counts in weir's terms: the cached parts inside the input.
//
// input_tokens is all of the prompt that was neither read from a cache nor
// written to one, so a report of it that names no cached part says that there is
// none. A total of writes without its split is of the default lifetime, five
// minutes. Thinking that is not reported stays unknown: models that think and do
// not say how much exist.
func (c *counts) usage(final bool) events.Usage {
	u := events.Usage{
		CacheRead: c.read, CacheWrite: c.created, CacheWriteLong: c.oneHour,
		Output: c.output, Thinking: c.thinking, Final: final, Raw: c.raw,
	}
	if c.fiveMinutes.IsKnown() || c.oneHour.IsKnown() {
		c.splitWrites(&u)
	}
	if c.input.IsKnown() {
		u.Input = c.input
		for _, part := range []*events.Count{&u.CacheRead, &u.CacheWrite, &u.CacheWriteLong} {
			*part = events.Known(part.Or(0))
			u.Input = u.Input.Plus(*part)
		}
	}
	if t, known := c.thinking.Get(); known && c.output.IsKnown() && t > c.output.Or(0) {
		u.Output, u.Inconsistent = c.thinking, true
	}
	return u
}

// splitWrites sets the writes kept five minutes to what the total leaves beside
// those kept an hour. A split that is more than the total is the larger reading.
func (c *counts) splitWrites(u *events.Usage) {
	split := c.fiveMinutes.Or(0) + c.oneHour.Or(0)
	total := c.created.Or(split)
	if split > total {
		total, u.Inconsistent = split, true
	}
	u.CacheWrite = events.Known(total - c.oneHour.Or(0))
}
