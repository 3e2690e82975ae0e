package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// sameContent reports whether a reply says what the scenario says, counts aside.
func (g *group) sameContent(p played) bool { return g.contentDifference(p) == "" }

// contentDifference tells the first part of a reply, counts aside, that is another one
// than the scenario's; nothing where all are the same. Where the counts come after the
// terminal evidence, a reply that fails for them is whole without them.
func (g *group) contentDifference(p played) string {
	a, b := g.base.reply, p.reply
	unusable := g.base.failure().Reason == events.ReasonUnusableUsage && p.completed()
	switch {
	case a.Text() != b.Text():
		return instead("the text", strconv.Quote(a.Text()), strconv.Quote(b.Text()))
	case unusable && b.Usage().Output.IsKnown():
		return fmt.Sprintf("%s tokens of output instead of an unknown count, because what the whole body says of it cannot be used", b.Usage().Output)
	case unusable:
		return ""
	case a.Thinking() != b.Thinking():
		return instead("the thinking", strconv.Quote(a.Thinking()), strconv.Quote(b.Thinking()))
	case a.Refusal() != b.Refusal():
		return instead("the refusal", strconv.Quote(a.Refusal()), strconv.Quote(b.Refusal()))
	case p.completed() != g.base.completed():
		return instead("the end", g.base.last().String(), p.last().String())
	case a.Stop() != b.Stop() || a.RawStop() != b.RawStop():
		return fmt.Sprintf("the stop %s (%q) instead of %s (%q)", b.Stop(), b.RawStop(), a.Stop(), a.RawStop())
	case !slices.Equal(a.ToolCalls(), b.ToolCalls()):
		return instead("the executable calls", fmt.Sprintf("%+v", a.ToolCalls()), fmt.Sprintf("%+v", b.ToolCalls()))
	case !slices.Equal(a.Citations(), b.Citations()):
		return instead("the sources", fmt.Sprintf("%+v", a.Citations()), fmt.Sprintf("%+v", b.Citations()))
	case len(a.Hosted()) != len(b.Hosted()):
		return fmt.Sprintf("%s instead of %d", number(len(b.Hosted()), "hosted tool"), len(a.Hosted()))
	case len(a.AllCalls()) != len(b.AllCalls()):
		return fmt.Sprintf("%s, executable or not, instead of %d", number(len(b.AllCalls()), "call"), len(a.AllCalls()))
	default:
		return ""
	}
}

// instead tells a part that is another one, of long texts where they part.
func instead(part, want, got string) string {
	const before, most = 30, 200
	same := 0
	for same < min(len(want), len(got)) && want[same] == got[same] {
		same++
	}
	shown := func(text string) string {
		from := 0
		if len(text) > most {
			from = max(same-before, 0)
		}
		text = strings.ToValidUTF8(text[from:], "?")
		if from > 0 {
			text = "..." + text
		}
		return events.CutText(text, most)
	}
	return fmt.Sprintf("%s %s instead of %s", part, shown(got), shown(want))
}

// tellContent tells how a reply ended and what it says otherwise than the scenario.
func (g *group) tellContent(p played) func() string {
	return func() string { return strings.TrimSuffix(p.tellEnd()+"; "+g.contentDifference(p), "; ") }
}

// tellOther is tellContent with the counts and the failure.
func (g *group) tellOther(p played) func() string {
	return func() string {
		told := g.tellContent(p)()
		if other := g.countDifference(p); other != "" {
			told += "; " + other
		}
		return told
	}
}

// sameEnd reports whether a reply that failed did so as the whole body's does.
func (g *group) sameEnd(p played) bool {
	a, b := g.base.failure(), p.failure()
	return a.Kind == b.Kind && a.Reason == b.Reason && a.ProviderCode == b.ProviderCode
}

// callsWithin reports whether every call that was completed is one of the whole
// body, byte for byte.
func (g *group) callsWithin(p played) bool { return len(g.strangeCalls(p)) == 0 }

// strangeCalls returns the calls that were completed and are none of the whole body.
func (g *group) strangeCalls(p played) []events.ToolCall {
	completed := func(all []events.Event) (calls []events.ToolCall) {
		for _, ev := range all {
			if c, ok := ev.Call(); ok && ev.Kind == events.ToolCallCompleted {
				calls = append(calls, c)
			}
		}
		return calls
	}
	of := completed(g.base.events)
	return slices.DeleteFunc(completed(p.events), func(c events.ToolCall) bool { return slices.Contains(of, c) })
}

// A part is one count of a usage.
type part struct {
	name  string
	count events.Count
}

// partsOf returns the counts that are compared.
func partsOf(u events.Usage) []part {
	return []part{
		{"input", u.Input},
		{"output", u.Output},
		{"cache read", u.CacheRead},
		{"cache write", u.CacheWrite},
		{"long cache write", u.CacheWriteLong},
		{"thinking", u.Thinking},
	}
}

// countsWithin reports whether every known count is that of the whole body.
func (g *group) countsWithin(p played) bool { return g.countDifference(p) == "" }

// countDifference tells the first count that is final and known, and another one than
// that of the whole body; nothing where there is none.
func (g *group) countDifference(p played) string {
	u := p.reply.Usage()
	if !u.Final {
		return ""
	}
	want := partsOf(g.base.reply.Usage())
	for n, got := range partsOf(u) {
		if got.count.IsKnown() && got.count != want[n].count {
			return fmt.Sprintf("%s %s instead of %s", got.name, got.count, want[n].count)
		}
	}
	return ""
}

// tellCounts tells the counts of a reply, and which is none of the scenario's.
func (g *group) tellCounts(p played) func() string {
	return func() string { return p.tellUsage() + "; " + g.countDifference(p) }
}

// tellUsage tells the counts of a reply: input and output, and of the others those that
// are known.
func (p played) tellUsage() string {
	u := p.reply.Usage()
	told := fmt.Sprintf("input %s, output %s", u.Input, u.Output)
	for _, more := range partsOf(u)[2:] {
		if more.count.IsKnown() {
			told += fmt.Sprintf(", %s %s", more.name, more.count)
		}
	}
	return fmt.Sprintf("%s, final %t", told, u.Final)
}
