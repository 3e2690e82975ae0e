package messageswire

import (
	"slices"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// hops are the samplings that a reply came about in (usage.iterations), as far as they
// change what is counted.
//
// The reply's own counts leave out what it cost to compact the history: "To calculate
// total tokens consumed and billed for a request, sum across all entries"
// (platform.claude.com/docs/en/build-with-claude/compaction, a stored copy read
// 2026-12-01). Beside an advisor they have the input of the first sampling alone
// (/docs/en/agents-and-tools/tool-use/advisor-tool, read likewise; others have seen the
// sum): the larger reading counts. What another model did, an advisor or one that was
// fallen back to, has another price, so that it is not added, and told instead.
type hops struct {
	own, compactions counters
	// others are the kinds of samplings of other models.
	others []string
}

// maxKinds bounds the kinds that are remembered, of which there are four.
const maxKinds = 16

// hops reads what is told of the samplings.
func (r *reader) hops(list []*fastjson.Value) hops {
	var h hops
	for _, hop := range list {
		switch kind := wirejson.String(hop.Get("type")); kind {
		case "", "message":
			h.own = h.own.merge(r.counters(hop), sum)
		case compaction:
			h.compactions = h.compactions.merge(r.counters(hop), sum)
		default:
			if len(h.others) < maxKinds && !slices.Contains(h.others, kind) {
				h.others = append(h.others, kind)
			}
		}
	}
	return h
}

// whole returns all that the reply's own model counted.
func (h *hops) whole(told counters) counters {
	if slices.Contains(h.others, "advisor_message") {
		told = told.merge(h.own, larger)
	}
	return told.merge(h.compactions, sum)
}

// merge returns the counters, each merged with that of another reading or part.
func (c counters) merge(other counters, of func(a, b events.Count) events.Count) counters {
	return counters{
		input: of(c.input, other.input), created: of(c.created, other.created), read: of(c.read, other.read),
		fiveMinutes: of(c.fiveMinutes, other.fiveMinutes), oneHour: of(c.oneHour, other.oneHour),
		output: of(c.output, other.output),
	}
}

// sum adds what is known of another part.
func sum(c, part events.Count) events.Count {
	if part.IsKnown() {
		return events.Known(c.Or(0)).Plus(part)
	}
	return c
}

// larger returns the larger of two readings.
func larger(c, other events.Count) events.Count {
	if other.Or(0) > c.Or(0) {
		return other
	}
	return c
}

// latest returns the later report, or the one before where it says nothing.
func latest(c, later events.Count) events.Count {
	if later.IsKnown() {
		return later
	}
	return c
}
