// Package otelweir watches the calls of package caller with OpenTelemetry: a span for
// every attempt and metrics of tokens, time and money, by the GenAI semantic
// conventions. It exports nothing itself: the SDK that the program sets up does.
//
//	watch, err := otelweir.New(otelweir.Options{})
//	if err != nil {
//		return err
//	}
//	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithBatcher(spanExporter)))
//	otel.SetMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(metricReader)))
//	c := caller.New(model, caller.Config{Observer: watch, Prices: openai.Prices()})
//	ctx, span := tracer.Start(ctx, "answer a customer")
//	defer span.End()
//	result, err := c.Generate(ctx, req)
//
// # Spans
//
// An attempt is one span "chat <model>" of kind client, a child of the span in the
// context of the call. It is current while the model is at work, so that the span of
// an instrumented HTTP client is its child. What is known before it is sent is there when
// the span begins, for samplers. It ends when the attempt is settled, on every way out
// of the loop.
//
// The conventions have no span for a call of several attempts, and neither has this
// package: its attempts have the same weir.call.id, and weir.attempt.number counts them
// from 1. What an attempt was followed by is the next one, which has the same model (a
// retry, and the wait is the time between the two), another model (a fallback) or one
// more feature in weir.without (the provider refused it). After the error.type
// "invalid_reply/answer_invalid" it is a correction of the structured answer.
//
// An attempt that was refused (a limit, a check of the request, a context that had
// ended) is a span "weir.refused <model>" of kind internal: nothing was sent.
//
// A span of an attempt that failed has the status error, without a description, and
// the error.type "<kind>/<reason>" of events.Failure, for instance
// "rate_limited/rate_limit"; a consumer that leaves the loop is "cancelled/abandoned".
//
// gen_ai.usage.* is what the provider reported. Of an attempt that broke it is the
// least that was used, and weir.charged.* is what is charged. What nobody knows is
// absent and never 0.
//
// # Metrics
//
//   - gen_ai.client.token.usage, {token}: as gen_ai.usage.*, by gen_ai.token.type
//   - gen_ai.client.operation.duration, s: how long the attempt waited for the
//     provider, the consumer's own time excluded
//   - gen_ai.client.operation.time_to_first_chunk, s: until the provider named its
//     model or, where it names none, until the first content
//   - weir.cost, {microdollar}: what is charged, by weir.cost.certainty
//   - weir.attempts, {attempt}: by weir.status: ok, error, ambiguous, refused
//   - weir.retries, {retry}: by the error.type of the attempt before
//
// An attempt of a call inside another caller's attempt has a span, with weir.nested,
// and counts in no metric: the outer one does.
//
// # Content
//
// No prompt, reply, tool argument or text of an error is recorded, unless
// Options.RecordContent; texts of errors are not even then. The names of actors,
// purposes and runs, and stop sequences, are recorded: they are for people to choose.
// weir keeps credentials out of all that an observer is shown.
//
// # Conventions
//
// The names are those of version 1.41.0, the last one with GenAI conventions of its
// own and the schema URL of what is made here (docs/gen-ai/gen-ai-spans.md and
// gen-ai-metrics.md of github.com/open-telemetry/semantic-conventions v1.41.0). Since
// then they are developed in github.com/open-telemetry/semantic-conventions-genai,
// whose pages have the same names and units for all that is used here (stored copies
// read 2026-11-30). Their status is "development": they may change.
// gen_ai.response.finish_reasons has the provider's own word, for there is no common
// vocabulary (semantic-conventions-genai issue 533, 2026-09-22); weir.stop has weir's.
package otelweir
