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

// The bytes lie with the family, because other adapters play them too. They are
// written by hand: the frames by openai-python's types of the Responses API
// (types/responses), the errors by OpenAI's guide to error codes and by bodies quoted
// in public issues, read 2026-12-01.
func TestResponsesConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New:  newResponses,
		Wire: os.DirFS("../internal/responseswire/testdata/conformance"),
		Unsupported: map[string]string{
			"stop-sequence":    "a request has no stop sequences: what is asked for is told to be left out (openai-python, types/responses/response_create_params.py, read 2026-12-01)",
			"no-call":          "there is no word for a stop that calls tools: a status of completed is all that a response says, and the calls are its items (the same, response_status.py)",
			"usage-late":       "the counts are a part of the frame that ends the response (the same, response_completed_event.py)",
			"usage-cumulative": "a response that is in progress has no usage (recordings: it is null)",
		},
	})
}

// TestResponsesCases plays the bug reports of testdata/responses-cases.
func TestResponsesCases(t *testing.T) {
	t.Parallel()
	conformance.Cases(t, "testdata/responses-cases", conformance.Adapter{New: newResponses})
}

func newResponses(tb testing.TB, rt http.RoundTripper) providers.Model {
	tb.Helper()
	m, err := openai.New(openai.Config{
		Key: conformance.Canary, Model: "gpt-5.1", API: openai.Responses, HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(tb, err)
	return m
}
