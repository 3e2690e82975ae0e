package azure_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/azure"
)

// The bytes are those of the family in Azure's dress, which is that of recordings:
// more members in a response (content_filters, prompt_cache_retention), those of a
// frame in order, the tier that served it in the end alone, citations with their end
// first, errors with the status as code. What has no bytes here is of the family
// (package openai plays all of it).
func TestConformanceOfResponses(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New: func(tb testing.TB, rt http.RoundTripper) providers.Model {
			tb.Helper()
			m, err := azure.New(azure.Config{
				Endpoint: "https://acme.openai.azure.com", Deployment: "my-gpt", API: azure.Responses, Key: conformance.Canary,
				HTTPClient: &http.Client{Transport: rt},
			})
			require.NoError(tb, err)
			return m
		},
		Wire: os.DirFS("testdata/responses"),
		Only: []string{
			"text", "tool-call", "parallel-calls", "thinking", "thinking-signed", "structured-answer", "hosted-tool", "citations",
			"content-filter", "usage", "usage-cached", "usage-thinking", "error-400", "error-401", "error-first",
		},
	})
}

// Azure has nothing that counts (package documentation), so that nobody asks it.
func TestAzureDoesNotCount(t *testing.T) {
	t.Parallel()
	for _, api := range []azure.API{azure.ChatCompletions, azure.Responses} {
		m, err := azure.New(azure.Config{Endpoint: "https://acme.openai.azure.com", Deployment: "my-gpt", API: api, Key: conformance.Canary})
		require.NoError(t, err)
		_, counts := providers.As[providers.TokenCounter](m)
		assert.False(t, counts, api)
	}
}
