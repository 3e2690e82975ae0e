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
			h.own.add(r.counters(hop))
		case compaction:
			h.compactions.add(r.counters(hop))
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
		told.atLeast(h.own)
	}
	told.add(h.compactions)
	return told
}

func (c *counters) each(other *counters, change func(mine *events.Count, others events.Count)) {
	change(&c.input, other.input)
	change(&c.created, other.created)
	change(&c.read, other.read)
	change(&c.fiveMinutes, other.fiveMinutes)
	change(&c.oneHour, other.oneHour)
	change(&c.output, other.output)
}

// add adds what is known of another part.
func (c *counters) add(part counters) {
	c.each(&part, func(mine *events.Count, more events.Count) {
		if more.IsKnown() {
			*mine = events.Known(mine.Or(0)).Plus(more)
		}
	})
}

// atLeast raises the counters to those of another reading.
func (c *counters) atLeast(other counters) {
	c.each(&other, func(mine *events.Count, others events.Count) {
		if others.Or(0) > mine.Or(0) {
			*mine = others
		}
	})
}
