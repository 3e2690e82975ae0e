package otelweir

import (
	"context"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
)

// scope is the name of the instrumentation scope.
const scope = "github.com/weirsdk/weir/caller/otelweir"

// DefaultMaxContent is the default of Options.MaxContent.
const DefaultMaxContent = 16 << 10

// Options configure an observer. The zero Options use the global providers and record
// no content.
type Options struct {
	// TracerProvider makes the spans, MeterProvider the metrics. Nil is the global one
	// of package otel, which may be set before New or later.
	TracerProvider trace.TracerProvider
	MeterProvider  metric.MeterProvider
	// RecordContent records what is said, in the attributes that the conventions make
	// opt-in: gen_ai.system_instructions, gen_ai.input.messages,
	// gen_ai.output.messages and gen_ai.tool.definitions.
	// The bytes of images, audio and files are left out.
	RecordContent bool
	// MaxContent is how many bytes of text each of these may have: the newest are
	// kept, and weir.content.cut tells of it. Zero means [DefaultMaxContent], a
	// negative one no bound.
	MaxContent int
}

// An Observer makes spans and metrics of the steps of calls. It comes from [New]; the
// zero Observer is invalid. It is safe for concurrent use, can be shared by callers,
// and holds nothing that has to be closed.
//
// Hand it to a caller as it is, or first in caller.Observers: wrapped in something
// that is no caller.ContextObserver it makes metrics and no spans.
type Observer struct {
	tracer  trace.Tracer
	metrics instruments
	// content is how many bytes of content an attribute may have; 0 for none at all.
	content int
}

var _ caller.ContextObserver = (*Observer)(nil)

// New returns an observer. The error is a *events.Failure of kind invalid_request and
// reason bad_config that wraps what the MeterProvider said.
func New(options Options) (*Observer, error) {
	if options.TracerProvider == nil {
		options.TracerProvider = otel.GetTracerProvider()
	}
	if options.MeterProvider == nil {
		options.MeterProvider = otel.GetMeterProvider()
	}
	metrics, err := newInstruments(options.MeterProvider.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL)))
	if err != nil {
		f := events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, "the meter provider makes no instrument")
		f.Sent = events.NotSent
		return nil, f.WithCause(err)
	}
	o := &Observer{tracer: options.TracerProvider.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)), metrics: metrics}
	if options.RecordContent {
		o.content = bound(options.MaxContent)
	}
	return o, nil
}

// AttemptContext begins the span of an attempt and makes it current.
func (o *Observer) AttemptContext(ctx context.Context, step caller.Step) context.Context {
	_, model := namesOf(step.Model)
	ctx, span := o.tracer.Start(ctx, "chat "+model,
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(asked(step)...))
	if o.content > 0 && span.IsRecording() {
		span.SetAttributes(inputOf(step.Request, o.content)...)
	}
	return context.WithValue(ctx, attemptKey{o}, &attempt{id: step.Attempt.ID, span: span})
}

// Observe takes one step of a call.
func (o *Observer) Observe(ctx context.Context, step caller.Step) {
	switch step.Kind {
	case caller.StepStarted:
		if a := o.attemptIn(ctx, step); a != nil && step.Attempt.Answered != "" {
			a.firstChunk = step.Elapsed
		}
	case caller.StepSettled:
		o.settled(ctx, step)
	case caller.StepRetried:
		o.metrics.retry(ctx, step)
	case caller.StepRefused:
		o.refused(ctx, step)
	default:
	}
}

// settled counts an attempt and ends its span.
func (o *Observer) settled(ctx context.Context, step caller.Step) {
	a := o.attemptIn(ctx, step)
	chunk := step.Attempt.Settlement.FirstContent
	if a != nil && a.firstChunk > 0 {
		chunk = a.firstChunk
	}
	if !step.Nested {
		o.metrics.attempt(ctx, step.Attempt, chunk)
	}
	if a == nil {
		return
	}
	if a.span.IsRecording() {
		o.record(a.span, step, chunk)
	}
	a.span.End()
}

// record tells a span what came of its attempt.
func (o *Observer) record(span trace.Span, step caller.Step, chunk time.Duration) {
	reply := *step.Reply // a fold of its own, for the caller's has no terminal yet
	reply.Add(step.Terminal)
	span.SetAttributes(outcome(step.Attempt)...)
	span.SetAttributes(timing(step.Attempt, chunk)...)
	span.SetAttributes(replied(&reply)...)
	if o.content > 0 {
		span.SetAttributes(outputOf(&reply, o.content)...)
	}
	fail(span, errorType(step.Attempt))
}

// refused makes the span of an attempt that was not sent.
func (o *Observer) refused(ctx context.Context, step caller.Step) {
	if !step.Nested {
		o.metrics.refusal(ctx, step)
	}
	_, model := namesOf(step.Model)
	_, span := o.tracer.Start(ctx, "weir.refused "+model, trace.WithSpanKind(trace.SpanKindInternal),
		trace.WithAttributes(append(named(step), statusKey.String(refusedStatus))...))
	fail(span, failureType(step.Failure))
	span.End()
}
