package compatible_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers/compatible"
)

// variants are the presets whose profile differs from all others, each with the
// scenarios that it could spoil: TestConformance has the same bytes, and all of the
// scenarios, under the profile that has no quirk. Mistral, whose bytes differ, has a
// run of its own.
func variants() map[string][]string {
	return map[string][]string{
		"alibaba":       {"thinking", "tool-call"},
		"databricks":    {"usage", "tool-call"},
		"deepseek":      {"thinking", "structured-answer", "text-and-tool-call"},
		"groq":          {"length", "structured-answer", "tool-call", "hosted-tool"},
		"ollama":        {"structured-answer", "tool-call"},
		"vercelgateway": {"thinking-signed", "usage"},
		"writer":        {"text", "error-400"},
		"xai":           {"usage", "usage-thinking", "usage-cached"},
		"zai":           {"thinking", "tool-call"},
	}
}

func TestConformanceOfVariants(t *testing.T) {
	t.Parallel()
	wire := joined(t, os.DirFS("../internal/chatwire/testdata/conformance"), os.DirFS("testdata/conformance"))
	for name, scenarios := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config, ok := compatible.Preset(name)
			require.True(t, ok)
			config.Model = "m"
			if compatible.NeedsAccount(name) != "" {
				config.Account = "acme"
			}
			conformance.Run(t, conformance.Adapter{New: newOf(config), Wire: wire, Only: scenarios})
		})
	}
}

// No preset has a profile that no run of the suite has.
func TestEveryProfileIsHeld(t *testing.T) {
	t.Parallel()
	held := []compatible.Quirks{{}, compatible.QuirksOf("mistral")}
	for name := range variants() {
		assert.NotContains(t, held, compatible.QuirksOf(name), "%s differs from nobody: another run has its profile", name)
		held = append(held, compatible.QuirksOf(name))
	}
	for _, name := range compatible.Presets() {
		assert.Contains(t, held, compatible.QuirksOf(name), "no run of the suite has the profile of %s", name)
	}
}
