package otelweir

import "go.opentelemetry.io/otel/attribute"

// The attributes that the conventions have no name for.
const (
	callKey    = attribute.Key("weir.call.id")
	attemptID  = attribute.Key("weir.attempt.id")
	numberKey  = attribute.Key("weir.attempt.number") // in its call, from 1
	runKey     = attribute.Key("weir.run")
	actorKey   = attribute.Key("weir.actor")
	purposeKey = attribute.Key("weir.purpose")
	nestedKey  = attribute.Key("weir.nested")
	withoutKey = attribute.Key("weir.without") // features that were left out

	statusKey        = attribute.Key("weir.status")
	certaintyKey     = attribute.Key("weir.certainty")
	costKey          = attribute.Key("weir.cost.micros") // millionths of a dollar
	costCertaintyKey = attribute.Key("weir.cost.certainty")
	chargedInputKey  = attribute.Key("weir.charged.input_tokens")
	chargedOutputKey = attribute.Key("weir.charged.output_tokens")
	unbookedKey      = attribute.Key("weir.unbooked") // the ledger could not be told
	requestIDKey     = attribute.Key("weir.request.id")
	stopKey          = attribute.Key("weir.stop")
	latencyKey       = attribute.Key("weir.latency") // seconds
	firstContentKey  = attribute.Key("weir.time_to_first_content")
	contentCutKey    = attribute.Key("weir.content.cut")
)

// refusedStatus is the status of an attempt that was not made.
const refusedStatus = "refused"
