package compatible_test

import (
	"io/fs"
	"net/http"
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/compatible"
)

// An endpoint of no known name says what OpenAI says, and what others add to it:
// reasoning_content and running counts as vLLM sends them, reasoning_details as a
// gateway passes them on, executed_tools as Groq has them (its recordings of
// github.com/pydantic/pydantic-ai, tests/models/cassettes/test_groq, read 2026-12-01).
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New:  newOf(compatible.Config{Provider: "example", BaseURL: "https://llm.example/v1", Model: "qwen3-8b"}),
		Wire: joined(t, os.DirFS("../internal/chatwire/testdata/conformance"), os.DirFS("testdata/conformance")),
	})
}

// Of the presets Mistral differs most in its bytes: content as an array of parts
// with the thinking among them, calls whole and without index or type in the
// frame that ends the reply, usage unasked and in that frame, flat errors. They
// are written by hand by the models of github.com/mistralai/client-python (docs/
// models) and by bodies quoted in public repositories, stored copies read
// 2026-12-01. What seals a ThinkChunk is not in those models: signature is a member of
// the chunks that clients keep for Mistral's next request (github.com/anomalyco/
// opencode, pull request 38453, and github.com/mozilla-ai/any-llm-go, providers/mistral,
// read 2026-12-01).
func TestConformanceOfMistral(t *testing.T) {
	t.Parallel()
	config, ok := compatible.Preset("mistral")
	require.True(t, ok)
	config.Model = "mistral-medium-latest"
	quirks := compatible.QuirksOf("mistral")
	quirks.CallIDs = compatible.CallIDAny // the suite's ids are none that Mistral gives, nor takes
	config.Quirks = &quirks
	const models = " (github.com/mistralai/client-python, docs/models, stored copies read 2026-12-01)"
	conformance.Run(t, conformance.Adapter{
		New:  newOf(config),
		Wire: os.DirFS("testdata/mistral"),
		Unsupported: map[string]string{
			"refusal":          "a DeltaMessage has no refusal: a model refuses in its text" + models,
			"content-filter":   "the finish reasons are stop, length, error and tool_calls" + models,
			"hosted-tool":      "a request may name tools that Mistral runs (chatcompletionstreamrequesttool.md), and a DeltaMessage has no member that tells of their use" + models,
			"usage-thinking":   "a UsageInfo has nothing of the thinking, and no recorded stream of a model that thinks has" + models,
			"usage-late":       "usage is in the chunk that has the finish_reason (recorded streams of github.com/vercel/ai and pydantic/pydantic-ai, read 2026-11-30)",
			"usage-cumulative": "usage is in the last chunk alone (the same streams, read 2026-11-30)",
			"error-context":    "the code of an overlong prompt, 3051, is that of any bad argument: only the message tells (bodies quoted in public repositories, read 2026-12-01)",
		},
	})
}

// newOf returns what makes models of a config.
func newOf(config compatible.Config) func(testing.TB, http.RoundTripper) providers.Model {
	return func(tb testing.TB, rt http.RoundTripper) providers.Model {
		tb.Helper()
		config := config
		config.Key, config.HTTPClient = conformance.Canary, &http.Client{Transport: rt}
		m, err := compatible.New(config)
		require.NoError(tb, err)
		return m
	}
}

// joined returns the files of all folders as those of one.
func joined(t *testing.T, folders ...fs.FS) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	for _, folder := range folders {
		files, err := fs.Glob(folder, "*")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, name := range files {
			text, err := fs.ReadFile(folder, name)
			require.NoError(t, err)
			require.NotContains(t, all, name, "in two folders")
			all[name] = &fstest.MapFile{Data: text}
		}
	}
	return all
}
