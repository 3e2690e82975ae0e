package otelweir

import (
	"context"
	"sync"
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
	// gen_ai.output.messages (of a call's last attempt) and gen_ai.tool.definitions.
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
	// ended has, by the id of the call, the attempt that was settled and whose span
	// waits for what comes of it. An entry lives until the next step of its call, and
	// every call has a last one, StepFinished.
	ended sync.Map
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
	outer, _ := ctx.Value(attemptKey{}).(*attempt)
	a := &attempt{observer: o, id: step.Attempt.ID, outer: outer}
	provider, model := namesOf(step.Model)
	ctx, a.span = o.tracer.Start(ctx, "chat "+model,
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(identity(provider, model)...))
	if a.span.IsRecording() {
		a.span.SetAttributes(asked(step)...)
		if o.content > 0 && step.Request != nil {
			a.span.SetAttributes(inputOf(step.Request, o.content)...)
		}
	}
	return context.WithValue(ctx, attemptKey{}, a)
}

// Observe takes one step of a call.
func (o *Observer) Observe(ctx context.Context, step caller.Step) {
	switch step.Kind {
	case caller.StepDispatched:
		o.release(step)
		if a := o.attemptIn(ctx, step); a != nil {
			a.span.SetAttributes(belongs(step)...)
		}
	case caller.StepStarted:
		if a := o.attemptIn(ctx, step); a != nil && step.Attempt.Answered != "" {
			a.firstChunk = step.Elapsed
		}
	case caller.StepSettled:
		o.settled(ctx, step)
	case caller.StepRetried, caller.StepLatched, caller.StepFellBack, caller.StepCorrected:
		o.followed(ctx, step)
	case caller.StepRefused:
		o.release(step)
		o.refused(ctx, step)
	case caller.StepFinished:
		o.release(step)
	default:
	}
}

// settled counts an attempt. Its span stays open, with its end noted, for what comes
// of it.
func (o *Observer) settled(ctx context.Context, step caller.Step) {
	a := o.attemptIn(ctx, step)
	chunk := step.Attempt.Settlement.FirstContent
	if a != nil && a.firstChunk > 0 {
		chunk = a.firstChunk
	}
	if !step.Nested {
		o.metrics.attempt(ctx, step.Attempt, chunk)
	}
	switch {
	case a == nil:
		return
	case !a.span.IsRecording():
		a.span.End()
		return
	}
	a.span.SetAttributes(outcome(step.Attempt)...)
	a.span.SetAttributes(timing(step.Attempt, chunk)...)
	fail(a.span, errorType(step.Attempt))
	a.ended = time.Now()
	o.ended.Store(step.Call, a)
}

// followed notes on the span of an attempt what it was followed by. An attempt of a
// nested call is never repeated.
func (o *Observer) followed(ctx context.Context, step caller.Step) {
	if step.Kind == caller.StepRetried {
		o.metrics.retry(ctx, step)
	}
	if a, ok := o.ended.Load(step.Call); ok {
		a.(*attempt).span.SetAttributes(follower(step)...) //nolint:errcheck,forcetypeassert // nothing else is stored
	}
}

// release ends the span of the attempt before, if there is one. Of a call that has
// finished it is the one of its reply.
func (o *Observer) release(step caller.Step) {
	v, ok := o.ended.LoadAndDelete(step.Call)
	if !ok {
		return
	}
	a := v.(*attempt) //nolint:errcheck,forcetypeassert // nothing else is stored
	if step.Result != nil && step.Result.Reply != nil {
		a.span.SetAttributes(replied(step.Result.Reply)...)
		if o.content > 0 {
			a.span.SetAttributes(outputOf(step.Result.Reply, o.content)...)
		}
	}
	a.span.End(trace.WithTimestamp(a.ended))
}

// refused makes the span of an attempt that was not sent.
func (o *Observer) refused(ctx context.Context, step caller.Step) {
	provider, model := namesOf(step.Model)
	kind := ""
	if step.Failure != nil {
		kind = typeOf(step.Failure.Kind, step.Failure.Reason)
	}
	if !step.Nested {
		o.metrics.refusal(ctx, provider, model, kind)
	}
	_, span := o.tracer.Start(ctx, "weir.refused "+model, trace.WithSpanKind(trace.SpanKindInternal),
		trace.WithAttributes(identity(provider, model)[1:]...)) // without the operation: there was none
	span.SetAttributes(belongs(step)...)
	span.SetAttributes(numbered(step.Attempt)...)
	span.SetAttributes(statusKey.String(refusedStatus))
	fail(span, kind)
	span.End()
}
