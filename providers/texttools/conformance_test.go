package texttools_test

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
	"github.com/weirsdk/weir/providers/texttools"
	"github.com/weirsdk/weir/request"
)

// A model with tools over text keeps the contract of one that has tools. What it says
// is what an endpoint of no known name says (package compatible), but for the calls.
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New: func(tb testing.TB, rt http.RoundTripper) providers.Model {
			tb.Helper()
			inner, err := compatible.New(compatible.Config{
				Provider: "example", BaseURL: "https://llm.example/v1", Model: "qwen3-8b",
				Key: conformance.Canary, HTTPClient: &http.Client{Transport: rt},
				Spec: &request.Spec{Tools: request.No},
			})
			require.NoError(tb, err)
			m, err := texttools.New(inner)
			require.NoError(tb, err)
			return m
		},
		Wire: layered(t, os.DirFS("testdata/conformance"), os.DirFS("../compatible/testdata/conformance"), os.DirFS("../internal/chatwire/testdata/conformance")),
		Unsupported: map[string]string{
			"parallel-calls-interleaved": "a text has one block after the other",
		},
	})
}

// layered returns the files of all folders as those of one, without the scenario that
// a text cannot say. The first folder that has a file wins.
func layered(t *testing.T, folders ...fs.FS) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	for _, folder := range folders {
		files, err := fs.Glob(folder, "*")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, name := range files {
			if _, there := all[name]; there || name == "parallel-calls-interleaved.sse" {
				continue
			}
			text, err := fs.ReadFile(folder, name)
			require.NoError(t, err)
			all[name] = &fstest.MapFile{Data: text}
		}
	}
	return all
}
