package anthropic_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
)

// The bytes are written by hand by platform.claude.com/docs/en/api (messages,
// streaming, errors, rate-limits) and /docs/en/build-with-claude
// (handling-stop-reasons, extended-thinking, search-results), stored copies read
// 2026-12-01.
func TestConformance(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]anthropic.Config{
		"key":   {Key: conformance.Canary},
		"token": {OAuthToken: conformance.Canary, Beta: []string{"oauth-2025-04-20"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conformance.Run(t, conformance.Adapter{
				New:  newOf(config),
				Wire: os.DirFS("testdata/conformance"),
				Unsupported: map[string]string{
					"error-context": "an overlong prompt is an invalid_request_error like any other and told by its message alone " +
						"(platform.claude.com/docs/en/api/errors, a stored copy read 2026-12-01)",
				},
			})
		})
	}
}

// TestCases plays the bug reports of testdata/cases.
func TestCases(t *testing.T) {
	t.Parallel()
	conformance.Cases(t, "testdata/cases", conformance.Adapter{New: newOf(anthropic.Config{Key: conformance.Canary})})
}

// newOf returns what makes models of a config.
func newOf(config anthropic.Config) func(testing.TB, http.RoundTripper) providers.Model {
	return func(tb testing.TB, rt http.RoundTripper) providers.Model {
		tb.Helper()
		c := config
		c.Model, c.HTTPClient = "claude-sonnet-5", &http.Client{Transport: rt}
		m, err := anthropic.New(c)
		require.NoError(tb, err)
		return m
	}
}
