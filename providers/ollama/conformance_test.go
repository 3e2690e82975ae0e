package ollama_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/ollama"
)

// The bytes are written by hand by docs.ollama.com/api (chat, errors) and what
// ollama v0.33 (api/types.go) and a running 0.17.4 send; that the hosted service
// answers 402 when the balance is empty is from issue 17639 of
// github.com/ollama/ollama, a stored copy read 2026-12-01.
//
// A server of one's own behind a proxy and the hosted service ask for a
// structured answer differently, and both take a key.
func TestConformance(t *testing.T) {
	t.Parallel()
	for name, host := range map[string]string{"own": "https://ollama.example", "hosted": "https://ollama.com"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conformance.Run(t, conformance.Adapter{
				New:         newOf(host),
				Wire:        os.DirFS("testdata/conformance"),
				Unsupported: unsupported(),
			})
		})
	}
}

// unsupported are the scenarios that the wire has no words for: its message is
// role, content, thinking, images, tool_calls, tool_name and tool_call_id, and its
// last line is done_reason and counts (ollama v0.33, api/types.go, read August to
// October 2026).
func unsupported() map[string]string {
	const types = " (ollama v0.33, api/types.go, read August to October 2026)"
	return map[string]string{
		"thinking-signed":            "a message has thinking and no signature of it" + types,
		"refusal":                    "a refusal is content like any other, and done_reason is stop" + types,
		"content-filter":             "done_reason is stop, length, load or unload, and no word of a filter" + types,
		"hosted-tool":                "a message has no tool that the server runs; its web search is an API of its own (docs.ollama.com/capabilities/web-search, a stored copy read 2026-12-01)",
		"citations":                  "a message has no citations" + types,
		"parallel-calls-interleaved": "a call comes whole, in one line, its arguments an object" + types,
		"length-in-arguments":        "a call comes whole or not at all, its arguments an object" + types,
		"broken-arguments":           "arguments are an object inside the line, and broken ones would be a broken line" + types,
		"no-call":                    "done_reason has no word for tool calls, and is stop when there are some" + types,
		"usage-thinking":             "there is no count of thinking (ollama v0.33.3, api/types.go, read August to October 2026)",
		"usage-late":                 "the counts stand in the line that has done true, which is the terminal evidence" + types,
		"usage-cumulative":           "only the line that has done true has counts" + types,
		"error-context":              "an error is one text without a code (docs.ollama.com/api/errors, a stored copy read 2026-12-01)",
	}
}

// TestCases plays the bug reports of testdata/cases.
func TestCases(t *testing.T) {
	t.Parallel()
	conformance.Cases(t, "testdata/cases", conformance.Adapter{New: newOf("https://ollama.example")})
}

// newOf returns what makes models of a host.
func newOf(host string) func(testing.TB, http.RoundTripper) providers.Model {
	return func(tb testing.TB, rt http.RoundTripper) providers.Model {
		tb.Helper()
		m, err := ollama.New(ollama.Config{
			Model: "qwen3:4b", Host: host, Key: conformance.Canary, HTTPClient: &http.Client{Transport: rt},
		})
		require.NoError(tb, err)
		return m
	}
}
