package otelweir_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/otelweir"
	"github.com/weirsdk/weir/events"
)

// The attributes of the scripted model's points, as the SDK writes a set: sorted.

func tokensOf(kind string) string {
	return "gen_ai.operation.name=chat,gen_ai.provider.name=mistral_ai,gen_ai.request.model=m,gen_ai.response.model=m-2026,gen_ai.token.type=" + kind
}

func durationOf(errorType, answered string) string {
	set := "gen_ai.operation.name=chat,gen_ai.provider.name=mistral_ai,gen_ai.request.model=m"
	if answered != "" {
		set += ",gen_ai.response.model=" + answered
	}
	if errorType != "" {
		set = "error.type=" + errorType + "," + set
	}
	return set
}

func countOf(errorType, rest string) string {
	set := "gen_ai.provider.name=mistral_ai,gen_ai.request.model=m"
	if errorType != "" {
		set = "error.type=" + errorType + "," + set
	}
	return strings.TrimSuffix(set+","+rest, ",")
}

// TestMetrics holds all points of a call that was retried, one that was refused and
// one that broke.
func TestMetrics(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	cut := of(started(), events.NewUsageUpdated(events.Usage{Input: events.Known(3)}), events.NewTextDelta(0, "hel"),
		events.NewFailed(events.NewFailure(events.InvalidReply, events.ReasonMalformed, "")))
	c := l.caller(newScript(overloaded(), says("hello", 10, 5), cut), caller.Config{MaxRetries: 1, Prices: prices()})
	first, err := c.Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	for range c.Stream(t.Context(), ask("hi")).Events() {
	}
	inner, _ := caller.WithoutCalls(t.Context())
	_, err = c.Generate(inner, ask("hi"))
	require.Error(t, err)

	got := l.points(t)
	assert.Equal(t, map[string]point{tokensOf("input"): {Count: 2, Sum: 13}, tokensOf("output"): {Count: 1, Sum: 5}}, got["gen_ai.client.token.usage"], "the broken one counts what is certain")
	var durations []string
	for set, p := range got["gen_ai.client.operation.duration"] {
		durations = append(durations, set)
		assert.Equal(t, uint64(1), p.Count, set)
	}
	assert.ElementsMatch(t, []string{durationOf("overloaded/server", ""), durationOf("", "m-2026"), durationOf("invalid_reply/malformed", "m-2026")}, durations)
	require.Len(t, got["gen_ai.client.operation.time_to_first_chunk"], 1)
	assert.Equal(t, uint64(2), got["gen_ai.client.operation.time_to_first_chunk"][durationOf("", "m-2026")].Count, "the overloaded one sent no chunk")
	assert.Equal(t, map[string]point{
		countOf("overloaded/server", "weir.status=ambiguous"):       {Sum: 1},
		countOf("", "weir.status=ok"):                               {Sum: 1},
		countOf("invalid_reply/malformed", "weir.status=ambiguous"): {Sum: 1},
		countOf("limit/limit_calls", "weir.status=refused"):         {Sum: 1},
	}, got["weir.attempts"])
	assert.Equal(t, map[string]point{countOf("overloaded/server", ""): {Sum: 1}}, got["weir.retries"])
	assert.InDelta(t, 20, got["weir.cost"][countOf("", "weir.cost.certainty=exact")].Sum, 0)
	estimated := got["weir.cost"][countOf("", "weir.cost.certainty=estimated")].Sum
	assert.Greater(t, estimated, float64(first.Cost-20), "an ambiguous attempt is charged its estimate")
}

// TestInstruments: names, units and boundaries are those of the conventions.
func TestInstruments(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	_, err := l.caller(newScript(overloaded(), says("a", 1, 1)), caller.Config{Prices: prices(), MaxRetries: 1}).Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	got := l.metrics(t)
	units := map[string]string{}
	for name, m := range got {
		units[name] = m.Unit
		assert.NotEmpty(t, m.Description, name)
	}
	assert.Equal(t, map[string]string{
		"gen_ai.client.token.usage": "{token}", "gen_ai.client.operation.duration": "s", "gen_ai.client.operation.time_to_first_chunk": "s",
		"weir.cost": "{microdollar}", "weir.attempts": "{attempt}", "weir.retries": "{retry}",
	}, units)
	tokens := got["gen_ai.client.token.usage"].Data.(metricdata.Histogram[int64])
	for i, b := range tokens.DataPoints[0].Bounds {
		assert.InDelta(t, float64(int64(1)<<(2*i)), b, 0, "powers of 4")
	}
	assert.Len(t, tokens.DataPoints[0].Bounds, 14)
	for _, name := range []string{"gen_ai.client.operation.duration", "gen_ai.client.operation.time_to_first_chunk"} {
		bounds := got[name].Data.(metricdata.Histogram[float64]).DataPoints[0].Bounds
		require.Len(t, bounds, 14)
		for i, b := range bounds {
			assert.InDelta(t, 0.01*float64(int64(1)<<i), b, 1e-9, "doubled from 0.01")
		}
	}
}

// TestUnpriced: what nobody knows counts nowhere.
func TestUnpriced(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	unknown := of(started(), events.NewTextDelta(0, "a"), events.NewCompleted(events.Completion{Stop: events.StopEnd}))
	_, err := l.caller(newScript(unknown), caller.Config{}).Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	got := l.points(t)
	assert.NotContains(t, got, "weir.cost")
	assert.NotContains(t, got, "gen_ai.client.token.usage")
	assert.Contains(t, got, "weir.attempts")

	free := newLab(t, otelweir.Options{})
	unsent := fails(events.Unreachable, events.ReasonConnect, func(f *events.Failure) { f.Sent = events.NotSent })
	_, err = free.caller(newScript(unsent), caller.Config{Prices: prices()}).Generate(t.Context(), ask("hi"))
	require.Error(t, err)
	assert.NotContains(t, free.points(t), "weir.cost", "what was not sent makes no series")
}

// TestConcurrent: calls at once keep apart, and every attempt counts once.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	const calls = 64
	l := newLab(t, otelweir.Options{RecordContent: true})
	c := l.caller(newScript(l.overHTTP(says("hello", 10, 5))), caller.Config{Prices: prices()})
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			ctx, app := l.tracer.Start(t.Context(), "app")
			defer app.End()
			if i%2 == 0 {
				_, err := c.Generate(ctx, ask("hi"))
				assert.NoError(t, err)
				return
			}
			for ev := range c.Stream(ctx, ask("hi")).Events() {
				if i%4 == 1 && ev.Kind == events.TextDelta {
					break
				}
			}
		})
	}
	wg.Wait()
	assert.Len(t, l.spans.Ended(), 3*calls)
	traces := map[string]int{}
	for _, s := range l.spans.Ended() {
		traces[s.SpanContext().TraceID().String()]++
	}
	assert.Len(t, traces, calls)
	for id, n := range traces {
		assert.Equal(t, 3, n, id)
	}
	attempts := l.points(t)["weir.attempts"]
	assert.InDelta(t, calls*3/4, attempts[countOf("", "weir.status=ok")].Sum, 0)
	assert.InDelta(t, calls/4, attempts[countOf("cancelled/abandoned", "weir.status=ambiguous")].Sum, 0)
}

// broken is a meter provider whose meters make nothing.
type broken struct{ noop.MeterProvider }

func (broken) Meter(string, ...metric.MeterOption) metric.Meter { return brokenMeter{} }

type brokenMeter struct{ noop.Meter }

var errMeter = errors.New("no instrument")

func (brokenMeter) Int64Counter(string, ...metric.Int64CounterOption) (metric.Int64Counter, error) {
	return nil, errMeter
}

func TestNewFails(t *testing.T) {
	t.Parallel()
	o, err := otelweir.New(otelweir.Options{MeterProvider: broken{}})
	assert.Nil(t, o)
	require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
	assert.ErrorIs(t, err, errMeter)
}

// globals sets the global providers, which hand themselves on to what was made before
// only once in a process.
var globals = sync.OnceValues(func() (*tracetest.SpanRecorder, *sdkmetric.ManualReader) {
	spans, reader := tracetest.NewSpanRecorder(), sdkmetric.NewManualReader()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)))
	otel.SetMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	return spans, reader
})

// TestGlobals: an observer made before the program has set up its providers uses them.
func TestGlobals(t *testing.T) {
	o, err := otelweir.New(otelweir.Options{})
	require.NoError(t, err)
	spans, reader := globals()
	before := len(spans.Ended())
	_, err = caller.New(newScript(says("a", 1, 1)), caller.Config{Observer: o}).Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Len(t, spans.Ended(), before+1)
	var collected metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &collected))
	assert.NotEmpty(t, collected.ScopeMetrics)
}
