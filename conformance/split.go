package conformance

import (
	"bytes"
	"fmt"
	"testing"
)

// split hands the body over in every way in which a network may: the events stay
// the same.
func (g *group) split(t *testing.T) {
	t.Helper()
	want := lines(g.base.events)
	m, st := g.model(t, g.whole())
	same := func(a act, how string, at int) {
		st.open(a)
		p := g.at(how, at).play(t.Context(), m, g.req)
		got := lines(p.events)
		g.at(how, at).check(bytes.Equal(want, got), m10, "the events of the whole body", func() string { return firstDifference(want, got) })
		g.checkClosed(st, how, at)
	}
	for _, size := range []int{1, 2, 3, 7} {
		a := g.whole()
		a.reads = func(int) int { return size }
		same(a, fmt.Sprintf("%d bytes a read", size), -1)
	}
	a := g.whole()
	a.joined = true
	same(a, "the last bytes together with the end", len(g.body))
	for _, at := range g.places() {
		a := g.whole()
		a.reads = func(n int) int {
			if n == 0 {
				return at
			}
			return len(g.body)
		}
		same(a, "in two", at)
	}
}

// firstDifference returns the first line of got that is not in its place in
// want.
func firstDifference(want, got []byte) string {
	wanted := bytes.Split(want, []byte("\n"))
	for n, line := range bytes.Split(got, []byte("\n")) {
		switch {
		case n >= len(wanted):
			return fmt.Sprintf("event %d, which is one too many: %s", n+1, line)
		case !bytes.Equal(line, wanted[n]):
			return fmt.Sprintf("event %d: %s instead of %s", n+1, line, wanted[n])
		}
	}
	return "too few events"
}
