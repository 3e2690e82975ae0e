package conformance

import (
	"bytes"
	"testing"

	"github.com/weirsdk/weir/events"
)

// runScenario plays one scenario as it is and under every mutation.
func (s *suite) runScenario(t *testing.T, sc Scenario, r response) {
	t.Helper()
	tr := s.newTrial(sc, r)
	tr.mutate(t, asItIs, func(t *testing.T, g *group) { g.asItIs(t) })
	if tr.base.last().Kind == 0 || t.Failed() && tr.base.crash != nil {
		return // there is nothing to compare with
	}
	tr.mutate(t, "split", func(t *testing.T, g *group) { g.split(t) })
	tr.mutate(t, "cut", func(t *testing.T, g *group) { g.cut(t) })
	tr.mutate(t, "stall", func(t *testing.T, g *group) { g.stall(t) })
	tr.mutate(t, "consumer", func(t *testing.T, g *group) { g.consumer(t) })
	tr.mutate(t, "echo", func(t *testing.T, g *group) { g.echo(t) })
	tr.mutate(t, "recorded", func(t *testing.T, g *group) { g.recorded(t) })
	if r.isFramed() {
		tr.mutate(t, "noise", func(t *testing.T, g *group) { g.noise(t) })
		tr.mutate(t, "corrupt", func(t *testing.T, g *group) { g.corrupt(t) })
		tr.mutate(t, "confuse", func(t *testing.T, g *group) { g.confuse(t) })
	}
	if sc.Name == "error-429" {
		tr.mutate(t, "retry-after", func(t *testing.T, g *group) { g.retryAfter(t) })
	}
	if !sc.want.fails() && (len(sc.want.calls) > 0 || len(sc.want.back) > 0) {
		tr.mutate(t, "next turn", func(t *testing.T, g *group) { g.nextTurn(t) })
	}
}

// asItIs plays the scenario as it is, which every mutation is compared with.
func (g *group) asItIs(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	before, _ := g.req.Canonical()
	p := g.at("", -1).play(t.Context(), m, g.req)
	after, _ := g.req.Canonical()
	g.base = p
	g.checkScenario(p)
	g.check(bytes.Equal(before, after), m06, "a request that nobody writes to", string(after))
	got := st.requests()
	if !g.check(len(got) == 1, m04, "one request", len(got)) {
		return
	}
	g.checkClosed(st, "", -1)
	for _, text := range g.want.sent {
		g.check(tells(got[0].body, text), m19, say("%q in the body of the request", text), func() string { return clip(got[0].body) })
	}
}

// checkClosed checks that each body was closed once.
func (g *group) checkClosed(st *stage, how string, at int) {
	for _, n := range st.closes() {
		g.at(how, at).check(n == 1, m11, "a body that is closed once", say("closed %d times", n))
	}
}

// clip bounds a text for a message.
func clip(text []byte) string { return events.CutText(string(text), 2000) }
