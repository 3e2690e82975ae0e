package otelweir_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/otelweir"
)

// An attempt that failed and the one that was made instead are two spans of one call.
func Example() {
	exporter := tracetest.NewInMemoryExporter()
	watch, err := otelweir.New(otelweir.Options{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter)),
		MeterProvider:  metric.NewMeterProvider(metric.WithReader(metric.NewManualReader())),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	model := newScript(overloaded(), says("Hello.", 10, 5)) // a model that is overloaded at first
	c := caller.New(model, caller.Config{Observer: watch, Prices: prices(), MaxRetries: 1, Backoff: -1})
	if _, err := c.Generate(context.Background(), ask("hi")); err != nil {
		fmt.Println(err)
	}
	for _, span := range exporter.GetSpans() {
		fmt.Println(span.Name)
		for _, a := range span.Attributes {
			switch a.Key {
			case "weir.attempt.number", "weir.status", "error.type", "gen_ai.usage.input_tokens":
				fmt.Println(" ", a.Key, a.Value.String())
			}
		}
	}
	// Output:
	// chat m
	//   weir.attempt.number 1
	//   weir.status ambiguous
	//   error.type overloaded/server
	// chat m
	//   weir.attempt.number 2
	//   weir.status ok
	//   gen_ai.usage.input_tokens 10
}
