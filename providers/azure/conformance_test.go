package azure_test

import (
	"context"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/azure"
)

// The bytes are those of package chatwire in Azure's dress, which is that of
// recordings: a first chunk for the prompt's filters, theirs beside each text, members
// in order, named events for errors and keep-alives, errors with the status as code.
// The thinking is of DeepSeek, deployed there; the citations are of On Your Data, which
// puts what it found before the text (github.com/MicrosoftDocs/azure-ai-docs, articles/
// foundry-classic/openai/references/on-your-data.md; its chunks are quoted in public
// repositories: read 2026-12-01).
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New:  newModel,
		Wire: os.DirFS("testdata/conformance"),
		Unsupported: map[string]string{
			"thinking-signed":  "of OpenAI's models a chunk has no reasoning, and that of DeepSeek is not sealed (recordings)",
			"hosted-tool":      "a chunk has no place for a tool that the provider runs; those of Azure are of its Responses API",
			"usage-cumulative": "the usage of every chunk is null but in the last one (recordings)",
		},
	})
}

// A token of a source is a credential like a key: the same clauses hold of it, on the
// classic path.
func TestConformanceOfTokens(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New: func(tb testing.TB, rt http.RoundTripper) providers.Model {
			tb.Helper()
			m, err := azure.New(azure.Config{
				Endpoint: "https://acme.openai.azure.com", Deployment: "my-gpt", APIVersion: "2024-10-21", HTTPClient: &http.Client{Transport: rt},
				Token: func(context.Context) (providers.Secret, error) { return conformance.Canary, nil },
			})
			require.NoError(tb, err)
			return m
		},
		Wire: os.DirFS("testdata/conformance"),
		Only: []string{"text", "error-401", "error-first"},
	})
}

func newModel(tb testing.TB, rt http.RoundTripper) providers.Model {
	tb.Helper()
	m, err := azure.New(azure.Config{
		Endpoint: "https://acme.openai.azure.com", Deployment: "my-gpt", Key: conformance.Canary, HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(tb, err)
	return m
}
