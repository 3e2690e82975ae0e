package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// errConsumer is the panic of a consumer.
var errConsumer = errors.New("conformance: the consumer's own panic")

// An exit is what a consumer does at an event.
type exit struct {
	how string
	// do leaves the loop (false), or goes on.
	do func(*cancel.Scope) bool
	// ends: it goes on, and the context ends.
	ends bool
}

func exits() []exit {
	return []exit{
		{"break", func(*cancel.Scope) bool { return false }, false},
		{"panic", func(*cancel.Scope) bool { panic(errConsumer) }, false},
		{"runtime.Goexit", func(*cancel.Scope) bool { runtime.Goexit(); return false }, false},
		{"cancel", func(s *cancel.Scope) bool { s.Cancel(cancel.Superseded); return true }, true},
		{"deadline of the user's", func(*cancel.Scope) bool { <-time.After(2 * deadline); return true }, true}, // virtual time
	}
}

// deadline is that of the context that a consumer ranges under.
const deadline = time.Hour

// consumer leaves the loop at every event, in every way.
func (g *group) consumer(t *testing.T) {
	t.Helper()
	g.neverRanged(t)
	g.rangedTwice(t)
	events := make([]int, len(g.base.events))
	for n := range events {
		events[n] = n
	}
	for _, n := range some(events) {
		for _, e := range exits() {
			g.leave(t, n, e)
		}
	}
	g.cancelledBefore(t)
	g.cancelledInRead(t)
}

// A departure is how a consumer's range ended.
type departure struct {
	played
	recovered any
	returned  bool // the range came to its end, or was left by break
}

// leave ranges a stream whose body stays open, and does something at the nth
// event.
func (g *group) leave(t *testing.T, nth int, e exit) {
	t.Helper()
	how := fmt.Sprintf("%s at event %d (%s)", e.how, nth+1, g.base.events[nth].Kind)
	var d departure
	var st *stage
	crash := bubble(t, func(t *testing.T) {
		scope, closed := g.scope(t, e)
		defer closed()
		a := g.whole()
		a.stall = len(g.body)
		m, on := g.model(t, a)
		st = on
		d = g.at(how, -1).depart(m.Stream(scope.Context(), g.req), nth, func() bool { return e.do(scope) })
	})
	if !g.at(how, -1).check(crash == nil, m11, "no goroutine left", crash) {
		return
	}
	g.checkClosed(st, how, -1)
	g.at(how, -1).check(len(st.requests()) == 1, m04, "one request", len(st.requests()))
	switch e.how {
	case "panic":
		g.at(how, -1).check(d.recovered == any(errConsumer), m11, "the consumer's own panic", d.recovered)
	case "runtime.Goexit":
		g.at(how, -1).check(d.recovered == nil && !d.returned, m11, "a Goexit that goes on", say("recovered %v, returned %t", d.recovered, d.returned))
	case "break":
		// One more yield is the runtime's panic, not one more event.
		g.at(how, -1).check(d.returned && len(d.events) == nth+1, m11, "nothing yielded after the loop was left", say("%d events, panic: %v", len(d.events), d.recovered))
	default:
		g.checkCancelled(d.played, e.how, how)
	}
}

// scope returns what a consumer ranges under. Where the exit is no end of it, nobody
// ends it: a goroutine that waits for that is left behind.
func (g *group) scope(t *testing.T, e exit) (scope *cancel.Scope, closed func()) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	if !e.ends {
		return cancel.New(ctx), func() {}
	}
	ctx, stop := context.WithTimeout(ctx, deadline)
	return cancel.New(ctx), stop
}

// depart ranges a stream on a goroutine of its own and does something at the nth
// event. What came is looked through as by play.
func (s spot) depart(ranged stream.Stream, nth int, do func() bool) (d departure) {
	d.reply = new(stream.Reply)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { d.recovered = recover() }()
		for ev := range ranged {
			d.events = append(d.events, ev)
			d.reply.Add(ev)
			if len(d.events) == nth+1 && !do() {
				break
			}
		}
		d.returned = true
	}()
	<-done
	s.checkSecret(d.played)
	return d
}

// checkCancelled checks a stream whose context ended while it was ranged.
func (g *group) checkCancelled(p played, exit, how string) {
	here := g.at(how, -1)
	if !g.checkGrammar(p, how, -1) {
		return
	}
	f := p.failure()
	if p.completed() || !g.base.completed() && f.Kind == g.base.failure().Kind {
		here.check(g.sameContent(p), m07, "Failed, or all that the whole body says", g.tellContent(p))
		return
	}
	kind, cause := events.Cancelled, error(cancel.Superseded)
	if exit != "cancel" {
		kind, cause = events.TimedOut, context.DeadlineExceeded
	}
	here.check(f.Kind == kind, m12, "Failed: "+string(kind), p.tellEnd)
	here.check(errors.Is(f, cause), m12, "the cause of the context in the chain", say("%v", f.Unwrap()))
	here.check(!f.Retryable(), m12, "a failure that is not retried: the user has ended it", p.tellEnd)
}

// neverRanged makes a stream and leaves it.
func (g *group) neverRanged(t *testing.T) {
	t.Helper()
	const how = "never ranged"
	var st *stage
	crash := bubble(t, func(t *testing.T) {
		m, on := g.model(t, g.whole())
		st = on
		_ = m.Stream(context.WithoutCancel(t.Context()), g.req)
	})
	g.at(how, -1).check(crash == nil, m03, "no goroutine", crash)
	g.at(how, -1).check(len(st.requests()) == 0, m03, "nothing sent", number(len(st.requests()), "request"))
}

// rangedTwice ranges a stream a second time.
func (g *group) rangedTwice(t *testing.T) {
	t.Helper()
	const how = "ranged twice"
	m, st := g.model(t, g.whole())
	s := m.Stream(t.Context(), g.req)
	for range s {
	}
	again := g.at(how, -1).depart(s, -1, nil)
	if !g.at(how, -1).check(again.recovered == nil, m04, "no panic", again.recovered) {
		return
	}
	f := again.failure()
	good := len(again.events) == 2 && again.events[0].Kind == events.Started &&
		f.Kind == events.InvalidRequest && f.Reason == events.ReasonStreamUsed && f.Sent == events.NotSent
	g.at(how, -1).check(good, m04, "Started, Failed: invalid_request/stream_used, not_sent", again.events)
	g.at(how, -1).check(len(st.requests()) == 1, m04, "one request", len(st.requests()))
}

// cancelledBefore ranges a stream whose context has ended.
func (g *group) cancelledBefore(t *testing.T) {
	t.Helper()
	const how = "cancelled before the range"
	scope := cancel.New(t.Context())
	m, st := g.model(t, g.whole())
	s := m.Stream(scope.Context(), g.req)
	scope.Cancel(cancel.Superseded)
	p := g.at(how, -1).depart(s, -1, nil).played
	f := p.failure()
	if !g.at(how, -1).check(f.Kind == events.Cancelled && errors.Is(f, cancel.Superseded), m12, "Failed: cancelled, with its cause", p.tellEnd) {
		return
	}
	g.at(how, -1).check(f.Sent == events.NotSent || len(st.requests()) > 0, m13, "not_sent", string(f.Sent))
}

// cancelledInRead cancels while a read waits.
func (g *group) cancelledInRead(t *testing.T) {
	t.Helper()
	if g.status != 200 {
		return
	}
	for _, reach := range []reach{reachHead, reachWritten} {
		how := "cancelled while it waits for the head"
		if reach == reachHead {
			how = "cancelled while it waits for a byte"
		}
		var p played
		crash := bubble(t, func(t *testing.T) {
			scope := cancel.New(t.Context())
			defer scope.Close()
			a := g.whole()
			a.reach, a.stall = reach, 0
			m, _ := g.model(t, a)
			time.AfterFunc(time.Second, func() { scope.Cancel(cancel.Superseded) })
			p = g.at(how, -1).play(scope.Context(), m, g.req)
		})
		if g.at(how, -1).check(crash == nil, m11, "no goroutine left", crash) {
			g.checkCancelled(p, "cancel", how)
		}
	}
}
