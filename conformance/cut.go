package conformance

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
)

const (
	// maxExhaustive is the size of a body up to which every byte is tried: 8 KiB.
	// Larger ones are tried at the edges of their frames, one byte to either side,
	// and at random. So are all of them, at fewer random places, with go test -short
	// and under the race detector, which makes the suite some five times slower and
	// sees nothing in it but the streams that run at the same time.
	maxExhaustive = 8 << 10
	randomPlaces  = 500
	fewPlaces     = 20
	// Of the frames, values and events of a long body so many are tried, at even
	// distances: each is a play of the whole of it.
	maxTried = 300
	fewTried = 60
	// seed is of the random places, the same in every run.
	seed = 1
)

// few reports whether fewer places are tried.
func few() bool { return raceEnabled || testing.Short() }

// some returns at most as many of the items as are tried: the first, the last, and
// others at even distances.
func some[T any](items []T) []T {
	most := maxTried
	if few() {
		most = fewTried
	}
	if len(items) <= most {
		return items
	}
	picked := make([]T, 0, most)
	for n := range most {
		picked = append(picked, items[n*(len(items)-1)/(most-1)])
	}
	return picked
}

// places returns where a body is cut and split: 1 to its length - 1.
func (r response) places() []int {
	var all []int
	if len(r.body) < 2 {
		return nil // there is nothing between
	}
	if len(r.body) <= maxExhaustive && !few() {
		for at := 1; at < len(r.body); at++ {
			all = append(all, at)
		}
		return all
	}
	for _, edge := range r.edges() {
		all = append(all, edge-1, edge, edge+1)
	}
	random := rand.New(rand.NewPCG(seed, uint64(len(r.body))))
	for n := range randomPlaces {
		if few() && n == fewPlaces {
			break
		}
		all = append(all, random.IntN(len(r.body)))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(at int) bool { return at < 1 || at >= len(r.body) })
}

// edges returns the places between the frames of a body, some of them if there are
// many.
func (r response) edges() []int {
	var all []int
	edge := 0
	for _, frame := range r.frames() {
		edge += len(frame)
		all = append(all, edge)
	}
	return some(all)
}

// endings are the ways in which a body ends too early.
func endings() []struct {
	how string
	err error
	// edges: only between frames, because the reader sees no more of it than an
	// error.
	edges bool
} {
	return []struct {
		how   string
		err   error
		edges bool
	}{
		{"a clean end", nil, false},
		{"a connection reset", &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}, false},
		{"an unexpected end", io.ErrUnexpectedEOF, true},
		{"a reset of the HTTP/2 stream", errors.New("stream error: stream ID 1; INTERNAL_ERROR; received from peer"), true},
	}
}

// cut ends the body at every byte. What is Completed then has to say all that the
// whole body says, in content and stop: nobody can know that without having read
// the provider's terminal evidence.
func (g *group) cut(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	for _, end := range endings() {
		places := append([]int{0}, g.places()...)
		if end.edges {
			places = g.edges()
		}
		for _, at := range places {
			a := g.whole()
			a.body, a.end = g.body[:at], end.err
			st.open(a)
			p := g.at(end.how, at).play(t.Context(), m, g.req)
			if g.checkGrammar(p, end.how, at) {
				g.checkCut(p, end.how, at)
			}
			g.checkClosed(st, end.how, at)
		}
	}
}

// checkCut checks what came of a body that was cut.
func (g *group) checkCut(p played, how string, at int) {
	here := g.at(how, at)
	if g.status != 200 {
		f := p.failure()
		here.check(f.Status == g.status && f.Sent == events.Answered, m18,
			say("Failed with the status %d", g.status), p.tellEnd)
		return
	}
	if p.completed() {
		here.check(g.sameContent(p), m07, "Failed: invalid_reply/truncated (or a Completed that says all that the whole body says)", g.tellContent(p))
	} else {
		g.checkBroken(p, how, at)
	}
	here.check(g.countsWithin(p), m09, "counts of the whole body, or unknown ones", g.tellCounts(p))
	g.checkCharge(p, how, at)
}

// checkBroken checks the failure of a body that was cut before its evidence.
func (g *group) checkBroken(p played, how string, at int) {
	here := g.at(how, at)
	f := p.failure()
	asBase := !g.base.completed() && f.Kind == g.base.failure().Kind
	cut := f.Kind == events.InvalidReply &&
		slices.Contains(reasons(events.ReasonTruncated, events.ReasonLostConnection, events.ReasonMalformed), f.Reason)
	here.check(cut || asBase, m07, "Failed: invalid_reply/truncated or /lost_connection", p.tellEnd)
	here.check(g.callsWithin(p), m08, "no call but those of the whole body", func() string { return fmt.Sprintf("%s with %+v", p.tellEnd(), g.strangeCalls(p)) })
	here.check(strings.HasPrefix(g.base.reply.Text(), p.reply.Text()), m17, "the beginning of the text", p.tellEnd)
	here.check(f.Sent == events.Answered || f.Sent == events.Served, m13, "answered: a head came", string(f.Sent))
}

// checkCharge checks that the money that the stream may have cost is charged.
func (g *group) checkCharge(p played, how string, at int) {
	attempt := charge.Attempt{Estimate: g.estimate}
	for _, ev := range p.events {
		attempt.Observe(ev)
	}
	c := charge.Settle(attempt)
	want := charge.Ambiguous
	switch {
	case p.completed():
		want = charge.OK
	case p.failure().Usage.Final || p.failure().Reason == events.ReasonUnusableUsage:
		want = charge.Error
	}
	g.at(how, at).check(c.Status == want, m13, say("a charge of status %s", want), say("%s, %s: %s", c.Status, c.Certainty, p.tellEnd))
}
