package customadapter_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/examples/customadapter"
	"github.com/weirsdk/weir/providers"
)

// model returns the adapter on a round tripper.
func model(tb testing.TB, rt http.RoundTripper) providers.Model {
	tb.Helper()
	m, err := customadapter.New(customadapter.Config{
		Key: conformance.Canary, BaseURL: "https://api.acme.example/v1", Model: "anvil-2", HTTPClient: &http.Client{Transport: rt},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// The bytes are written by hand, from WIRE.md: there is no server to record.
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New:  model,
		Wire: os.DirFS("testdata/conformance"),
		Unsupported: map[string]string{
			"citations":   "Acme names no sources",
			"hosted-tool": "Acme runs no tool of its own",
			"usage-late":  "the counts are told before the end frame or in it, never after it",
		},
	})
}
