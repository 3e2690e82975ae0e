package conformance

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
)

// stall lets the provider fall silent: the right clock fires when it is due, and
// its reason is in the chain. Time is virtual.
func (g *group) stall(t *testing.T) {
	t.Helper()
	if g.status != 200 {
		return
	}
	silent := g.whole()
	silent.reach = reachWritten
	g.checkStall(t, silent, g.at("before the head of the answer", -1), alarm{cancel.Clocks{FirstToken: 20 * time.Second, Idle: 7 * time.Second}, cancel.FirstToken, 20 * time.Second})
	for _, at := range append([]int{0}, g.edges()...) {
		a := g.whole()
		a.stall = at
		// Longer than tailWait, so that who waits for the clock waits too long.
		want := alarm{cancel.Clocks{FirstToken: time.Minute, Idle: 30 * time.Second}, cancel.Idle, 30 * time.Second}
		if at == 0 {
			want = alarm{cancel.Clocks{FirstToken: 20 * time.Second, Idle: time.Minute}, cancel.FirstToken, 20 * time.Second}
		}
		g.checkStall(t, a, g.at(fmt.Sprintf("after %d bytes", at), at), want)
	}
	if first, ok := g.contentEdge(t); ok {
		a := g.whole()
		a.stall = first
		g.checkStall(t, a, g.at("after the first content", first),
			alarm{cancel.Clocks{FirstToken: time.Minute, Idle: time.Minute, Stall: 5 * time.Second}, cancel.Stall, 5 * time.Second})
	}
}

// tailWait is the longest wait for accounting after the terminal evidence.
const tailWait = 10 * time.Second

// An alarm is the clock that has to fire, and when.
type alarm struct {
	clocks cancel.Clocks
	reason cancel.Reason
	due    time.Duration
}

// checkStall plays a body that falls silent and checks what ends the stream, and
// when.
func (g *group) checkStall(t *testing.T, a act, here spot, want alarm) {
	t.Helper()
	var p played
	var took time.Duration
	var st *stage
	crash := bubble(t, func(t *testing.T) {
		m, on := g.model(t, a)
		st = on
		begin := time.Now()
		p = here.play(cancel.WithClocks(t.Context(), want.clocks), m, g.req)
		took = time.Since(begin)
	})
	if !here.check(crash == nil, clauseOf(crash), "an end, and no goroutine left", crash) || !g.checkGrammar(p, here.how, here.offset) {
		return
	}
	g.checkClosed(st, here.how, here.offset)
	f := p.failure()
	if here.offset == len(g.body) && g.base.completed() && !here.check(p.completed(), m15, "an end without waiting: all is there", p.tellEnd) {
		return
	}
	if p.completed() || f.Kind == g.base.failure().Kind && !g.base.completed() {
		here.check(g.sameContent(p), m07, "all that the whole body says", g.tellContent(p))
		here.check(took <= tailWait, m15, say("an end within %s of the evidence", tailWait), took.String())
		return
	}
	here.check(f.Kind == events.TimedOut && string(f.Reason) == string(want.reason), m12, "Failed: timed_out/"+string(want.reason), p.tellEnd)
	here.check(errors.Is(f, want.reason), m12, "the clock's reason in the chain of the failure", say("%#v", f.Unwrap()))
	here.check(took == want.due, m12, "an end after "+want.due.String(), took.String())
	wanted := events.Answered
	if a.reach != reachHead {
		wanted = events.MaybeSent
	}
	here.check(f.Sent == wanted || f.Sent == events.Served, m13, string(wanted), string(f.Sent))
}

// clauseOf returns the clause that a bubble which did not end is of: what is left
// behind is a goroutine, and what waits for ever has no clock.
func clauseOf(crash any) string {
	if strings.Contains(fmt.Sprint(crash), "main bubble goroutine has exited") {
		return m11
	}
	return m12
}

// contentEdge returns the first edge at which content was delivered and the reply
// had not ended.
func (g *group) contentEdge(t *testing.T) (at int, ok bool) {
	t.Helper()
	m, st := g.model(t, g.whole())
	for _, at := range g.edges() {
		a := g.whole()
		a.body = g.body[:at]
		st.open(a)
		p := g.at("cut at the edge of a frame", at).play(t.Context(), m, g.req)
		for _, ev := range p.events {
			if ev.Kind.IsContent() {
				return at, !p.completed() && p.failure().Reason == events.ReasonTruncated
			}
		}
	}
	return 0, false
}
