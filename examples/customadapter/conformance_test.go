package customadapter_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/examples/customadapter"
	"github.com/weirsdk/weir/providers"
)

// The bytes are written by hand by WIRE.md, for want of a server to record.
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		New: func(tb testing.TB, rt http.RoundTripper) providers.Model {
			tb.Helper()
			m, err := customadapter.New(customadapter.Config{
				Key: conformance.Canary, BaseURL: "https://api.acme.example/v1", Model: "anvil-2",
				HTTPClient: &http.Client{Transport: rt},
			})
			if err != nil {
				tb.Fatal(err)
			}
			return m
		},
		Wire: os.DirFS("testdata/conformance"),
		Unsupported: map[string]string{
			"citations":   "Acme names no sources",
			"hosted-tool": "Acme runs no tool of its own",
			"usage-late":  "the counts are told before the end frame or in it, never after it",
		},
	})
}
