package otelweir_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/caller/otelweir"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
)

// A seen is what matters of one span.
type seen struct {
	name, status, errorType string
}

// one makes a Generate.
func one(t *testing.T, c *caller.Caller) { _, _ = c.Generate(t.Context(), ask("hi")) }

// inLoop ranges a stream with a body, on a goroutine that body may end.
func inLoop(body func(events.Event) bool) func(*testing.T, *caller.Caller) {
	return func(t *testing.T, c *caller.Caller) {
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() { _ = recover() }() // the body's own
			for ev := range c.Stream(t.Context(), ask("hi")).Events() {
				if !body(ev) {
					break
				}
			}
		})
		wg.Wait()
	}
}

// atText does something at the first text and goes on otherwise.
func atText(do func() bool) func(events.Event) bool {
	return func(ev events.Event) bool { return ev.Kind != events.TextDelta || do() }
}

func atEnd(do func() bool) func(events.Event) bool {
	return func(ev events.Event) bool { return ev.Kind != events.Completed || do() }
}

// unbooked is a ledger that cannot settle.
type unbooked struct{ ledger.Ledger }

func (unbooked) Settle(context.Context, ledger.Settlement) error { return errors.New("down") }

// TestExits: every way out of a call ends each span once and says how.
func TestExits(t *testing.T) {
	t.Parallel()
	ok := says("hello", 10, 5)
	cut := of(started(), events.NewUsageUpdated(events.Usage{Input: events.Known(10)}), events.NewTextDelta(0, "hel"), events.NewFailed(events.NewFailure(events.InvalidReply, events.ReasonLostConnection, "")))
	other := newScript(ok)
	other.name = "xai:other"
	for _, tt := range []struct {
		name   string
		plays  []play
		config caller.Config
		act    func(*testing.T, *caller.Caller)
		want   []seen
	}{
		{"completed", []play{ok}, caller.Config{}, one, []seen{{"chat m", "ok", ""}}},
		{"streamed", []play{ok}, caller.Config{}, inLoop(func(events.Event) bool { return true }), []seen{{"chat m", "ok", ""}}},
		{"retried", []play{overloaded(), ok}, caller.Config{MaxRetries: 2}, one, []seen{{"chat m", "ambiguous", "overloaded/server"}, {"chat m", "ok", ""}}},
		{"exhausted", []play{overloaded()}, caller.Config{MaxRetries: 1}, one, []seen{{"chat m", "ambiguous", "overloaded/server"}, {"chat m", "ambiguous", "overloaded/server"}}},
		{"fallback", []play{overloaded()}, caller.Config{Fallback: []providers.Model{other}}, one, []seen{{"chat m", "ambiguous", "overloaded/server"}, {"chat other", "ok", ""}}},
		{"ambiguous", []play{cut}, caller.Config{}, one, []seen{{"chat m", "ambiguous", "invalid_reply/lost_connection"}}},
		{"crashed", []play{func(context.Context, func(events.Event) bool) { panic("model") }}, caller.Config{}, one, []seen{{"chat m", "ambiguous", "crashed"}}},
		{"unbooked", []play{ok}, caller.Config{Ledger: unbooked{memory.New(memory.Options{})}}, one, []seen{{"chat m", "ok", "limit/ledger_unavailable"}}},
		{"break", []play{ok}, caller.Config{}, inLoop(atText(func() bool { return false })), []seen{{"chat m", "ambiguous", "cancelled/abandoned"}}},
		{"panic", []play{ok}, caller.Config{}, inLoop(atText(func() bool { panic("consumer") })), []seen{{"chat m", "ambiguous", "cancelled/consumer_panic"}}},
		{"goexit", []play{ok}, caller.Config{}, inLoop(atText(func() bool { runtime.Goexit(); return true })), []seen{{"chat m", "ambiguous", "cancelled/consumer_panic"}}},
		{"break at the end", []play{ok}, caller.Config{}, inLoop(atEnd(func() bool { return false })), []seen{{"chat m", "ok", ""}}},
		{"panic at the end", []play{ok}, caller.Config{}, inLoop(atEnd(func() bool { panic("consumer") })), []seen{{"chat m", "ok", ""}}},
		{"goexit at the end", []play{ok}, caller.Config{}, inLoop(atEnd(func() bool { runtime.Goexit(); return true })), []seen{{"chat m", "ok", ""}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, otelweir.Options{})
			tt.act(t, l.caller(newScript(tt.plays...), tt.config))
			assert.Equal(t, tt.want, l.seen())
		})
	}
}

func (l *lab) seen() []seen {
	var all []seen
	for _, span := range l.spans.Ended() {
		a := attributes(span)
		text := func(name string) string { s, _ := a[name].(string); return s }
		s := seen{span.Name(), text("weir.status"), text("error.type")}
		if (span.Status().Code == codes.Error) != (s.errorType != "") || span.Status().Description != "" {
			s.status += ", but the span's is " + span.Status().Code.String() + " " + span.Status().Description
		}
		all = append(all, s)
	}
	return all
}

// TestCancelled: a context that is cancelled at work, and one that was before.
func TestCancelled(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	c := l.caller(newScript(func(ctx context.Context, emit func(events.Event) bool) {
		if emit(started()) && emit(events.NewTextDelta(0, "a")) {
			cancel()
			<-ctx.Done()
			emit(events.NewFailed(events.NewFailure(events.Cancelled, events.ReasonUser, "")))
		}
	}), caller.Config{})
	_, err := c.Generate(ctx, ask("hi"))
	require.Error(t, err)
	_, err = c.Generate(ctx, ask("hi"))
	require.Error(t, err)
	assert.Equal(t, []seen{{"chat m", "ambiguous", "cancelled/user"}, {"weir.refused m", "refused", "cancelled/user"}}, l.seen())
	assert.Equal(t, point{Count: 1}.Count, l.points(t)["gen_ai.client.operation.duration"][durationOf("cancelled/user", "m-2026")].Count, "a cancelled context loses no metric")
}

// TestLatch: the feature that was refused is left out of the next attempt.
func TestLatch(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	req := ask("hi")
	temperature := 1.0
	req.Temperature = &temperature
	c := l.caller(newScript(fails(events.Rejected, events.ReasonUnsupported, refusesTemperature), says("a", 1, 1)), caller.Config{})
	_, err := c.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, []seen{{"chat m", "error", "rejected/unsupported"}, {"chat m", "ok", ""}}, l.seen())
	first, second := attributes(l.spans.Ended()[0]), attributes(l.spans.Ended()[1])
	assert.NotContains(t, first, "weir.without")
	assert.Equal(t, []string{"temperature"}, second["weir.without"])
	assert.Equal(t, int64(2), second["weir.attempt.number"])
	assert.NotContains(t, l.points(t), "weir.retries", "it is another attempt, not the same again")
}

// TestUnbooked: an attempt that the ledger could not be told of says so.
func TestUnbooked(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	one(t, l.caller(newScript(says("a", 1, 1)), caller.Config{Ledger: unbooked{memory.New(memory.Options{})}}))
	assert.Equal(t, true, attributes(l.only(t))["weir.unbooked"])
}

// TestEnd: a span ends when its attempt does, however long the consumer keeps the last
// event of the reply.
func TestEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, otelweir.Options{})
		for ev := range l.caller(newScript(says("a", 1, 1)), caller.Config{}).Stream(t.Context(), ask("hi")).Events() {
			if ev.Kind == events.Completed {
				span := l.only(t)
				time.Sleep(time.Hour)
				assert.Zero(t, span.EndTime().Sub(span.StartTime()))
			}
		}
	})
}

// TestAttempts: the attempts of a call tell by themselves what followed what.
func TestAttempts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, otelweir.Options{})
		other := newScript(says("a", 1, 1))
		other.name = "xai:other"
		slow := func(f *events.Failure) { f.RetryAfter = 3 * time.Second }
		c := l.caller(newScript(fails(events.Overloaded, events.ReasonServer, slow)), caller.Config{MaxRetries: 1, Fallback: []providers.Model{other}})
		_, err := c.Generate(t.Context(), ask("hi"))
		require.NoError(t, err)
		spans := l.spans.Ended()
		require.Len(t, spans, 3)
		call := attributes(spans[0])["weir.call.id"]
		for i, model := range []string{"m", "m", "other"} {
			got := attributes(spans[i])
			assert.Equal(t, int64(i+1), got["weir.attempt.number"])
			assert.Equal(t, model, got["gen_ai.request.model"])
			assert.Equal(t, call, got["weir.call.id"])
		}
		assert.Equal(t, 3*time.Second, spans[1].StartTime().Sub(spans[0].EndTime()), "the wait is between them")
	})
}

// TestRefused: an attempt that was not sent is a span of its own, in the trace of the call.
func TestRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	c := l.caller(newScript(overloaded()), caller.Config{MaxRetries: 3})
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxCalls: 1}})
	require.NoError(t, err)
	ctx, app := l.tracer.Start(caller.WithRun(t.Context(), run), "app")
	_, err = c.Generate(ctx, ask("hi"))
	require.Error(t, err)
	app.End()
	assert.Equal(t, []seen{{"chat m", "ambiguous", "overloaded/server"}, {"weir.refused m", "refused", "limit/limit_calls"}, {"app", "", ""}}, l.seen())
	refused := l.spans.Ended()[1]
	assert.Equal(t, trace.SpanKindInternal, refused.SpanKind())
	assert.Equal(t, app.SpanContext().SpanID(), refused.Parent().SpanID())
	got := attributes(refused)
	assert.NotContains(t, got, "gen_ai.operation.name", "there was none")
	assert.Equal(t, attributes(l.spans.Ended()[0])["weir.call.id"], got["weir.call.id"])
	assert.Equal(t, "r", got["weir.run"])
	assert.Equal(t, int64(2), got["weir.attempt.number"])

	inner, refusals := caller.WithoutCalls(t.Context())
	_, err = c.Generate(inner, ask("hi"))
	require.Error(t, err)
	require.Error(t, refusals())
	last := attributes(l.spans.Ended()[3])
	assert.Equal(t, "limit/limit_calls", last["error.type"])
	assert.NotContains(t, last, "weir.attempt.number", "there was no attempt yet")
}
