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
	counters
	thinking events.Count
	// hops are what the reply came about in, where that is told.
	hops hops
	raw  string
}

// counters are those of a reply, or of a part of it.
type counters struct {
	input, created, read events.Count
	// fiveMinutes and oneHour split created, where told.
	fiveMinutes, oneHour events.Count
	output               events.Count
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
	told := r.counters(u)
	if told.created.IsKnown() && !told.fiveMinutes.IsKnown() && !told.oneHour.IsKnown() && told.created != c.fiveMinutes.Plus(c.oneHour) {
		// A new total without its split makes the old split stale.
		c.fiveMinutes, c.oneHour = events.Count{}, events.Count{}
	}
	c.counters = c.merge(told, latest)
	c.thinking = latest(c.thinking, r.count(u.Get("output_tokens_details"), "thinking_tokens"))
	if list := u.GetArray("iterations"); len(list) > 0 {
		c.hops = r.hops(list)
	}
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

func (r *reader) counters(u *fastjson.Value) counters {
	split := u.Get("cache_creation")
	return counters{
		input: r.count(u, "input_tokens"), output: r.count(u, "output_tokens"),
		read: r.count(u, "cache_read_input_tokens"), created: r.count(u, "cache_creation_input_tokens"),
		fiveMinutes: r.count(split, "ephemeral_5m_input_tokens"), oneHour: r.count(split, "ephemeral_1h_input_tokens"),
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
	all := c.hops.whole(c.counters)
	u := events.Usage{
		CacheRead: all.read, CacheWrite: all.created, CacheWriteLong: all.oneHour,
		Output: all.output, Thinking: c.thinking, Final: final, Raw: c.raw,
	}
	if all.fiveMinutes.IsKnown() || all.oneHour.IsKnown() {
		all.splitWrites(&u)
	}
	if all.input.IsKnown() {
		u.Input = all.input
		for _, part := range []*events.Count{&u.CacheRead, &u.CacheWrite, &u.CacheWriteLong} {
			*part = events.Known(part.Or(0))
			u.Input = u.Input.Plus(*part)
		}
	}
	if t, known := c.thinking.Get(); known && all.output.IsKnown() && t > all.output.Or(0) {
		u.Output, u.Inconsistent = c.thinking, true
	}
	return u
}

// splitWrites sets the writes kept five minutes to what the total leaves beside
// those kept an hour. A split that is more than the total is the larger reading.
func (c *counters) splitWrites(u *events.Usage) {
	split := c.fiveMinutes.Or(0) + c.oneHour.Or(0)
	total := c.created.Or(split)
	if split > total {
		total, u.Inconsistent = split, true
	}
	u.CacheWrite = events.Known(total - c.oneHour.Or(0))
}
