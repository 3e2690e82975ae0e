package validator_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// A source is a stream that notes what is done to it.
type source struct {
	events []events.Event
	// deaf makes it go on after yield returned false, as no stream should.
	deaf bool

	ranged, yielded, refused, closed int
}

func (s *source) stream(yield func(events.Event) bool) {
	s.ranged++
	defer func() { s.closed++ }()
	for _, ev := range s.events {
		s.yielded++
		if !yield(ev) {
			s.refused++
			if !s.deaf {
				return
			}
		}
	}
}

// from returns a source of a script's words.
func from(tb testing.TB, words ...string) *source {
	tb.Helper()
	s := &source{}
	for _, word := range words {
		s.events = append(s.events, parse(tb, word))
	}
	return s
}

// collect ranges s to its end and holds what it gives to the grammar.
func collect(tb testing.TB, s stream.Stream) []events.Event {
	tb.Helper()
	var got []events.Event
	var v validator.Validator
	for ev := range s {
		require.NoError(tb, v.Observe(ev), "event %d of the guarded stream: %v", len(got)+1, ev)
		got = append(got, ev)
	}
	_, err := v.Finish()
	require.NoError(tb, err)
	return got
}

// failureOf returns the failure that a stream ended with.
func failureOf(tb testing.TB, got []events.Event) *events.Failure {
	tb.Helper()
	require.NotEmpty(tb, got)
	f, ok := got[len(got)-1].Failure()
	require.True(tb, ok, "%v", got)
	return f
}

func reply() []string {
	return []string{
		"start", "h0", "t1", "t1", "q1", "c2", `a2={"a":`, "a2=1}", `d2={"a":1}`, "s3", "e3", "m4", "u=3", "n", "done=tool_use",
	}
}

func TestGuardPassesValidStreams(t *testing.T) {
	t.Parallel()
	for _, words := range [][]string{reply(), {"start", "t0", "fail=rate_limited"}, {"start", "done"}} {
		s := from(t, words...)
		guarded := validator.Guard(s.stream)
		assert.Zero(t, s.ranged, "guarding does nothing")
		got := collect(t, guarded)
		require.Len(t, got, len(s.events))
		for i, ev := range got {
			assert.True(t, s.events[i].Equal(ev), "event %d: %v", i+1, ev)
		}
		assert.Equal(t, 1, s.closed)
		collect(t, guarded)
		assert.Equal(t, 2, s.ranged, "a guard adds no state between two ranges")
	}
}

// TestGuardOnScripts plays every script, violations and all, through a guard:
// what comes out is valid whatever goes in, and the first violation ends it.
func TestGuardOnScripts(t *testing.T) {
	t.Parallel()
	for _, script := range scripts(t) {
		t.Run(script.where, func(t *testing.T) {
			t.Parallel()
			guardScript(t, script)
		})
	}
}

func guardScript(t *testing.T, script script) {
	t.Helper()
	p := newPair(t, validator.Limits{})
	s, first := &source{}, validator.Rule("")
	for _, word := range script.words {
		word, want, _ := cutWord(word)
		if name, n, ok := limitWord(word); ok {
			setLimit(t, &p.limits, name, n)
			continue
		}
		if word != "eof" {
			s.events = append(s.events, parse(t, word))
		}
		if first == "" && want != "G03" {
			first = validator.Rule(want)
		}
	}
	got := collect(t, validator.Guard(s.stream, validator.WithLimits(p.limits)))
	assert.Equal(t, 1, s.closed)
	if first == "" {
		return
	}
	f := failureOf(t, got)
	assert.Equal(t, events.InvalidReply, f.Kind)
	assert.Equal(t, events.ReasonProtocolViolation, f.Reason)
	var bad *validator.Violation
	require.ErrorAs(t, got[len(got)-1].Err(), &bad)
	assert.Equal(t, first, bad.Rule)
}

func TestGuardTurnsAViolationIntoFailed(t *testing.T) {
	t.Parallel()
	start := events.NewStarted(events.Start{RequestID: "req_1", RateLimits: &events.RateLimits{Requests: events.RateWindow{Limit: events.Known(9)}}})
	notSent := events.NewFailed(&events.Failure{Kind: events.Unreachable, Sent: events.NotSent, Provider: "p"})
	usage := func(in int64, final bool) events.Event {
		return events.NewUsageUpdated(events.Usage{Input: events.Known(in), Final: final})
	}
	huge := events.NewUsageUpdated(events.Usage{Input: events.Known(5), Raw: strings.Repeat(" ", validator.DefaultLimits().DataBytes+1)})
	noCall := events.NewCompleted(events.Completion{Stop: events.StopToolUse, Usage: events.Usage{Output: events.Known(9)}})
	tests := []struct {
		name, why string
		in        []events.Event
		count     int
		sent      events.Sent
		usage     events.Usage
		id        string
	}{
		{
			name: "no event", why: "nothing shows that a request got anywhere",
			count: 2, sent: events.MaybeSent,
		},
		{
			name: "no start", why: "Started goes before Failed; a piece is an answer",
			in: []events.Event{events.NewTextDelta(0, "x")}, count: 2, sent: events.Answered,
		},
		{
			name: "failed without started", why: "what the refused failure knows of the exchange stays",
			in: []events.Event{notSent}, count: 2, sent: events.NotSent,
		},
		{
			name: "usage seen", why: "the usage so far and what Started told go into the failure",
			in:    []events.Event{start, usage(3, false), usage(4, false), events.NewTextDelta(7, "x")},
			count: 4, sent: events.Answered, usage: events.Usage{Input: events.Known(4)}, id: "req_1",
		},
		{
			name: "final usage", why: "final usage is evidence that the provider served the request",
			in:    []events.Event{start, usage(3, true), events.NewTextDelta(7, "x")},
			count: 3, sent: events.Served, usage: events.Usage{Input: events.Known(3), Final: true}, id: "req_1",
		},
		{
			name: "refused completion", why: "its usage was read, and it is the provider's terminal",
			in:    []events.Event{start, usage(3, false), noCall},
			count: 3, sent: events.Served, usage: events.Usage{Input: events.Known(3), Output: events.Known(9)}, id: "req_1",
		},
		{
			name: "refused completion without usage", why: "final usage stays when the terminal tells none",
			in:    []events.Event{start, usage(3, true), events.NewCompleted(events.Completion{Stop: events.StopToolUse})},
			count: 3, sent: events.Served, usage: events.Usage{Input: events.Known(3), Final: true}, id: "req_1",
		},
		{
			name: "insane usage", why: "a count that is refused does not go on in the failure",
			in:    []events.Event{start, usage(3, false), usage(-1, false)},
			count: 3, sent: events.Answered, usage: events.Usage{Input: events.Known(3)}, id: "req_1",
		},
		{
			name: "oversize raw usage", why: "its counts are good, its raw text is what is too large",
			in:    []events.Event{start, huge},
			count: 2, sent: events.Answered, usage: events.Usage{Input: events.Known(5)}, id: "req_1",
		},
		{
			name: "oversize raw usage after another", why: "the raw text that was kept stays",
			in:    []events.Event{start, events.NewUsageUpdated(events.Usage{Input: events.Known(3), Raw: "{}"}), huge},
			count: 3, sent: events.Answered, usage: events.Usage{Input: events.Known(5), Raw: "{}"}, id: "req_1",
		},
		{
			name: "cut", why: "a stream that ends without a terminal",
			in: []events.Event{start, events.NewTextDelta(0, "x")}, count: 3, sent: events.Answered, id: "req_1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &source{events: tt.in}
			got := collect(t, validator.Guard(s.stream))
			require.Len(t, got, tt.count, tt.why)
			f := failureOf(t, got)
			assert.Equal(t, events.InvalidReply, f.Kind)
			assert.Equal(t, events.ReasonProtocolViolation, f.Reason)
			assert.Equal(t, tt.sent, f.Sent, tt.why)
			assert.Equal(t, tt.usage, f.Usage, tt.why)
			assert.Equal(t, tt.id, f.RequestID, tt.why)
			assert.Equal(t, tt.id != "", f.RateLimits != nil, tt.why)
		})
	}
}

func TestGuardStopsTheStream(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, why string
		words     []string
		taken     int
		count     int
	}{
		{"terminal", "nothing after the terminal is asked for", []string{"start", "done", "t0", "done"}, 2, 2},
		{"failed", "nor after a failure", []string{"start", "fail", "start"}, 2, 2},
		{"violation", "nor after a violation", []string{"start", "t1", "t0", "done"}, 2, 2},
		{"first", "nor after a violation before Started", []string{"t0", "start", "done"}, 1, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := from(t, tt.words...)
			for ev := range validator.Guard(s.stream) {
				if ev.Kind.IsTerminal() {
					assert.Equal(t, 1, s.closed, "the stream is closed before its terminal is yielded")
				}
			}
			assert.Equal(t, tt.taken, s.yielded, tt.why)
			assert.Equal(t, 1, s.refused, tt.why)

			deaf := from(t, tt.words...)
			deaf.deaf = true
			assert.Len(t, collect(t, validator.Guard(deaf.stream)), tt.count, "a stream that does not listen is not passed on")
		})
	}
}

// TestGuardAndTheConsumer leaves the loop at every event in every way.
func TestGuardAndTheConsumer(t *testing.T) {
	t.Parallel()
	type boom struct{}
	leave := map[string]func(ranging func(stop func() bool)){
		"break": func(ranging func(func() bool)) { ranging(func() bool { return false }) },
		"panic": func(ranging func(func() bool)) {
			assert.PanicsWithValue(t, boom{}, func() { ranging(func() bool { panic(boom{}) }) })
		},
		"goexit": func(ranging func(func() bool)) { goexit(ranging) },
	}
	streams := map[string][]string{
		"valid":     reply(),
		"violation": {"start", "t0", "u=1", "t5"},
		"no start":  {"t0"},
		"cut":       {"start", "t0"},
		"empty":     nil,
	}
	for name, words := range streams {
		whole := len(collect(t, validator.Guard(from(t, words...).stream)))
		for how, run := range leave {
			for at := 1; at <= whole; at++ {
				s, seen := from(t, words...), 0
				run(func(stop func() bool) {
					// Called as a function, not ranged over, so that nothing but
					// the guard keeps it from yielding again.
					validator.Guard(s.stream)(func(events.Event) bool {
						seen++
						require.LessOrEqual(t, seen, at, "%s, %s at %d: yielded again", name, how, at)
						return seen < at || stop()
					})
				})
				assert.Equal(t, at, seen, "%s, %s at %d", name, how, at)
				assert.Equal(t, 1, s.closed, "%s, %s at %d: the stream is closed once", name, how, at)
			}
		}
	}
}

// goexit runs the loop in a goroutine that ends inside it, and waits for it.
func goexit(ranging func(stop func() bool)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		ranging(func() bool { runtime.Goexit(); return false })
	}()
	<-done
}

// TestGuardAfterASwallowedPanic: a stream that recovers the consumer's panic and
// goes on gets no more through.
func TestGuardAfterASwallowedPanic(t *testing.T) {
	t.Parallel()
	swallow := func(yield func(events.Event) bool) {
		for _, word := range []string{"start", "t0", "done"} {
			func() {
				defer func() { _ = recover() }()
				yield(parse(t, word))
			}()
		}
	}
	seen := 0
	validator.Guard(swallow)(func(events.Event) bool {
		seen++
		panic("consumer")
	})
	assert.Equal(t, 1, seen)
}

// TestGuardLeavesAPanicOfTheStream: to contain it is the job of package stream.
func TestGuardLeavesAPanicOfTheStream(t *testing.T) {
	t.Parallel()
	s := func(yield func(events.Event) bool) {
		yield(events.NewStarted(events.Start{}))
		panic("adapter")
	}
	seen := 0
	assert.PanicsWithValue(t, "adapter", func() {
		for range validator.Guard(s) {
			seen++
		}
	})
	assert.Equal(t, 1, seen)
}
