package gemini_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/gemini"
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
		{"gemini-2.5-pro", "budgets", 65_536, request.Yes, request.Yes},
		{"models/gemini-2.5-pro", "by the name of the resource", 65_536, request.Yes, request.Yes},
		{"gemini-3.8-flash", "levels, and budgets for old clients", 65_536, request.Yes, request.Unknown},
		{"gemini-4-argon", "levels alone", 0, request.Yes, request.No},
		{"gemini-3.8-flash-cyber", "not the model that it begins like", 0, request.Unknown, request.Unknown},
		{"tunedModels/gemini-2.5-pro", "a tuned one", 0, request.Unknown, request.Unknown},
	} {
		s := gemini.SpecFor(c.id)
		assert.Equal(t, c.output, s.MaxOutput, "%s: %s", c.id, c.why)
		assert.Equal(t, c.thinking, s.Thinking, "%s: %s", c.id, c.why)
		assert.Equal(t, c.budget, s.ThinkingBudget, "%s: %s", c.id, c.why)
		assert.Equal(t, request.No, s.ParallelTools, c.id)
	}
}

// What one model is told, another is told its own way.
func TestThinkingByModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model  string
		effort request.Effort
		budget int
		want   string
		notice bool
	}{
		{"gemini-2.5-flash", request.EffortOff, 0, `"thinkingConfig":{"thinkingBudget":0}`, false},
		{"gemini-2.5-pro", request.EffortOff, 0, `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":1024}`, true},
		{"gemini-2.5-pro", request.EffortMax, 0, `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":24576}`, false},
		{"gemini-2.5-flash-lite", "", 100, `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":512}`, true},
		{"gemini-2.5-flash", "", 30_000, `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":24576}`, true},
		{"gemini-3.6-flash", request.EffortMinimal, 0, `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"minimal"}`, false},
		{"gemini-3.8-flash", request.EffortMinimal, 0, `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"low"}`, true},
		{"gemini-3.8-flash", request.EffortOff, 0, `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"low"}`, true},
		{"gemini-3.8-flash", request.EffortXHigh, 0, `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"high"}`, true},
		{"gemini-3.8-flash", "", 5000, `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":5000}`, false},
		{"gemini-4-argon", "", 5000, `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, true},
		{"gemini-next", request.EffortMax, 0, `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"high"}`, false},
		{"gemini-next", request.EffortOff, 0, `"thinkingConfig":{"thinkingBudget":0}`, false},
	} {
		answer := ok(reply)
		m := model(t, gemini.Config{Model: c.model, HTTPClient: &http.Client{Transport: answer}})
		r := ask()
		r.Effort = c.effort
		if c.budget > 0 {
			r.ThinkingBudget = &c.budget
		}
		evs := slices.Collect(m.Stream(t.Context(), r))
		require.Len(t, answer.Requests(), 1, c.model)
		assert.Contains(t, string(answer.Requests()[0].Body), c.want, "%s %s %d", c.model, c.effort, c.budget)
		told := slices.ContainsFunc(evs, func(e events.Event) bool { return e.Kind == events.Notice })
		assert.Equal(t, c.notice, told, "%s %s %d", c.model, c.effort, c.budget)
		r.Strict = true
		strict := slices.Collect(m.Stream(t.Context(), r))
		assert.Equal(t, c.notice, last(t, strict).Kind == events.Failed, "strict: %s %s %d", c.model, c.effort, c.budget)
	}
}

// A structured answer is asked for beside tools where the model takes both.
func TestAnswerBesideTools(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	answer, err := request.NewAnswer("", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`)
	require.NoError(t, err)
	for id, native := range map[string]bool{
		"gemini-3.8-flash": true, "gemini-3.1-pro-preview": true, "gemini-3.5-flash-lite": false, "gemini-2.5-pro": false, "gemini-next": false,
	} {
		rt := ok(reply)
		r := ask()
		r.Tools, r.Answer = []request.Tool{tool}, answer
		require.NotEmpty(t, slices.Collect(model(t, gemini.Config{Model: id, HTTPClient: &http.Client{Transport: rt}}).Stream(t.Context(), r)))
		body := string(rt.Requests()[0].Body)
		if native {
			assert.Contains(t, body, `"responseJsonSchema"`, id)
		} else {
			assert.NotContains(t, body, `"responseJsonSchema"`, id)
			assert.Contains(t, body, `"systemInstruction"`, id)
		}
	}
}

func TestConfigSpecReplacesTheTable(t *testing.T) {
	t.Parallel()
	answer := ok(reply)
	m := model(t, gemini.Config{
		Model: "gemini-4-argon", Spec: &request.Spec{MaxOutput: 777}, HTTPClient: &http.Client{Transport: answer},
	})
	assert.Equal(t, 777, m.Spec().MaxOutput)
	r := ask()
	r.Temperature, r.MaxOutputTokens = new(0.5), 1000
	require.NotEmpty(t, slices.Collect(m.Stream(t.Context(), r)))
	assert.Contains(t, string(answer.Requests()[0].Body), `{"maxOutputTokens":777,"temperature":0.5}`)
}

// The table is nobody's to change.
func TestSpecIsACopy(t *testing.T) {
	t.Parallel()
	gemini.SpecFor("gemini-3.8-flash").Efforts[0] = "x"
	assert.Equal(t, request.EffortLow, gemini.SpecFor("gemini-3.8-flash").Efforts[0])
}
