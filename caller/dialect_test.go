package caller_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// without plays a refusal of features until the request leaves them out.
func picky(model *script, features ...string) play {
	return func(ctx context.Context, emit func(events.Event) bool) {
		seen := model.seen()
		last := seen[len(seen)-1]
		for _, feature := range features {
			if !slices.Contains(last.Options.Without, feature) {
				fails(events.Rejected, events.ReasonUnsupported, refuses(feature))(ctx, emit)
				return
			}
		}
		says("hello", 10, 5)(ctx, emit)
	}
}

// full uses every feature.
func full(t *testing.T) request.Request {
	t.Helper()
	req := ask("hi")
	req.Tools, req.Parallel = tools(t), new(true)
	req.Effort, req.Temperature = request.EffortHigh, new(0.5)
	req.Messages[0].Blocks[0].Cache = request.CacheShort
	req.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{})}
	answer, err := request.NewAnswer("", `{"type":"object"}`)
	require.NoError(t, err)
	req.Answer = answer
	return req
}

func TestLatches(t *testing.T) {
	t.Parallel()
	all := []string{
		request.FeatureTools, request.FeatureParallelTools, request.FeatureEffort, request.FeatureTemperature,
		request.FeatureMaxTokensField, request.FeatureAnswerSchema, request.FeatureStreamOptions,
		request.FeatureCache, request.FeatureWebSearch,
	}
	for _, feature := range all {
		books := memory.New(memory.Options{})
		model := newScript()
		model.plays = []play{picky(model, feature)}
		c := caller.New(model, caller.Config{Ledger: books, AnswerAttempts: 1})
		req := full(t)
		req.Answer = request.Answer{}
		if feature == request.FeatureAnswerSchema {
			req = full(t)
			model.plays = []play{fails(events.Rejected, events.ReasonUnsupported, refuses(feature)), says("{}", 1, 1)}
		}
		result, err := c.Generate(t.Context(), req)
		require.NoError(t, err, "%s: no retry is needed", feature)
		require.Len(t, result.Attempts, 2, feature)
		assert.Equal(t, charge.Error, result.Attempts[0].Settlement.Status, "%s: an attempt of its own", feature)
		assert.Equal(t, []string{feature}, result.Attempts[1].Without, feature)
		assert.Empty(t, req.Options.Without, "%s: the user's request is not written to", feature)

		result, err = c.Generate(t.Context(), req)
		require.NoError(t, err, feature)
		assert.Len(t, result.Attempts, 1, "%s: it is remembered", feature)
	}
}

func TestSeveralLatchesInOneCall(t *testing.T) {
	t.Parallel()
	model := newScript()
	model.plays = []play{picky(model, request.FeatureTemperature, request.FeatureEffort)}
	call := caller.New(model, caller.Config{}).Stream(t.Context(), func() request.Request { r := full(t); r.Answer = request.Answer{}; return r }())
	evs := collect(call.Events())
	assert.Equal(t, []events.Kind{events.Started, events.Notice, events.Notice, events.TextDelta, events.Completed}, kinds(evs))
	assert.Len(t, model.seen(), 3)
}

func TestWhatDoesNotLatch(t *testing.T) {
	t.Parallel()
	strict := ask("hi")
	strict.Strict, strict.Temperature = true, new(0.5)
	certain := ask("hi")
	certain.Answer = full(t).Answer.WithStrict()
	warm := ask("hi")
	warm.Temperature = new(0.5)
	for _, tt := range []struct {
		why string
		req request.Request
		f   []func(*events.Failure)
	}{
		{"a word in the text is no code", warm, []func(*events.Failure){status(400), func(f *events.Failure) { f.Detail = "temperature is not supported" }}},
		{"a server error", warm, []func(*events.Failure){refuses(request.FeatureTemperature), status(500)}},
		{"a rate limit", warm, []func(*events.Failure){refuses(request.FeatureTemperature), status(429)}},
		{"what the request does not use", ask("hi"), []func(*events.Failure){refuses(request.FeatureTemperature)}},
		{"a feature that nobody knows", warm, []func(*events.Failure){refuses("telepathy")}},
		{"a strict answer does not go without its schema", certain, []func(*events.Failure){refuses(request.FeatureAnswerSchema)}},
		{"a strict request leaves nothing out", strict, []func(*events.Failure){refuses(request.FeatureTemperature)}},
	} {
		dialect := new(caller.Dialect)
		model := newScript(fails(events.Rejected, events.ReasonUnsupported, tt.f...))
		_, err := caller.New(model, caller.Config{Dialect: dialect}).Generate(t.Context(), tt.req)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Rejected}, tt.why)
		assert.Len(t, model.seen(), 1, tt.why)
		assert.Empty(t, dialect.Closed("test:m"), tt.why)
	}
}

func TestLatchIsNotRepeatedForEver(t *testing.T) {
	t.Parallel()
	model := newScript(fails(events.Rejected, events.ReasonUnsupported, refuses(request.FeatureStreamOptions)))
	_, err := caller.New(model, caller.Config{MaxRetries: 3}).Generate(t.Context(), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Rejected})
	assert.Len(t, model.seen(), 2, "refused again without it: it is the answer")
}

func TestDialectIsByModelAndShared(t *testing.T) {
	t.Parallel()
	dialect := new(caller.Dialect)
	dialect.Close("test:m", request.FeatureTemperature)
	dialect.Close("test:m", request.FeatureTemperature)
	dialect.Close("test:m", request.FeatureEffort)
	assert.Equal(t, []string{request.FeatureTemperature, request.FeatureEffort}, dialect.Closed("test:m"))
	assert.Empty(t, dialect.Closed("test:n"))
	model, other := newScript(says("hello", 1, 1)), newScript(says("hello", 1, 1))
	other.name = "test:n"
	for _, m := range []*script{model, other} {
		_, err := caller.New(m, caller.Config{Dialect: dialect}).Generate(t.Context(), ask("hi"))
		require.NoError(t, err)
	}
	assert.Equal(t, dialect.Closed("test:m"), model.seen()[0].Options.Without)
	assert.Empty(t, other.seen()[0].Options.Without)

	strict := ask("hi")
	strict.Strict = true
	_, err := caller.New(model, caller.Config{Dialect: dialect}).Generate(t.Context(), strict)
	require.NoError(t, err)
	assert.Empty(t, model.seen()[1].Options.Without, "a strict request leaves nothing out, it is refused by the provider instead")
}
