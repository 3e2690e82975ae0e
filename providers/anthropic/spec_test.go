package anthropic_test

import (
	"context"
	"net/http"
	"slices"
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
