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

// An attemptKey is the key of an observer's attempt: of one around it, or of another
// observer's, the value is another.
type attemptKey struct{ observer *Observer }

// An attempt is an attempt at work, in its context. Like the steps of its call it is
// used by one goroutine at a time.
type attempt struct {
	id   string
	span trace.Span
	// firstChunk is when the provider named its model; zero when it did not.
	firstChunk time.Duration
}

// attemptIn returns the attempt of a step that this observer has begun, or nil.
func (o *Observer) attemptIn(ctx context.Context, step caller.Step) *attempt {
	a, _ := ctx.Value(attemptKey{o}).(*attempt)
	if a == nil || a.id != step.Attempt.ID {
		return nil
	}
	return a
}

// timing returns how long things took, in seconds. chunk is when the first chunk came:
// when the provider named its model, else when there was content.
func timing(facts caller.Attempt, chunk time.Duration) []attribute.KeyValue {
	attrs := []attribute.KeyValue{latencyKey.Float64(facts.Settlement.Latency.Seconds())}
	if first := facts.Settlement.FirstContent; first > 0 {
		attrs = append(attrs, firstContentKey.Float64(first.Seconds()))
	}
	if chunk > 0 {
		attrs = append(attrs, semconv.GenAIResponseTimeToFirstChunk(chunk.Seconds()))
	}
	return attrs
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
