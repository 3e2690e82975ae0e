package conformance

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// lines returns the canonical JSON of events, one a line.
func lines(all []events.Event) []byte {
	var b []byte
	for _, ev := range all {
		b = append(events.AppendJSON(b, ev), '\n')
	}
	return b
}

// tellEnd tells how a stream ended, in a few words.
func (p played) tellEnd() string {
	switch {
	case p.crash != nil:
		return fmt.Sprintf("a panic came out of the range: %v", p.crash)
	case len(p.events) == 0:
		return "no event"
	}
	text := p.last().String()
	if said := p.reply.Text(); said != "" {
		text += fmt.Sprintf(" after the text %q", events.CutText(said, 80))
	}
	if calls := p.reply.ToolCalls(); len(calls) > 0 {
		text += " with " + number(len(calls), "executable call").String()
	}
	return text
}

// checkGrammar holds every stream to the grammar, whatever came of it.
func (g *group) checkGrammar(p played, how string, at int) bool {
	here := g.at(how, at)
	if !here.check(p.crash == nil, m05, "no panic but the consumer's own", p.tellEnd) {
		return false
	}
	if f := p.failure(); !here.check(f.Kind != events.Crashed, m05, "an adapter that does not panic", p.tellEnd) {
		return false
	}
	var v validator.Validator
	for n, ev := range p.events {
		if err := v.Observe(ev); !here.check(err == nil, m05, "a stream by the grammar", say("event %d: %v: %v", n+1, ev, err)) {
			return false
		}
	}
	_, err := v.Finish()
	return here.check(err == nil, m05, "a stream by the grammar", err)
}

// checkScenario holds the scenario itself, not mutated, to what is wanted.
func (g *group) checkScenario(p played) {
	w := g.want
	if !g.checkGrammar(p, "", -1) {
		return
	}
	if w.fails() {
		g.checkFailed(p)
	} else {
		g.checkCompleted(p)
	}
	g.checkText(p)
	g.checkCalls(p)
	g.checkSources(p)
}

func (g *group) checkCompleted(p played) {
	w := g.want
	if !g.check(p.completed(), g.clause(), "Completed", p.tellEnd) {
		return
	}
	g.check(slices.Contains(w.stops, p.reply.Stop()), m17, say("the stop %q", w.stops), say("%q (%q)", p.reply.Stop(), p.reply.RawStop()))
	// A wire may tell calls, refusals and the end without a word.
	told := []events.Stop{events.StopEnd, events.StopLength, events.StopSequence, events.StopContentFilter, events.StopOther}
	g.check(p.reply.RawStop() != "" || !slices.Contains(told, p.reply.Stop()), m17, "the provider's own word for the stop", p.tellEnd)
	if w.refused {
		g.check(p.reply.Outcome() == stream.OutcomeRefusal, m17, "the outcome refusal", string(p.reply.Outcome()))
	}
	if w.usage != nil {
		wrong := w.usage(p.reply.Usage())
		clause := m17
		if slices.Contains(g.Clauses, m09) {
			clause = m09
		}
		g.check(wrong == "", clause, "the counts that were reported", wrong)
	}
}

func (g *group) checkFailed(p played) {
	f := p.failure()
	fits := slices.ContainsFunc(g.want.failures, func(want failed) bool {
		return f.Kind == want.kind && (len(want.reasons) == 0 || slices.Contains(want.reasons, f.Reason))
	})
	if !g.check(fits, g.clause(), say("Failed of %s", g.want.tellFailures()), p.tellEnd) {
		return
	}
	if g.status != 200 {
		g.check(f.Status == g.status, m18, say("the status %d", g.status), f.Status)
	}
	again := f.Kind == events.RateLimited || f.Kind == events.Overloaded
	if again || f.Kind == events.Rejected {
		g.check(f.Retryable() == again, m18, say("retryable: %t", again), p.tellEnd)
	}
	if g.want.words {
		g.check(strings.Contains(f.Detail, providerWords), m18, say("the provider's words %q in the detail", providerWords), say("%q", f.Detail))
	}
	g.check(f.Sent == events.Answered || f.Sent == events.Served, m13, "answered: a head came", string(f.Sent))
}

// clause is the clause that complains when a scenario ends in another way.
func (s Scenario) clause() string {
	switch {
	case s.want.fails():
		return s.Clauses[len(s.Clauses)-1]
	case slices.Contains(s.Clauses, m08):
		return m08
	case slices.Contains(s.Clauses, m16):
		return m16
	default:
		return m17
	}
}

func (w want) tellFailures() string {
	var all []string
	for _, f := range w.failures {
		all = append(all, strings.TrimSuffix(string(f.kind)+"/"+fmt.Sprint(f.reasons), "/[]"))
	}
	return strings.Join(all, " or ")
}

func (g *group) checkText(p played) {
	w, said := g.want, p.reply.Text()
	if w.refused {
		said += p.reply.Refusal()
	}
	g.check(said == w.text, m17, say("the text %q", w.text), say("%q", said))
	if w.thinking != "" { // a model may think aloud in any scenario
		g.check(p.reply.Thinking() == w.thinking, m17, say("the thinking %q", w.thinking), say("%q", p.reply.Thinking()))
	}
	deltas, order := 0, []events.Kind(nil)
	for _, ev := range p.events {
		if ev.Kind == events.TextDelta {
			deltas++
		}
		if ev.Kind.IsContent() && !slices.Contains(order, ev.Kind) {
			order = append(order, ev.Kind)
		}
	}
	g.check(deltas >= w.minDeltas, m17, say("at least %s: tokens are told as they come", number(w.minDeltas, "text delta")), deltas)
	if w.order != nil {
		g.check(slices.Equal(order, w.order), m17, say("content in the order %v", w.order), order)
	}
}

func (g *group) checkCalls(p played) {
	w, got := g.want, p.reply.ToolCalls()
	if g.check(len(got) == len(w.calls), m08, number(len(w.calls), "executable call"), p.tellEnd) {
		for i, c := range got {
			want := w.calls[i]
			g.check(c.Name == want.Name, m08, "the tool "+want.Name, c.Name)
			g.check(c.Arguments == want.Arguments, m08, "the arguments "+want.Arguments, c.Arguments)
			told := bytes.Contains(g.body, []byte(`"`+want.ID+`"`))
			g.check(c.ID == want.ID || c.Minted && !told, m17, "the id "+want.ID+", or one that is told as minted where the bytes have none", c.ID)
		}
	}
	invalid := 0
	for _, ev := range p.events {
		if ev.Kind == events.ToolCallInvalid {
			invalid++
		}
	}
	g.check(invalid == w.invalid || w.cut, m08, number(w.invalid, "invalid call"), invalid)
}

func (g *group) checkSources(p played) {
	if g.want.hosted {
		g.check(len(p.reply.Hosted()) > 0, m17, "the use of a hosted tool", "none")
	}
	if g.want.source == "" {
		return
	}
	found := slices.ContainsFunc(p.reply.Citations(), func(c stream.Citation) bool { return c.URL == g.want.source })
	for _, h := range p.reply.Hosted() {
		found = found || slices.ContainsFunc(h.Sources, func(s events.Source) bool { return s.URL == g.want.source })
	}
	g.check(found, m17, "the source "+g.want.source, string(bytes.TrimSpace(lines(p.events))))
}
