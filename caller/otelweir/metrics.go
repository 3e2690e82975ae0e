package otelweir

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"

	"github.com/weirsdk/weir/caller"
)

// chat is the operation of every attempt.
const chat genaiconv.OperationNameAttr = "chat"

// instruments are all metrics.
type instruments struct {
	tokens     genaiconv.ClientTokenUsage
	duration   genaiconv.ClientOperationDuration
	firstChunk genaiconv.ClientOperationTimeToFirstChunk
	cost       metric.Int64Counter
	attempts   metric.Int64Counter
	retries    metric.Int64Counter
}

// newInstruments makes the metrics, with the bucket boundaries that
// docs/gen-ai/gen-ai-metrics.md of github.com/open-telemetry/semantic-conventions-genai
// wants, a stored copy read 2026-11-30: powers of 4 for tokens, of 2 for time.
func newInstruments(m metric.Meter) (instruments, error) {
	var i instruments
	var errs [6]error
	seconds := metric.WithExplicitBucketBoundaries(0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
	i.tokens, errs[0] = genaiconv.NewClientTokenUsage(m, metric.WithExplicitBucketBoundaries(
		1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864))
	i.duration, errs[1] = genaiconv.NewClientOperationDuration(m, seconds)
	i.firstChunk, errs[2] = genaiconv.NewClientOperationTimeToFirstChunk(m, seconds)
	i.cost, errs[3] = m.Int64Counter("weir.cost", metric.WithUnit("{microdollar}"),
		metric.WithDescription("What attempts are charged, where it is known."))
	i.attempts, errs[4] = m.Int64Counter("weir.attempts", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts by how they ended, refused ones included."))
	i.retries, errs[5] = m.Int64Counter("weir.retries", metric.WithUnit("{retry}"),
		metric.WithDescription("Attempts that are repeated after a wait."))
	return i, errors.Join(errs[:]...)
}

// attempt counts an attempt that is settled. chunk is when its first chunk came, zero
// when none did.
func (i *instruments) attempt(ctx context.Context, facts caller.Attempt, chunk time.Duration) {
	s := facts.Settlement
	providerName, model := namesOf(facts.Model)
	provider := genaiconv.ProviderNameAttr(providerName)
	kind := errorType(facts)
	attrs := texts(semconv.GenAIRequestModel(model), semconv.GenAIResponseModel(word(facts.Answered)))
	usage := reported(s)
	if n, known := usage.Input.Get(); known {
		i.tokens.Record(ctx, n, chat, provider, genaiconv.TokenTypeInput, attrs...)
	}
	if n, known := usage.Output.Get(); known {
		i.tokens.Record(ctx, n, chat, provider, genaiconv.TokenTypeOutput, attrs...)
	}
	if chunk > 0 {
		i.firstChunk.Record(ctx, chunk.Seconds(), chat, provider, attrs...)
	}
	i.duration.Record(ctx, s.Latency.Seconds(), chat, provider, withError(attrs, kind)...)
	if micros, known := costOf(s); known && micros > 0 {
		i.cost.Add(ctx, micros, metric.WithAttributes(append(labels(facts.Model, ""), costCertaintyKey.String(string(s.CostCertainty)))...))
	}
	i.attempts.Add(ctx, 1, metric.WithAttributes(append(labels(facts.Model, kind), statusKey.String(string(s.Status)))...))
}

// refusal counts an attempt that was not made.
func (i *instruments) refusal(ctx context.Context, step caller.Step) {
	i.attempts.Add(ctx, 1, metric.WithAttributes(append(labels(step.Model, failureType(step.Failure)), statusKey.String(refusedStatus))...))
}

// retry counts an attempt that is made again.
func (i *instruments) retry(ctx context.Context, step caller.Step) {
	i.retries.Add(ctx, 1, metric.WithAttributes(labels(step.Model, failureType(step.Failure))...))
}

// labels are the attributes of the counters of weir.
func labels(name, errorType string) []attribute.KeyValue {
	provider, model := namesOf(name)
	return withError([]attribute.KeyValue{semconv.GenAIProviderNameKey.String(provider), semconv.GenAIRequestModel(model)}, errorType)
}

// withError adds the type of an error, if there is one.
func withError(attrs []attribute.KeyValue, errorType string) []attribute.KeyValue {
	attrs = attrs[:len(attrs):len(attrs)]
	if errorType == "" {
		return attrs
	}
	return append(attrs, semconv.ErrorTypeKey.String(errorType))
}
