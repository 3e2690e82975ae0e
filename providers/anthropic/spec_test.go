package anthropic_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/request"
)

func TestSpecFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, why  string
		output   int
		thinking request.Support
		budget   request.Support
	}{
		{"claude-sonnet-4-5-20250929", "dated ids", 64_000, request.Yes, request.Yes},
		{"claude-sonnet-4-20250514", "a retired model", 0, request.Unknown, request.Unknown},
		{"claude-opus-4-1-20250805", "32k output", 32_000, request.Yes, request.Yes},
		{"claude-opus-4-6", "adaptive, budgets still taken", 128_000, request.Yes, request.Yes},
		{"claude-opus-4-7", "budgets refused", 128_000, request.Yes, request.No},
		{"claude-opus-5", "budgets refused", 128_000, request.Yes, request.No},
		{"claude-opus-5-5", "not the model that it begins like", 128_000, request.Yes, request.No},
		{"claude-opus-4-99", "not in the table", 0, request.Unknown, request.Unknown},
		{"claude-sonnet-5-9", "a version to come is not the one that it begins like", 0, request.Unknown, request.Unknown},
		{"claude-opus-5-20261301", "no date", 0, request.Unknown, request.Unknown},
		{"llama3", "another host's model", 0, request.Unknown, request.Unknown},
	} {
		s := anthropic.SpecFor(c.id)
		assert.Equal(t, c.output, s.MaxOutput, "%s: %s", c.id, c.why)
		assert.Equal(t, c.thinking, s.Thinking, "%s: %s", c.id, c.why)
		assert.Equal(t, c.budget, s.ThinkingBudget, "%s: %s", c.id, c.why)
		assert.Equal(t, request.No, s.Audio, c.id)
	}
}

func TestStructuredAnswerByModel(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]request.Support{
		"claude-opus-4-1": request.Unknown, "claude-sonnet-4-5-20250929": request.Yes, "claude-haiku-4-5": request.Yes,
		"claude-opus-4-7": request.Yes, "claude-fable-5-2": request.Yes, "claude-next": request.Unknown,
	} {
		assert.Equal(t, want, anthropic.SpecFor(model).StructuredAnswer, model)
	}
}

// A tool choice that a model takes in part is not claimed.
func TestToolChoiceByModel(t *testing.T) {
	t.Parallel()
	assert.Equal(t, request.Yes, anthropic.SpecFor("claude-opus-5").ToolChoice)
	assert.Equal(t, request.Unknown, anthropic.SpecFor("claude-opus-5-5").ToolChoice)
}

// What one model is told, another is told its own way.
func TestEffortByModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model  string
		effort request.Effort
		want   string
		notice bool
	}{
		{"claude-sonnet-4-5", request.EffortHigh, `{"max_tokens":64000,"thinking":{"type":"enabled","budget_tokens":16384}}`, false},
		{"claude-opus-4-5", request.EffortHigh, `{"max_tokens":64000,"output_config":{"effort":"high"}}`, false},
		{"claude-opus-4-6", request.EffortXHigh, `{"max_tokens":128000,"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}}`, true},
		{"claude-opus-4-7", request.EffortXHigh, `{"max_tokens":128000,"thinking":{"type":"adaptive"},"output_config":{"effort":"xhigh"}}`, false},
		{"claude-sonnet-5", request.EffortOff, `{"max_tokens":128000,"thinking":{"type":"disabled"}}`, false},
		{"claude-sonnet-5-5", request.EffortOff, `{"max_tokens":128000,"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}`, true},
		{"claude-haiku-5-5", request.EffortOff, `{"max_tokens":128000,"thinking":{"type":"disabled"}}`, false},
		{"claude-opus-5-5", request.EffortOff, `{"max_tokens":128000,"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}`, true},
		{"claude-next", request.EffortMax, `{"max_tokens":4096,"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}}`, false},
	} {
		answer := ok(reply)
		m := model(t, anthropic.Config{Model: c.model, HTTPClient: &http.Client{Transport: answer}})
		r := ask()
		r.Effort = c.effort
		evs := slices.Collect(m.Stream(context.Background(), r))
		require.Len(t, answer.Requests(), 1, c.model)
		want := `{"model":"` + c.model + `","stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],` + c.want[1:]
		assert.JSONEq(t, want, string(answer.Requests()[0].Body), c.model)
		assert.Equal(t, c.notice, slices.ContainsFunc(evs, func(e events.Event) bool { return e.Kind == events.Notice }), c.model)
	}
}

// Every effort and budget over the table reaches the model, or what comes of it is told
// and a strict request refused.
func TestEveryEffort(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"claude-opus-4-1-20250805", "claude-sonnet-4-5", "claude-haiku-4-5-20251001", "claude-opus-4-5-20251101", "claude-opus-4-6", "claude-sonnet-4-6",
		"claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5", "claude-haiku-5-5", "claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5",
		"claude-mythos-5", "claude-fable-5-1", "claude-fable-5-2", "claude-mythos-5-2", "claude-next",
	} {
		spec := anthropic.SpecFor(id)
		for _, effort := range request.Efforts() {
			takes := slices.Contains(spec.Efforts, effort)
			switch {
			case spec.Thinking == request.Unknown:
				takes = effort != request.EffortMinimal // the wire has no word for it
			case spec.Efforts == nil: // a budget; 32,000 tokens are all that Opus 4.1 writes
				takes = spec.MaxOutput > 32_000 || effort.Compare(request.EffortHigh) <= 0
			}
			r := ask()
			r.Effort = effort
			_, told := sentTo(t, id, r)
			assert.Equal(t, !takes, told, "%s %s", id, effort)
		}
		r := ask()
		r.ThinkingBudget = new(2000)
		body, told := sentTo(t, id, r)
		assert.Equal(t, spec.ThinkingBudget == request.No, told, id)
		assert.Equal(t, !told, strings.Contains(body, `"thinking":{"type":"enabled","budget_tokens":2000}`), id)
	}
}

// sentTo returns the body of a request, and whether anything was left out.
func sentTo(t *testing.T, id string, r request.Request) (body string, told bool) {
	t.Helper()
	answer := ok(reply)
	m := model(t, anthropic.Config{Model: id, HTTPClient: &http.Client{Transport: answer}})
	for ev := range m.Stream(t.Context(), r) {
		told = told || ev.Kind == events.Notice
	}
	r.Strict = true
	refused := false
	for ev := range m.Stream(t.Context(), r) {
		f, failed := ev.Failure()
		refused = refused || failed && f.Reason == events.ReasonBadParameter && f.Sent == events.NotSent
	}
	assert.Equal(t, told, refused, "%s: strict", id)
	return string(answer.Requests()[0].Body), told
}

func TestConfigSpecReplacesTheTable(t *testing.T) {
	t.Parallel()
	answer := ok(reply)
	m := model(t, anthropic.Config{
		Model: "claude-opus-4-7", Spec: &request.Spec{MaxOutput: 777}, HTTPClient: &http.Client{Transport: answer},
	})
	assert.Equal(t, 777, m.Spec().MaxOutput)
	r := ask()
	r.Temperature = new(0.5)
	require.NotEmpty(t, slices.Collect(m.Stream(context.Background(), r)))
	assert.Contains(t, string(answer.Requests()[0].Body), `"max_tokens":777`)
	assert.Contains(t, string(answer.Requests()[0].Body), `"temperature":0.5`)
}

// The table is nobody's to change.
func TestSpecIsACopy(t *testing.T) {
	t.Parallel()
	anthropic.SpecFor("claude-opus-4-7").Efforts[0] = "x"
	assert.Equal(t, request.EffortOff, anthropic.SpecFor("claude-opus-4-7").Efforts[0])
}

// Of the two samplers Claude takes one since Opus 4.1.
func TestOneSampler(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"claude-opus-4-1", "claude-sonnet-4-5-20250929", "claude-opus-4-6"} {
		assert.Equal(t, request.No, anthropic.SpecFor(id).BothSamplers, id)
	}
	assert.Equal(t, request.Unknown, anthropic.SpecFor("somebody-elses").BothSamplers, "of others nothing is known")
}
