package gemini_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/gemini"
)

// The bytes are written by hand by ai.google.dev/api/generate-content and
// ai.google.dev/gemini-api/docs (function-calling, thinking, google-search,
// generate-content/api-errors), and docs.cloud.google.com of arguments that come in
// pieces, stored copies read 2026-12-01.
func TestConformance(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]string{"levels": "gemini-3.8-flash", "budgets": "gemini-2.5-pro"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conformance.Run(t, conformance.Adapter{
				New:  newOf(model),
				Wire: os.DirFS("testdata/conformance"),
				Unsupported: map[string]string{
					"refusal": "a refusal of the model is text like any other, and finishReason is STOP; only filters have words of their own " +
						"(ai.google.dev/api/generate-content, FinishReason, a stored copy read 2026-12-01)",
					"parallel-calls-interleaved": "a call comes whole or goes on in the parts that follow it, which do not name it " +
						"(go-genai v1.69, FunctionCall, read August to October 2026)",
					"error-context": "an overlong prompt is an INVALID_ARGUMENT like any other and told by its message alone " +
						"(ai.google.dev/gemini-api/docs/generate-content/api-errors, a stored copy read 2026-12-01)",
				},
			})
		})
	}
}

// TestCases plays the bug reports of testdata/cases.
func TestCases(t *testing.T) {
	t.Parallel()
	conformance.Cases(t, "testdata/cases", conformance.Adapter{New: newOf("gemini-3.8-flash")})
}

// newOf returns what makes models of an id.
func newOf(model string) func(testing.TB, http.RoundTripper) providers.Model {
	return func(tb testing.TB, rt http.RoundTripper) providers.Model {
		tb.Helper()
		m, err := gemini.New(gemini.Config{Key: conformance.Canary, Model: model, HTTPClient: &http.Client{Transport: rt}})
		require.NoError(tb, err)
		return m
	}
}
