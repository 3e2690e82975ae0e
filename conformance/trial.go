package conformance

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A trial is one scenario of one adapter.
type trial struct {
	*suite
	Scenario
	response

	req      request.Request // what the scenario asks, made once: tools are compiled
	estimate charge.Estimate // of req
	base     played          // the scenario as it is
}

func (s *suite) newTrial(sc Scenario, r response) *trial {
	req := sc.ask()
	return &trial{suite: s, Scenario: sc, response: r, req: req, estimate: charge.EstimateOf(req)}
}

// A played is what came of one exchange.
type played struct {
	events []events.Event
	reply  *stream.Reply
	crash  any // a panic that came out of the range
}

// last returns the last event.
func (p played) last() events.Event {
	if len(p.events) == 0 {
		return events.Event{}
	}
	return p.events[len(p.events)-1]
}

func (p played) completed() bool { return p.last().Kind == events.Completed }

// failure returns the failure that the stream ended with, or an empty one.
func (p played) failure() *events.Failure {
	if f, ok := p.last().Failure(); ok {
		return f
	}
	return &events.Failure{}
}

// maxPlayed bounds what is taken of a stream that does not end.
const maxPlayed = 100_000

// play ranges the stream of one call to its end. Whatever is said of the stream by
// whoever plays it, no credential is in it.
func (s spot) play(ctx context.Context, m providers.Model, req request.Request) played {
	p := collect(ctx, m, req)
	s.checkSecret(p)
	return p
}

// collect ranges a stream to its end; what is collected goes through
// [spot.checkSecret].
func collect(ctx context.Context, m providers.Model, req request.Request) (p played) {
	p.reply = new(stream.Reply)
	defer func() { p.crash = recover() }()
	for ev := range m.Stream(ctx, req) {
		p.events = append(p.events, ev)
		p.reply.Add(ev)
		if len(p.events) == maxPlayed {
			break
		}
	}
	return p
}

// model returns a new model of the adapter on a stage with these acts.
func (s *suite) model(tb testing.TB, acts ...act) (providers.Model, *stage) {
	tb.Helper()
	st := new(stage)
	st.open(acts...)
	if s.adapter.New == nil {
		tb.Fatal("conformance: Adapter.New is nil")
	}
	m := s.adapter.New(tb, http.RoundTripper(st))
	if m == nil {
		tb.Fatal("conformance: Adapter.New has returned no model")
	}
	return m, st
}

// bubble runs f in a synctest bubble, where time is virtual, and returns what
// came out of it: a goroutine that is left blocked is a panic.
func bubble(t *testing.T, f func(*testing.T)) (crash any) {
	t.Helper()
	defer func() { crash = recover() }()
	synctest.Test(t, f)
	return nil
}

// A group collects the findings of one mutation, so that a fault that shows at
// every byte is told once for each clause.
type group struct {
	*trial
	mutation string
	first    []finding
}

// asItIs is the name of the group that plays a scenario without a mutation.
const asItIs = "as it is"

// mutate runs one group of mutations as a subtest.
func (tr *trial) mutate(t *testing.T, name string, run func(*testing.T, *group)) {
	t.Helper()
	if name != asItIs && !tr.wants(tr.Name+"/"+name) {
		return
	}
	t.Run(name, func(t *testing.T) {
		g := &group{trial: tr, mutation: name}
		run(t, g)
		for _, f := range g.first {
			tr.report(t, f)
		}
	})
}

// A spot is one variant of a mutation, and the place in the body that it is about.
type spot struct {
	*group
	how    string
	offset int // negative: no place
}

// at returns the spot of a variant.
func (g *group) at(how string, offset int) spot { return spot{g, how, offset} }

// check is the check of a mutation without variants.
func (g *group) check(ok bool, clause string, want, got any) bool {
	return g.at("", -1).check(ok, clause, want, got)
}

// check counts one check and keeps a finding when it does not hold. want and got are
// texts, values, or functions that make a text: nothing is printed of a check that
// holds.
func (s spot) check(ok bool, clause string, want, got any) bool {
	s.checks.Add(1)
	if ok {
		return true
	}
	for i := range s.first {
		if s.first[i].clause == clause {
			s.first[i].more++
			return false
		}
	}
	f := finding{clause: clause, scenario: s.Name, mutation: s.mutation, want: printed(want), got: printed(got)}
	if s.how != "" {
		f.mutation += ": " + s.how
	}
	if s.offset >= 0 {
		f.wire = excerpt(s.shown(), s.offset)
	}
	s.first = append(s.first, f)
	return false
}

// shown returns what the places of a mutation are in: the body, or the text that was
// edited.
func (s spot) shown() []byte {
	switch s.mutation {
	case "split", "cut", "stall", "consumer":
		return s.body
	default:
		return s.text()
	}
}

func printed(v any) string {
	if f, ok := v.(func() string); ok {
		return f()
	}
	return fmt.Sprint(v)
}

// A saying is a text that is made only when somebody reads it.
type saying struct {
	format string
	values []any
}

func say(format string, values ...any) saying { return saying{format, values} }

// String makes the text.
func (s saying) String() string { return fmt.Sprintf(s.format, s.values...) }

// number says how many there are of a thing.
func number(n int, thing string) saying {
	if n == 1 {
		return say("1 %s", thing)
	}
	return say("%d %ss", n, thing)
}

// excerpt returns the bytes around a place, the place marked by ⟨⟩.
func excerpt(body []byte, at int) string {
	const around = 60
	at = min(at, len(body))
	from, to := max(at-around, 0), min(at+around, len(body))
	before, after := strconv.Quote(string(body[from:at])), strconv.Quote(string(body[at:to]))
	return fmt.Sprintf("byte %d of %d: %s ⟨⟩ %s", at, len(body), before, after)
}
