package conversewire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// report takes over a usage object.
func (d *decoder) report(u *fastjson.Value) {
	if u.GetObject() == nil {
		return
	}
	// Before anything in it is read, which would change how it is written.
	raw := wirejson.Raw(u)
	if !json.Valid([]byte(raw)) {
		raw = ""
	}
	var r reader
	d.usage = r.usage(u)
	d.usage.Final, d.usage.Raw = d.settled, raw
	if r.err != nil && d.unusable == nil {
		d.unusable = r.err
	}
	d.send(events.NewUsageUpdated(d.usage))
	if d.usage.Inconsistent {
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

// usage returns the counts in weir's terms. inputTokens leaves out what was read
// from a cache or written to one; of models without a cache these parts are absent,
// and none where the total is the sum of the other two.
func (r *reader) usage(u *fastjson.Value) events.Usage {
	input, output, total := r.count(u, "inputTokens"), r.count(u, "outputTokens"), r.count(u, "totalTokens")
	read, written := r.count(u, "cacheReadInputTokens"), r.count(u, "cacheWriteInputTokens")
	long := r.writtenFor(u, "1h")
	if total.IsKnown() && total == input.Plus(output) {
		read, written = events.Known(read.Or(0)), events.Known(written.Or(0))
	}
	told := events.Usage{CacheRead: read, CacheWrite: written, Output: output}
	if w, known := written.Get(); known {
		if long > w {
			w, told.Inconsistent = long, true
		}
		told.CacheWrite, told.CacheWriteLong = events.Known(w-long), events.Known(long)
		written = events.Known(w)
	}
	if input.IsKnown() {
		told.Input = input.Plus(events.Known(read.Or(0))).Plus(events.Known(written.Or(0)))
	}
	return told
}

// writtenFor returns what was written to the cache for a lifetime.
func (r *reader) writtenFor(u *fastjson.Value, lifetime string) int64 {
	var sum int64
	for _, part := range u.GetArray("cacheDetails") {
		if ttl, _ := wirejson.Text(part.Get("ttl")); string(ttl) == lifetime {
			sum = events.Known(sum).Plus(r.count(part, "inputTokens")).Or(sum)
		}
	}
	return sum
}
