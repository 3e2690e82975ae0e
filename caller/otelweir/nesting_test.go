package otelweir_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/otelweir"
	"github.com/weirsdk/weir/events"
)

// overHTTP is a play whose exchange makes a span, as an instrumented client does.
func (l *lab) overHTTP(next play) play {
	return func(ctx context.Context, emit func(events.Event) bool) {
		ctx, span := l.tracer.Start(ctx, "POST", trace.WithSpanKind(trace.SpanKindClient))
		defer span.End()
		next(ctx, emit)
	}
}

// tree returns the name of each span's parent by the span's own name.
func (l *lab) tree() map[string]string {
	names := map[trace.SpanID]string{}
	for _, s := range l.spans.Started() {
		names[s.SpanContext().SpanID()] = s.Name()
	}
	parents := map[string]string{}
	for _, s := range l.spans.Started() {
		parents[s.Name()] = names[s.Parent().SpanID()]
	}
	return parents
}

// TestParents: application, attempt, exchange; and a call of a tool's handler belongs
// to the tool, not to the attempt whose reply asked for it.
func TestParents(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	helper := newScript(says("inner", 1, 1))
	helper.name = "openai:helper"
	inner, outer := l.caller(helper, caller.Config{}), l.caller(newScript(l.overHTTP(says("outer", 1, 1))), caller.Config{})
	ctx, app := l.tracer.Start(t.Context(), "app")
	for ev := range outer.Stream(ctx, ask("hi")).Events() {
		if ev.Kind != events.TextDelta {
			continue
		}
		toolCtx, tool := l.tracer.Start(ctx, "execute_tool")
		_, err := inner.Generate(toolCtx, ask("help"))
		require.NoError(t, err)
		tool.End()
	}
	app.End()
	assert.Equal(t, map[string]string{"app": "", "chat m": "app", "POST": "chat m", "execute_tool": "app", "chat helper": "execute_tool"}, l.tree())
	tokens := l.points(t)["gen_ai.client.token.usage"]
	assert.Len(t, tokens, 4, "both calls count: neither is inside the other's attempt")
}

// TestNested: a call that a model makes is inside the attempt, and counts once.
func TestNested(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	wire := newScript(fails(events.Rejected, events.ReasonAuth), says("inner", 7, 7))
	wire.name = "openai:wire"
	inner := l.caller(wire, caller.Config{})
	outer := l.caller(newScript(func(ctx context.Context, emit func(events.Event) bool) {
		_, _ = inner.Generate(ctx, ask("hi"))
		_, _ = inner.Generate(ctx, ask("hi"))
		forbidden, _ := caller.WithoutCalls(ctx)
		_, _ = inner.Generate(forbidden, ask("hi"))
		says("outer", 10, 5)(ctx, emit)
	}), caller.Config{})
	_, err := outer.Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"chat m": "", "chat wire": "chat m", "weir.refused wire": "chat m"}, l.tree())
	require.Len(t, l.spans.Ended(), 4)
	for _, span := range l.spans.Ended()[:3] {
		assert.Equal(t, true, attributes(span)["weir.nested"], span.Name())
	}
	assert.NotContains(t, attributes(l.spans.Ended()[3]), "weir.nested")
	for name, points := range l.points(t) {
		for set := range points {
			assert.NotContains(t, set, "openai", name)
		}
	}
	assert.InDelta(t, 10, l.points(t)["gen_ai.client.token.usage"][tokensOf("input")].Sum, 0)
}

// TestTwoObservers: another observer of the same attempt is not an attempt around it.
func TestTwoObservers(t *testing.T) {
	t.Parallel()
	a, b := newLab(t, otelweir.Options{}), newLab(t, otelweir.Options{})
	c := caller.New(newScript(says("a", 10, 5)), caller.Config{Observer: caller.Observers(a.Observer, b.Observer)})
	_, err := c.Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	for _, l := range []*lab{a, b} {
		assert.NotContains(t, attributes(l.only(t)), "weir.nested")
		assert.Equal(t, "ok", attributes(l.only(t))["weir.status"])
		assert.Len(t, l.points(t)["gen_ai.client.token.usage"], 2)
	}
}

// TestWithoutContext: hidden in a function, an observer still counts.
func TestWithoutContext(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	hidden := caller.ObserverFunc(func(ctx context.Context, step caller.Step) { l.Observe(ctx, step) })
	c := caller.New(newScript(says("a", 10, 5)), caller.Config{Observer: hidden})
	_, err := c.Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Empty(t, l.spans.Started())
	assert.InDelta(t, 10, l.points(t)["gen_ai.client.token.usage"][tokensOf("input")].Sum, 0)
}

// TestHiddenInside: what a hidden observer is told of a call inside an attempt is not of
// that attempt.
func TestHiddenInside(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	hidden := caller.ObserverFunc(func(ctx context.Context, step caller.Step) { l.Observe(ctx, step) })
	inner := caller.New(newScript(overloaded()), caller.Config{Observer: hidden})
	outer := l.caller(newScript(func(ctx context.Context, emit func(events.Event) bool) {
		_, _ = inner.Generate(ctx, ask("hi"))
		says("outer", 10, 5)(ctx, emit)
	}), caller.Config{})
	_, err := outer.Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, []seen{{"chat m", "ok", ""}}, l.seen())
	assert.Equal(t, "resp-1", attributes(l.only(t))["gen_ai.response.id"])
}

// TestUnsampled: without a span that records, the metrics are the same.
func TestUnsampled(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	meters := newLab(t, otelweir.Options{})
	never := sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()), sdktrace.WithSpanProcessor(l.spans))
	o, err := otelweir.New(otelweir.Options{TracerProvider: never, MeterProvider: meters.provider, RecordContent: true})
	require.NoError(t, err)
	_, err = caller.New(newScript(says("a", 10, 5)), caller.Config{Observer: o}).Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Empty(t, l.spans.Started())
	assert.InDelta(t, 10, meters.points(t)["gen_ai.client.token.usage"][tokensOf("input")].Sum, 0)
}

// TestOthersPanic: an observer after this one that panics at any step loses no span.
func TestOthersPanic(t *testing.T) {
	t.Parallel()
	for _, kind := range []caller.StepKind{
		caller.StepReserved, caller.StepDispatched, caller.StepStarted, caller.StepFirstContent, caller.StepSettled,
		caller.StepRetried, caller.StepFinished,
	} {
		l := newLab(t, otelweir.Options{})
		other := caller.ObserverFunc(func(_ context.Context, step caller.Step) {
			if step.Kind == kind {
				panic("other")
			}
		})
		c := caller.New(newScript(overloaded(), says("a", 1, 1)), caller.Config{MaxRetries: 1, Backoff: -1, Observer: caller.Observers(l.Observer, other)})
		func() {
			defer func() { _ = recover() }()
			_, _ = c.Generate(t.Context(), ask("hi"))
		}()
		assert.Len(t, l.spans.Ended(), len(l.spans.Started()), kind)
	}
}
