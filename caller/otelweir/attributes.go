package otelweir

import (
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// maxWord is the longest word of a provider that is recorded, in bytes.
const maxWord = 256

// named returns which attempt a step is of, of what model, and whose.
func named(step caller.Step) []attribute.KeyValue {
	provider, model := namesOf(step.Model)
	attrs := texts(
		semconv.GenAIProviderNameKey.String(provider), semconv.GenAIRequestModel(model),
		callKey.String(step.Call), runKey.String(step.Run),
		actorKey.String(step.Scope.Actor), purposeKey.String(step.Scope.Purpose),
	)
	if a := step.Attempt; a.Number > 0 { // a call can be refused before there is one
		attrs = append(attrs, attemptID.String(a.ID), numberKey.Int(a.Number))
	}
	if without := step.Attempt.Without; len(without) > 0 {
		attrs = append(attrs, withoutKey.StringSlice(without))
	}
	if step.Nested {
		attrs = append(attrs, nestedKey.Bool(true))
	}
	return attrs
}

// asked returns all that is known of an attempt before it is sent. The wire always
// streams.
func asked(step caller.Step) []attribute.KeyValue {
	attrs := append(named(step), semconv.GenAIOperationNameChat, semconv.GenAIRequestStream(true))
	r := step.Request
	if r.MaxOutputTokens > 0 {
		attrs = append(attrs, semconv.GenAIRequestMaxTokens(r.MaxOutputTokens))
	}
	if r.Temperature != nil {
		attrs = append(attrs, semconv.GenAIRequestTemperature(*r.Temperature))
	}
	if r.TopP != nil {
		attrs = append(attrs, semconv.GenAIRequestTopP(*r.TopP))
	}
	if len(r.Stop) > 0 {
		attrs = append(attrs, semconv.GenAIRequestStopSequences(r.Stop...))
	}
	if r.Seed != nil {
		attrs = append(attrs, semconv.GenAIRequestSeedKey.Int64(*r.Seed))
	}
	if !r.Answer.IsZero() {
		attrs = append(attrs, semconv.GenAIOutputTypeJSON)
	}
	return attrs
}

// outcome returns what came of an attempt.
func outcome(a caller.Attempt) []attribute.KeyValue {
	s := a.Settlement
	attrs := make([]attribute.KeyValue, 0, 24)
	attrs = append(attrs, statusKey.String(string(s.Status)), certaintyKey.String(string(s.Certainty)))
	attrs = append(attrs, texts(
		semconv.GenAIResponseModel(word(a.Answered)), requestIDKey.String(word(s.RequestID)),
		costCertaintyKey.String(string(s.CostCertainty)),
	)...)
	if micros, known := costOf(s); known {
		attrs = append(attrs, costKey.Int64(micros))
	}
	if s.Certainty == charge.Estimated {
		attrs = count(attrs, chargedInputKey, s.Usage.Input)
		attrs = count(attrs, chargedOutputKey, s.Usage.Output)
	}
	if a.Unbooked != nil {
		attrs = append(attrs, unbookedKey.Bool(true))
	}
	return append(attrs, used(reported(s))...)
}

// reported returns what the provider certainly counted. Of an attempt that is charged
// nothing the counts are the ledger's zeros, which nobody reported.
func reported(s ledger.Settlement) events.Usage {
	if s.Certainty == charge.None {
		return events.Usage{}
	}
	return s.Known
}

// used returns the counts that are known.
func used(u events.Usage) []attribute.KeyValue {
	written := u.CacheWrite
	switch {
	case !written.IsKnown():
		written = u.CacheWriteLong
	case u.CacheWriteLong.IsKnown():
		written = written.Plus(u.CacheWriteLong)
	}
	var attrs []attribute.KeyValue
	attrs = count(attrs, semconv.GenAIUsageInputTokensKey, u.Input)
	attrs = count(attrs, semconv.GenAIUsageOutputTokensKey, u.Output)
	attrs = count(attrs, semconv.GenAIUsageCacheReadInputTokensKey, u.CacheRead)
	attrs = count(attrs, semconv.GenAIUsageCacheCreationInputTokensKey, written)
	return count(attrs, semconv.GenAIUsageReasoningOutputTokensKey, u.Thinking)
}

func count(attrs []attribute.KeyValue, key attribute.Key, c events.Count) []attribute.KeyValue {
	if n, known := c.Get(); known {
		attrs = append(attrs, key.Int64(n))
	}
	return attrs
}

// costOf returns what an attempt is charged, and whether anybody knows.
func costOf(s ledger.Settlement) (micros int64, known bool) {
	return int64(s.Cost), s.CostCertainty != ledger.UnknownCost
}

// errorType returns what an attempt failed with, empty when it did not. An answer that
// does not fit is a failure here, though its attempt is not one of the books.
func errorType(a caller.Attempt) string {
	if a.Unbooked != nil && a.Settlement.FailureKind == "" {
		return typeOf(events.LimitReached, events.ReasonLedgerUnavailable)
	}
	return typeOf(a.Settlement.FailureKind, a.Settlement.FailureReason)
}

func failureType(f *events.Failure) string { return typeOf(f.Kind, f.Reason) }

func typeOf(kind events.FailureKind, reason events.Reason) string {
	if reason == "" {
		return string(kind)
	}
	return string(kind) + "/" + string(reason)
}

// replied returns what the reply of an attempt tells of itself.
func replied(reply *stream.Reply) []attribute.KeyValue {
	stop, raw := string(reply.Stop()), reply.RawStop()
	if raw == "" {
		raw = stop
	}
	attrs := texts(semconv.GenAIResponseID(word(reply.Start().ResponseID)), stopKey.String(stop))
	if raw != "" {
		attrs = append(attrs, semconv.GenAIResponseFinishReasons(word(raw)))
	}
	return attrs
}

// texts returns the attributes that are not empty.
func texts(attrs ...attribute.KeyValue) []attribute.KeyValue {
	kept := attrs[:0]
	for _, a := range attrs {
		if a.Value.AsString() != "" {
			kept = append(kept, a)
		}
	}
	return kept
}

func word(s string) string { return events.CutText(s, maxWord) }
