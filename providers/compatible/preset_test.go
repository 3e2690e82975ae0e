package compatible_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/internal/chatwire"
)

// The presets that people look for are there, by the names that they write.
func TestPresetsByTheirNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"groq": "groq", "deepseek": "deepseek", "xai": "xai", "mistral": "mistral", "together": "together", "fireworks": "fireworks",
		"cerebras": "cerebras", "perplexity": "perplexity", "huggingface": "huggingface", "nvidia": "nvidia", "cloudflare": "cloudflare",
		"databricks": "databricks", "snowflake": "snowflake", "moonshot": "moonshotai", "moonshotai": "moonshotai", "zai": "zai",
		"alibaba": "alibaba", "venice": "venice", "writer": "writer", "vllm": "vllm", "sglang": "sglang", "llamacpp": "llamacpp",
		"llama.cpp": "llamacpp", "lmstudio": "lmstudio", "ollama": "ollama", "copilot": "copilot", "vercel": "vercelgateway",
		"LM Studio": "lmstudio", "Together AI": "together", "together_ai": "together", "x.ai": "xai", "Z.AI": "zai", "Hugging Face": "huggingface",
		"github-copilot": "copilot", "vercel-ai-gateway": "vercelgateway", "kimi": "moonshotai", "dashscope": "alibaba", "nvidia_nim": "nvidia",
	} {
		config, known := compatible.Preset(name)
		assert.True(t, known, name)
		assert.Equal(t, want, config.Provider, name)
		assert.NotEmpty(t, config.BaseURL, name)
		assert.Equal(t, compatible.NeedsAccount(want), compatible.NeedsAccount(name))
		assert.Equal(t, compatible.QuirksOf(want), compatible.QuirksOf(name), "%s has what is known of %s", name, want)
	}
	config, _ := compatible.Preset("perplexity")
	assert.Equal(t, compatible.Responses, config.API, "its Chat Completions has ended")
	config, known := compatible.Preset("Acme-1")
	assert.False(t, known)
	assert.Equal(t, compatible.Config{Provider: "Acme-1"}, config, "an unknown name stays as it is")
}

// No other name is that of a row, or of two.
func TestOtherNamesAreOfOne(t *testing.T) {
	t.Parallel()
	rows := chatwire.Vendors()
	seen := map[string]string{}
	for vendor, row := range rows {
		for _, name := range row.Names {
			assert.NotContains(t, rows, name)
			assert.Empty(t, seen[name], "%s is of %s too", name, vendor)
			assert.Empty(t, strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789"), "%s is not plain", name)
			seen[name] = vendor
		}
	}
}

// A Config without an address says which presets there are, or that there is one.
func TestNoPreset(t *testing.T) {
	t.Parallel()
	config, _ := compatible.Preset("acme")
	config.Model = "m"
	_, err := compatible.New(config)
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.InvalidRequest, f.Kind)
	assert.Equal(t, events.ReasonBadConfig, f.Reason)
	for _, name := range compatible.Presets() {
		assert.Contains(t, f.Detail, name)
	}
	_, err = compatible.New(compatible.Config{Provider: "Moonshot", Model: "m"})
	f, ok = events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.ReasonBadConfig, f.Reason)
	assert.Contains(t, f.Detail, "Preset has one of moonshotai")
}
