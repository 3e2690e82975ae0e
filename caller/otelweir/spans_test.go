package otelweir_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/otelweir"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/request"
)

// prices has the model at a dollar for a million tokens of prompt and two of output.
func prices() price.Table {
	return price.Table{"mistral:m": {Input: price.PerMillion(1_000_000), Output: price.PerMillion(2_000_000)}}
}

// TestSpan holds every attribute of one whole attempt, on a clock of its own.
func TestSpan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, otelweir.Options{})
		slow := func(ctx context.Context, emit func(events.Event) bool) {
			time.Sleep(250 * time.Millisecond)
			if !emit(started()) {
				return
			}
			time.Sleep(250 * time.Millisecond)
			if emit(events.NewTextDelta(0, "hello")) {
				time.Sleep(time.Second)
				emit(done(10, 5))
			}
		}
		c := l.caller(newScript(slow), caller.Config{Prices: prices()})
		run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "chat-42", Scope: caller.Scope{Actor: "ann", Purpose: "test"}})
		require.NoError(t, err)
		req := ask("hi")
		temperature, topP, seed := 0.5, 0.9, int64(7)
		req.Temperature, req.TopP, req.Seed, req.Stop = &temperature, &topP, &seed, []string{"END"}
		result, err := c.Generate(caller.WithRun(t.Context(), run), req)
		require.NoError(t, err)

		span := l.only(t)
		assert.Equal(t, "chat m", span.Name())
		assert.Equal(t, trace.SpanKindClient, span.SpanKind())
		assert.Equal(t, codes.Unset, span.Status().Code)
		assert.Equal(t, 1500*time.Millisecond, span.EndTime().Sub(span.StartTime()))
		assert.Equal(t, "https://opentelemetry.io/schemas/1.41.0", span.InstrumentationScope().SchemaURL)
		got := attributes(span)
		assert.NotEmpty(t, got["weir.call.id"])
		delete(got, "weir.call.id")
		assert.Equal(t, map[string]any{
			"gen_ai.operation.name": "chat", "gen_ai.provider.name": "mistral_ai", "gen_ai.request.model": "m",
			"gen_ai.request.stream": true, "gen_ai.request.max_tokens": int64(100), "gen_ai.request.temperature": 0.5,
			"gen_ai.request.top_p": 0.9, "gen_ai.request.seed": int64(7), "gen_ai.request.stop_sequences": []string{"END"},
			"gen_ai.response.model": "m-2026", "gen_ai.response.id": "resp-1", "gen_ai.response.finish_reasons": []string{"end_turn"},
			"gen_ai.response.time_to_first_chunk": 0.25,
			"gen_ai.usage.input_tokens":           int64(10), "gen_ai.usage.output_tokens": int64(5),
			"gen_ai.usage.cache_read.input_tokens": int64(0), "gen_ai.usage.reasoning.output_tokens": int64(0),
			"weir.attempt.id": result.Attempts[0].ID, "weir.attempt.number": int64(1),
			"weir.run": "chat-42", "weir.actor": "ann", "weir.purpose": "test",
			"weir.status": "ok", "weir.certainty": "exact", "weir.cost.micros": int64(20), "weir.cost.certainty": "exact",
			"weir.request.id": "req-1", "weir.stop": "end", "weir.latency": 1.5, "weir.time_to_first_content": 0.5,
		}, got)
	})
}

// TestUnknown: what nobody knows is absent.
func TestUnknown(t *testing.T) {
	t.Parallel()
	usage := func(u events.Usage) play {
		return of(events.NewStarted(events.Start{}), events.NewTextDelta(0, "hello"), events.NewCompleted(events.Completion{Stop: events.StopEnd, Usage: u}))
	}
	for _, tt := range []struct {
		why    string
		play   play
		prices price.Table
		absent []string
		want   map[string]any
	}{
		{
			"nobody counted anything", usage(events.Usage{}), prices(),
			[]string{
				"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.reasoning.output_tokens",
				"gen_ai.usage.cache_creation.input_tokens", "gen_ai.response.model", "gen_ai.response.id", "weir.request.id",
			},
			map[string]any{"weir.certainty": "estimated", "weir.charged.output_tokens": int64(2), "gen_ai.response.finish_reasons": []string{"end"}},
		},
		{
			"only the prompt was counted", usage(events.Usage{Input: events.Known(7)}), prices(),
			[]string{"gen_ai.usage.output_tokens"},
			map[string]any{"gen_ai.usage.input_tokens": int64(7), "weir.charged.input_tokens": int64(7), "weir.cost.certainty": "estimated"},
		},
		{
			"written for long and for short are one count", usage(events.Usage{Input: events.Known(9), Output: events.Known(1), CacheWrite: events.Known(2), CacheWriteLong: events.Known(3)}), nil,
			[]string{"weir.cost.micros", "weir.charged.input_tokens"},
			map[string]any{"gen_ai.usage.cache_creation.input_tokens": int64(5), "weir.cost.certainty": "unknown"},
		},
		{
			"written for long alone", usage(events.Usage{Input: events.Known(9), Output: events.Known(1), CacheWriteLong: events.Known(3)}), nil,
			nil,
			map[string]any{"gen_ai.usage.cache_creation.input_tokens": int64(3)},
		},
		{
			"nothing was sent: the books have zeros, the provider counted none", fails(events.Unreachable, events.ReasonConnect, func(f *events.Failure) { f.Sent = events.NotSent }), prices(),
			[]string{"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "weir.charged.input_tokens", "gen_ai.response.time_to_first_chunk", "weir.time_to_first_content", "gen_ai.response.finish_reasons", "weir.stop"},
			map[string]any{"weir.certainty": "none", "weir.cost.micros": int64(0), "error.type": "unreachable/connect"},
		},
	} {
		l := newLab(t, otelweir.Options{})
		_, _ = l.caller(newScript(tt.play), caller.Config{Prices: tt.prices}).Generate(t.Context(), ask("hi"))
		got := attributes(l.only(t))
		for _, name := range tt.absent {
			assert.NotContains(t, got, name, tt.why)
		}
		for name, want := range tt.want {
			assert.Equal(t, want, got[name], "%s: %s", tt.why, name)
		}
		for _, run := range []string{"weir.run", "weir.actor", "weir.purpose", "weir.nested", "weir.unbooked", "weir.without"} {
			assert.NotContains(t, got, run, tt.why)
		}
	}
}

// TestAnswerType: a structured answer is JSON.
func TestAnswerType(t *testing.T) {
	t.Parallel()
	l := newLab(t, otelweir.Options{})
	answer, err := request.NewAnswer("", `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	require.NoError(t, err)
	req := ask("hi")
	req.Answer = answer
	c := l.caller(newScript(says("no", 1, 1), says(`{"n":1}`, 1, 1)), caller.Config{})
	_, err = c.Generate(t.Context(), req)
	require.NoError(t, err)
	require.Len(t, l.spans.Ended(), 2)
	first, second := attributes(l.spans.Ended()[0]), attributes(l.spans.Ended()[1])
	assert.Equal(t, "json", first["gen_ai.output.type"])
	assert.Equal(t, "invalid_reply/answer_invalid", first["error.type"], "the attempt is fine, its answer is not")
	assert.Equal(t, []string{"end_turn"}, first["gen_ai.response.finish_reasons"], "it did finish")
	assert.Equal(t, "resp-1", first["gen_ai.response.id"])
	assert.NotContains(t, second, "error.type")
}

// A sampler keeps what it is shown of the last span, and lets it record.
type sampler struct{ shown map[string]any }

func (s *sampler) Description() string { return "test" }

func (s *sampler) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	s.shown = map[string]any{}
	for _, a := range p.Attributes {
		s.shown[string(a.Key)] = a.Value.AsInterface()
	}
	return sdktrace.SamplingResult{Decision: sdktrace.RecordAndSample}
}

// TestSampler: a sampler sees all that is known before an attempt is sent or refused.
func TestSampler(t *testing.T) {
	t.Parallel()
	l, saw := newLab(t, otelweir.Options{}), &sampler{}
	o, err := otelweir.New(otelweir.Options{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSampler(saw), sdktrace.WithSpanProcessor(l.spans)), MeterProvider: l.provider,
	})
	require.NoError(t, err)
	c := caller.New(newScript(says("a", 1, 1)), caller.Config{Observer: o})
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Scope: caller.Scope{Actor: "ann", Purpose: "test"}, Limits: caller.Limits{MaxCalls: 1}})
	require.NoError(t, err)
	ctx := caller.WithRun(t.Context(), run)
	req := ask("hi")
	req.Options.Without = []string{request.FeatureTemperature}
	_, err = c.Generate(ctx, req)
	require.NoError(t, err)
	sent := saw.shown
	_, err = c.Generate(ctx, req)
	require.Error(t, err)
	shared := []string{
		"gen_ai.provider.name", "gen_ai.request.model", "weir.actor", "weir.attempt.id", "weir.attempt.number",
		"weir.call.id", "weir.purpose", "weir.run", "weir.without",
	}
	assert.ElementsMatch(t, append(shared, "gen_ai.operation.name", "gen_ai.request.stream", "gen_ai.request.max_tokens"), slices.Collect(maps.Keys(sent)))
	assert.ElementsMatch(t, append(shared, "weir.status"), slices.Collect(maps.Keys(saw.shown)))
}
