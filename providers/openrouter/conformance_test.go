package openrouter_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/openrouter"
)

// The bytes are written by hand by openrouter.ai/docs: api/reference/streaming,
// api/reference/errors-and-debugging, use-cases/reasoning-tokens and the
// ChatStreamingMessageChunk and APIErrorType of its SDKs, stored copies read
// 2026-12-01.
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New:  newModel,
		Wire: os.DirFS("testdata/conformance"),
		Unsupported: map[string]string{
			"hosted-tool":      "OpenRouter runs its server tools out of sight: a chunk tells of a web search by the annotations of the text, which the scenario citations has, and by a count in usage (openrouter.ai/docs/guides/features/server-tools, a stored copy read 2026-12-01)",
			"usage-cumulative": "usage comes once, in the last chunk (openrouter.ai/docs/use-cases/usage-accounting, a stored copy read 2026-11-30)",
		},
	})
}

// TestCases plays the bug reports of testdata/cases.
func TestCases(t *testing.T) {
	t.Parallel()
	conformance.Cases(t, "testdata/cases", conformance.Adapter{New: newModel})
}

func newModel(tb testing.TB, rt http.RoundTripper) providers.Model {
	tb.Helper()
	m, err := openrouter.New(openrouter.Config{
		Key: conformance.Canary, Model: "anthropic/claude-sonnet-4.5", HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(tb, err)
	return m
}
