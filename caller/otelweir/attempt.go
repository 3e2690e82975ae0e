package otelweir

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/weirsdk/weir/caller"
)

type attemptKey struct{}

// An attempt is an attempt at work, in its context. Like the steps of its call it is
// used by one goroutine at a time.
type attempt struct {
	observer *Observer
	id       string
	// outer is the attempt that this one, or this observer of it, is inside of.
	outer *attempt
	span  trace.Span
	// firstChunk is when the provider named its model; zero when it did not.
	firstChunk time.Duration
	ended      time.Time
}

// attemptIn returns the attempt of a step that this observer has begun, or nil.
func (o *Observer) attemptIn(ctx context.Context, step caller.Step) *attempt {
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	for ; a != nil && a.id == step.Attempt.ID; a = a.outer {
		if a.observer == o {
			return a
		}
	}
	return nil
}

// isNested reports whether the attempt is part of another one. Another observer of the
// same attempt is none.
func (a *attempt) isNested() bool {
	outer := a.outer
	for outer != nil && outer.id == a.id {
		outer = outer.outer
	}
	return outer != nil
}

// isNested reports whether a step belongs to a call inside another call's attempt.
func isNested(ctx context.Context, step caller.Step) bool {
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	return a != nil && (a.id != step.Attempt.ID || a.isNested())
}

// timing returns how long things took, in seconds.
func (a *attempt) timing(facts caller.Attempt) []attribute.KeyValue {
	attrs := []attribute.KeyValue{latencyKey.Float64(facts.Settlement.Latency.Seconds())}
	if first := facts.Settlement.FirstContent; first > 0 {
		attrs = append(attrs, firstContentKey.Float64(first.Seconds()))
	}
	if first := firstChunk(facts, a.firstChunk); first > 0 {
		attrs = append(attrs, semconv.GenAIResponseTimeToFirstChunk(first.Seconds()))
	}
	return attrs
}

// firstChunk returns when the first chunk came: when the provider named its model,
// else when there was content.
func firstChunk(facts caller.Attempt, named time.Duration) time.Duration {
	if named > 0 {
		return named
	}
	return facts.Settlement.FirstContent
}

// fail sets the status of a span that ended with an error; an empty type is none. The
// text of a failure may quote what was sent and is not recorded.
func fail(span trace.Span, errorType string) {
	if errorType == "" {
		return
	}
	span.SetAttributes(semconv.ErrorTypeKey.String(errorType))
	span.SetStatus(codes.Error, "")
}
