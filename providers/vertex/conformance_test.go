package vertex_test

import (
	"context"
	"io/fs"
	"net/http"
	"os"
	"path"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/vertex"
)

// The bytes are those of package gemini, which holds its language to every scenario,
// and in Vertex AI's dress, by recordings, those in which it differs: a createTime,
// counts that are not there while the reply goes on, calls without an id, passages
// without a beginning that is 0, errors of another service.
func TestConformance(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]struct {
		config vertex.Config
		only   []string
	}{
		"tokens": {placed(), []string{
			"text", "usage-cached", "usage-thinking", "thinking-signed", "tool-call", "parallel-calls", "exact-arguments", "structured-answer", "hosted-tool",
			"citations", "error-401", "error-403", "error-429", "error-first",
		}},
		"express mode": {vertex.Config{Key: conformance.Canary}, []string{"text", "error-401"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run.config.Model = "gemini-3.8-flash"
			conformance.Run(t, conformance.Adapter{
				New: newOf(run.config), Only: run.only,
				Wire: joined(t, "../gemini/testdata/conformance", "testdata/conformance"),
			})
		})
	}
}

// The bytes are those of package anthropic, and the errors of Google in front of it,
// which come in a list, as public reports show them (github.com/yym68686/uni-api,
// issue 41, read 2026-12-01).
func TestConformanceOfMessages(t *testing.T) {
	t.Parallel()
	config := placed()
	config.API, config.Model = vertex.Messages, "claude-sonnet-5"
	conformance.Run(t, conformance.Adapter{
		New:  newOf(config),
		Wire: joined(t, "../anthropic/testdata/conformance", "testdata/messages"),
		Only: []string{
			"text", "thinking-signed", "tool-call", "parallel-calls", "structured-answer", "hosted-tool", "citations", "usage-cached", "usage-thinking",
			"error-400", "error-401", "error-403", "error-404", "error-429", "error-first",
		},
	})
}

// placed is a config of a project and a location whose tokens are the canary.
func placed() vertex.Config {
	return vertex.Config{
		Project: "my-project", Location: "us-east5",
		Token: func(context.Context) (providers.Secret, error) { return conformance.Canary, nil },
	}
}

// newOf returns what makes models of a config.
func newOf(config vertex.Config) func(testing.TB, http.RoundTripper) providers.Model {
	return func(tb testing.TB, rt http.RoundTripper) providers.Model {
		tb.Helper()
		c := config
		c.HTTPClient = &http.Client{Transport: rt}
		m, err := vertex.New(c)
		require.NoError(tb, err)
		return m
	}
}

// joined is two folders in one; of a scenario that both have, the bytes of the second.
func joined(tb testing.TB, folders ...string) fs.FS {
	tb.Helper()
	all := map[string]string{}
	for _, folder := range folders {
		files, err := os.ReadDir(folder)
		require.NoError(tb, err)
		for _, f := range files {
			all[f.Name()[:len(f.Name())-len(path.Ext(f.Name()))]] = path.Join(folder, f.Name())
		}
	}
	wire := fstest.MapFS{}
	for _, name := range all {
		text, err := os.ReadFile(name)
		require.NoError(tb, err)
		wire[path.Base(name)] = &fstest.MapFile{Data: text}
	}
	return wire
}
