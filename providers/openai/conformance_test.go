package openai_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/openai"
)

// The bytes lie with the family, because the tests of package compatible play
// them too. They are written by hand: the frames by OpenAI's API reference (the
// chat completion chunk object), the errors by its guide to error codes and by
// bodies quoted in public issues, stored copies read 2026-12-01.
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New:  newModel,
		Wire: os.DirFS("../internal/chatwire/testdata/conformance"),
		Unsupported: map[string]string{
			"thinking":         "a chunk of Chat Completions has role, content, refusal and tool_calls, and no reasoning: that is shown by the Responses API alone (ChatCompletionStreamResponseDelta of OpenAI's API description, as generated clients have it, read 2026-12-01)",
			"thinking-signed":  "there is no reasoning in a chunk, so nothing that is sealed: encrypted reasoning items are of the Responses API (the same description, read 2026-12-01)",
			"hosted-tool":      "of a web search there is nothing in a chunk but the annotations of the text, which the scenario citations has (github.com/openai/openai-java, issue 297, read 2026-12-01)",
			"usage-cumulative": "with include_usage the usage of every chunk is null but in the last one (OpenAI's API reference, stream_options, read August to October 2026)",
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
	m, err := openai.New(openai.Config{Key: conformance.Canary, Model: "gpt-5.1", HTTPClient: &http.Client{Transport: rt}})
	require.NoError(tb, err)
	return m
}
