package main

import (
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noEnv is an environment without keys.
func noEnv(t *testing.T) {
	t.Helper()
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("ANTHROPIC_API_KEY", "")
	t.Setenv("GEMINI_API_KEY", "")
}

func TestDemo(t *testing.T) {
	noEnv(t)
	golden, err := os.ReadFile("testdata/demo.golden")
	require.NoError(t, err)
	var out, errs strings.Builder
	require.NoError(t, run(t.Context(), &out, &errs, options{prompt: "another order", limits: defaultLimits()}))
	assert.Contains(t, errs.String(), "-prompt is not asked", "the recording quotes its own order")
	wait := regexp.MustCompile(`again in \S+`)
	assert.Equal(t, wait.ReplaceAllString(string(golden), ""), wait.ReplaceAllString(out.String(), ""))
}

// A wrong command line is told what is wrong with it and nothing else.
func TestUsage(t *testing.T) {
	for _, budget := range []string{"small", "0", "-1", ""} {
		_, err := checkUsage(budget, nil)
		require.ErrorContains(t, err, "-budget", budget)
		assert.NotContains(t, err.Error(), "-prompt", budget)
	}
	_, err := checkUsage("0.10", []string{"an order"})
	require.ErrorContains(t, err, "-prompt")
	assert.NotContains(t, err.Error(), "-budget")
	most, err := checkUsage("0.10", nil)
	require.NoError(t, err)
	assert.Equal(t, events.Micros(100_000), most)
}

// What the program says of a run that a limit ended: the refusal, and the account of
// what came before it.
func TestRefused(t *testing.T) {
	noEnv(t)
	limits := defaultLimits()
	limits.MaxCost = 17_500
	var out strings.Builder
	require.ErrorIs(t, run(t.Context(), &out, io.Discard, options{limits: limits}), errReported)
	assert.Contains(t, out.String(), "The budget refused: ")
	assert.NotContains(t, out.String(), "$628.80")
	assert.Contains(t, out.String(), "2 turns, 3 tool calls, 4 attempts: 3 ok, 1 failed, 0 ambiguous, 0 open")
	assert.Contains(t, out.String(), "left: $0.016090 of $0.017500")
	assert.Contains(t, out.String(), "closed by the limit of cost")
}

// stopAt cancels a scope when a text is printed for the nth time.
type stopAt struct {
	strings.Builder
	scope *cancel.Scope
	text  string
	left  int
}

func (w *stopAt) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.text) {
		if w.left--; w.left == 0 {
			w.scope.Cancel(cancel.User)
		}
	}
	return w.Builder.Write(p)
}

func TestStopped(t *testing.T) {
	noEnv(t)
	scope := cancel.New(t.Context())
	out := &stopAt{scope: scope, text: "answers (quote)", left: 2}
	require.NoError(t, run(scope.Context(), out, io.Discard, options{limits: defaultLimits()}), "a stop is no error")
	assert.Contains(t, out.String(), "Stopped: cancelled/user")
	assert.Contains(t, out.String(), "ambiguous: cancelled", "who stops a reply pays for what it may have been")
	assert.Contains(t, out.String(), "$0.017332 at most, $0.000596 known")
	assert.Contains(t, out.String(), "1 ok, 1 failed, 1 ambiguous, 0 open")
}

// Wherever a run is stopped, nothing stays reserved, and the totals are those of the
// attempts.
func TestStoppedAnywhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, text string
		nth       int
		ambiguous int64
	}{
		{"in the first reply", "answers (quote)", 1, 1},
		{"in the last reply", "answers (quote)", 4, 1},
		{"in the reply of the helper", "answers (summary)", 1, 1},
		{"before a retry", "again in", 1, 0},
		{"between two turns", "= {", 1, 0},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			scope := cancel.New(t.Context())
			a := testAgent(t, &stopAt{scope: scope, text: c.text, left: c.nth}, defaultLimits())
			_, err := a.quote(scope.Context(), order)
			require.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled})
			state := added(t, a)
			assert.Zero(t, state.Totals.Open)
			assert.Zero(t, state.Totals.OpenCost)
			assert.Equal(t, c.ambiguous, state.Totals.Ambiguous)
			assert.Equal(t, c.ambiguous == 0, state.Totals.Cost.IsComplete(), "what is not known is not called exact")
			assert.Nil(t, state.Closed, "a stop is no limit: the run can go on")
		})
	}
}

// added returns the run, its totals held against its attempts and its groups.
func added(t *testing.T, a *agent) ledger.Run {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	state, err := a.run.State(ctx)
	require.NoError(t, err)
	total, err := ledger.Total(a.run.Records(ctx))
	require.NoError(t, err)
	assert.Equal(t, state.Totals, total)
	groups, err := ledger.GroupBy(a.run.Records(ctx), ledger.ByPurpose)
	require.NoError(t, err)
	var sum ledger.Totals
	for _, g := range groups {
		sum = sum.Plus(g.Totals)
	}
	assert.Equal(t, state.Totals, sum)
	if most := state.Limits.MaxCost; most > 0 {
		assert.LessOrEqual(t, state.Totals.SpentCost(), most)
	}
	return state
}

func TestOpen(t *testing.T) {
	t.Parallel()
	keys := func(env map[string]string) func(string) string { return func(name string) string { return env[name] } }
	for _, c := range []struct {
		why, name    string
		env          map[string]string
		model, cheap string
	}{
		{"a key decides", "", map[string]string{"OPENAI_API_KEY": "k"}, "openai:gpt-5-mini", "openai:gpt-5-nano"},
		{"the other key decides", "", map[string]string{"ANTHROPIC_API_KEY": "k"}, "anthropic:claude-haiku-4-5", "anthropic:claude-haiku-4-5"},
		{"the third key decides", "", map[string]string{"GEMINI_API_KEY": "k"}, "gemini:gemini-3.8-flash", "gemini:gemini-3.5-flash-lite"},
		{"the flag decides", "ollama:qwen3:8b", map[string]string{"OPENAI_API_KEY": "k"}, "ollama:qwen3:8b", "ollama:qwen3:8b"},
		{"no key", "", nil, "openai:demo-1", "openai:demo-mini"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			s, err := open(t.Context(), c.name, keys(c.env))
			require.NoError(t, err)
			defer s.close()
			assert.Equal(t, c.model, s.model.Name())
			assert.Equal(t, c.cheap, s.cheap.Name())
			for _, name := range []string{c.model, c.cheap} {
				assert.Contains(t, s.prices, name, "under a limit on cost a model without a price is refused")
			}
		})
	}
	_, err := open(t.Context(), "acme:1", keys(nil))
	require.Error(t, err)
	_, err = open(t.Context(), "openai:", keys(map[string]string{"OPENAI_API_KEY": "k"}))
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.ReasonBadConfig, f.Reason)
}
