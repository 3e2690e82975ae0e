package cohere_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/cohere"
)

// The bytes are written by hand by docs.cohere.com (v2/docs/streaming,
// reference/chat-stream, errors-reference), stored copies read 2026-12-01, in the
// shape of recordings of August 2026.
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New:         newModel,
		Wire:        os.DirFS("testdata/conformance"),
		Unsupported: unsupported(),
	})
}

// unsupported are the scenarios that the wire has no words for: its frames are those
// of reference/chat-stream, and its reasons COMPLETE, STOP_SEQUENCE, MAX_TOKENS,
// TOOL_CALL, ERROR and TIMEOUT.
func unsupported() map[string]string {
	const reference = " (docs.cohere.com/reference/chat-stream, a stored copy read 2026-12-01)"
	return map[string]string{
		"thinking-signed":  "thinking has no signature" + reference,
		"refusal":          "a refusal is text like any other, and finish_reason is COMPLETE" + reference,
		"content-filter":   "finish_reason has no word of a filter" + reference,
		"hosted-tool":      "there are no tools that the provider runs; those of version 1, connectors, are gone" + reference,
		"usage-late":       "the counts stand in message-end, which is the terminal evidence" + reference,
		"usage-cumulative": "only message-end has counts" + reference,
	}
}

func newModel(tb testing.TB, rt http.RoundTripper) providers.Model {
	tb.Helper()
	m, err := cohere.New(cohere.Config{
		Key: conformance.Canary, Model: "command-a-plus-05-2026", HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(tb, err)
	return m
}
