package main

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

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
	require.NoError(t, run(t.Context(), &out, &errs, options{prompt: "What is a weir, and why name a library after one?"}))
	assert.Empty(t, errs.String())
	time := regexp.MustCompile(`first token +\S+`)
	assert.Equal(t, time.ReplaceAllString(string(golden), ""), time.ReplaceAllString(out.String(), ""))
}

// stopAt cancels a scope once enough was printed.
type stopAt struct {
	strings.Builder
	scope *cancel.Scope
}

func (w *stopAt) Write(p []byte) (int, error) {
	if strings.Contains(w.String(), "low dam") {
		w.scope.Cancel(cancel.User)
	}
	return w.Builder.Write(p)
}

func TestStopped(t *testing.T) {
	noEnv(t)
	scope := cancel.New(t.Context())
	out := &stopAt{scope: scope}
	var errs strings.Builder
	require.NoError(t, run(scope.Context(), out, &errs, options{prompt: "?"}), "a stop is no error")
	assert.Contains(t, errs.String(), "-prompt is not asked", "the recording answers another question")
	assert.Contains(t, out.String(), "cancelled/user")
	assert.Contains(t, out.String(), "unknown", "what is known of the usage is said")
	assert.NotContains(t, out.String(), "what it cost", "and nothing came after")
}

// TestNotSent: nobody listens, so nothing was asked, and nothing is owed.
func TestNotSent(t *testing.T) {
	t.Setenv("OLLAMA_HOST", "http://127.0.0.1:1")
	var out, errs strings.Builder
	require.ErrorIs(t, run(t.Context(), &out, &errs, options{model: "ollama:m", prompt: "?"}), errReported)
	assert.Regexp(t, `cost +nothing: the request was not sent`, out.String())
	assert.NotContains(t, out.String(), "unknown", "of what was not asked nothing is unknown")
	assert.NotContains(t, out.String(), "\n\n\n", "no text, no line of it")
}

func TestOpen(t *testing.T) {
	t.Parallel()
	keys := func(env map[string]string) func(string) string { return func(name string) string { return env[name] } }
	for _, c := range []struct {
		why, name string
		env       map[string]string
		want      string
	}{
		{"a key decides", "", map[string]string{"OPENAI_API_KEY": "k"}, "openai:gpt-5-mini"},
		{"the other key decides", "", map[string]string{"ANTHROPIC_API_KEY": "k"}, "anthropic:claude-haiku-4-5"},
		{"the third key decides", "", map[string]string{"GEMINI_API_KEY": "k"}, "gemini:gemini-3.8-flash"},
		{"the flag decides", "ollama:qwen3:8b", map[string]string{"OPENAI_API_KEY": "k"}, "ollama:qwen3:8b"},
		{"no key", "", nil, "openai:demo-1"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			s, err := open(context.WithoutCancel(t.Context()), c.name, keys(c.env))
			require.NoError(t, err)
			defer s.close()
			assert.Equal(t, c.want, s.model.Name())
		})
	}
	_, err := open(t.Context(), "acme:1", keys(nil))
	require.Error(t, err)
	_, err = open(t.Context(), "openai:", keys(map[string]string{"OPENAI_API_KEY": "k"}))
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.ReasonBadConfig, f.Reason)
}
