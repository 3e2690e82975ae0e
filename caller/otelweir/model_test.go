package otelweir_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/otelweir"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A play is what a scripted model does for one attempt.
type play func(ctx context.Context, emit func(events.Event) bool)

// A script is a model that plays its plays in order, the last one for ever.
type script struct {
	name  string
	plays []play

	mu   sync.Mutex
	next int
}

func newScript(plays ...play) *script { return &script{name: "mistral:m", plays: plays} }

func (s *script) Name() string       { return s.name }
func (s *script) Spec() request.Spec { return request.Spec{} }

func (s *script) Stream(ctx context.Context, _ request.Request) stream.Stream {
	return func(yield func(events.Event) bool) {
		s.mu.Lock()
		n := min(s.next, len(s.plays)-1)
		s.next++
		s.mu.Unlock()
		s.plays[n](ctx, yield)
	}
}

// of plays fixed events.
func of(evs ...events.Event) play {
	return func(_ context.Context, emit func(events.Event) bool) {
		for _, ev := range evs {
			if !emit(ev) {
				return
			}
		}
	}
}

func started() events.Event {
	return events.NewStarted(events.Start{ResponseID: "resp-1", Model: "m-2026", RequestID: "req-1"})
}

// says plays a whole reply.
func says(text string, input, output int64) play {
	return of(started(), events.NewTextDelta(0, text), done(input, output))
}

func done(input, output int64) events.Event {
	zero := events.Known(0)
	return events.NewCompleted(events.Completion{
		Stop: events.StopEnd, RawStop: "end_turn",
		Usage: events.Usage{Input: events.Known(input), CacheRead: zero, Output: events.Known(output), Thinking: zero, Final: true},
	})
}

// fails plays a failure before any content.
func fails(kind events.FailureKind, reason events.Reason, change ...func(*events.Failure)) play {
	f := events.NewFailure(kind, reason, "")
	for _, c := range change {
		c(f)
	}
	return of(events.NewStarted(events.Start{}), events.NewFailed(f))
}

// refusesTemperature is a definite HTTP error that names a feature.
func refusesTemperature(f *events.Failure) {
	f.Status, f.Feature, f.Sent = 400, request.FeatureTemperature, events.Answered
}

func overloaded() play { return fails(events.Overloaded, events.ReasonServer) }

func ask(text string) request.Request {
	return request.Request{Messages: []request.Message{request.UserText(text)}, MaxOutputTokens: 100}
}

// A lab is an observer with everything that it makes.
type lab struct {
	*otelweir.Observer
	spans  *tracetest.SpanRecorder
	tracer trace.Tracer
	reader *metric.ManualReader
	// provider makes the metrics that reader reads.
	provider *metric.MeterProvider
}

// newLab returns an observer whose spans and metrics stay here. At the end of the test
// every span that was started has ended.
func newLab(t testing.TB, options otelweir.Options) *lab {
	t.Helper()
	l := &lab{spans: tracetest.NewSpanRecorder(), reader: metric.NewManualReader()}
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(l.spans))
	l.tracer = provider.Tracer("test")
	l.provider = metric.NewMeterProvider(metric.WithReader(l.reader))
	options.TracerProvider, options.MeterProvider = provider, l.provider
	o, err := otelweir.New(options)
	require.NoError(t, err)
	l.Observer = o
	t.Cleanup(func() { assert.Len(t, l.spans.Ended(), len(l.spans.Started()), "every span ends") })
	return l
}

// caller returns a caller under the observer that waits for nothing.
func (l *lab) caller(model *script, config caller.Config) *caller.Caller {
	config.Observer, config.Backoff = l.Observer, -1
	return caller.New(model, config)
}

// attributes returns a span's attributes by name.
func attributes(s sdktrace.ReadOnlySpan) map[string]any {
	all := map[string]any{}
	for _, a := range s.Attributes() {
		all[string(a.Key)] = a.Value.AsInterface()
	}
	return all
}

// only returns the one span that ended.
func (l *lab) only(t *testing.T) sdktrace.ReadOnlySpan {
	t.Helper()
	require.Len(t, l.spans.Ended(), 1)
	return l.spans.Ended()[0]
}

// A point is one data point: of a counter Count is 0.
type point struct {
	Count uint64
	Sum   float64
}

// points returns all data points by the name of the metric and its attributes.
func (l *lab) points(t *testing.T) map[string]map[string]point {
	t.Helper()
	all := map[string]map[string]point{}
	for name, m := range l.metrics(t) {
		found := map[string]point{}
		add := func(set attribute.Set, p point) { found[set.Encoded(attribute.DefaultEncoder())] = p }
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, point{Sum: float64(p.Value)})
			}
		case metricdata.Histogram[int64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, point{Count: p.Count, Sum: float64(p.Sum)})
			}
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, point{Count: p.Count, Sum: p.Sum})
			}
		default:
			t.Fatalf("%s: %T", name, data)
		}
		all[name] = found
	}
	return all
}

func (l *lab) metrics(t *testing.T) map[string]metricdata.Metrics {
	t.Helper()
	var collected metricdata.ResourceMetrics
	require.NoError(t, l.reader.Collect(t.Context(), &collected))
	all := map[string]metricdata.Metrics{}
	for _, s := range collected.ScopeMetrics {
		for _, m := range s.Metrics {
			all[m.Name] = m
		}
	}
	return all
}
