package models

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/compatible"
)

// set returns an environment in which every variable has a value, but for these.
func set(but ...string) func(string) string {
	return func(name string) string {
		for _, unset := range but {
			if name == unset {
				return ""
			}
		}
		switch name {
		case "AZURE_ENDPOINT":
			return "https://example.openai.azure.com"
		case "OLLAMA_HOST":
			return "127.0.0.1:11434"
		default:
			return "k"
		}
	}
}

func TestOpenEveryProvider(t *testing.T) {
	t.Parallel()
	require.Greater(t, len(Providers()), len(compatible.Presets()))
	for _, provider := range Providers() {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			model, prices, err := Open(provider+":a/model:1", set())
			require.NoError(t, err)
			assert.Equal(t, provider+":a/model:1", model.Name(), "only the first colon divides")

			_, _, err = Open(provider+":a/model:1", set(KeyName(provider)))
			_, free := prices[model.Name()]
			assert.Equal(t, free, err == nil, "who is no local server needs a key: %v", err)
			if err != nil {
				assert.ErrorContains(t, err, KeyName(provider), "the user has to know which")
			}
		})
	}
}

func TestOpenPrices(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"openai:gpt-5-mini", "anthropic:claude-haiku-4-5", "gemini:gemini-3.8-flash", "openrouter:anthropic/claude-sonnet-4.5",
		"xai:grok-4.7", "ollama:qwen3", "vllm:mine",
	} {
		model, prices, err := Open(name, set())
		require.NoError(t, err, name)
		_, found := prices[model.Name()]
		assert.True(t, found, name)
	}
}

func TestDefault(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "openai:gpt-5-mini", Default(set()))
	assert.Equal(t, "gemini:gemini-3.8-flash", Default(set("OPENAI_API_KEY", "ANTHROPIC_API_KEY")))
	assert.Empty(t, Default(func(string) string { return "" }))
	_, prices, err := Open(Default(set()), set())
	require.NoError(t, err)
	_, found := prices[Default(set())]
	assert.True(t, found, "the agent's budget needs its price")
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, name string
		getenv    func(string) string
		says      string
	}{
		{"nobody knows it", "acme:1", set(), "cohere"},
		{"no model", "gemini", set(), "gemini:<model>"},
		{"a module of its own", "bedrock:claude", set(), "providers/bedrock"},
		{"its address holds an account", "cloudflare:@cf/m", set("CLOUDFLARE_ACCOUNT"), "CLOUDFLARE_ACCOUNT"},
		{"its address is the user's own", "azure:gpt", set("AZURE_ENDPOINT"), "AZURE_ENDPOINT"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			_, _, err := Open(c.name, c.getenv)
			require.Error(t, err)
			assert.ErrorContains(t, err, c.says, "people read it")
		})
	}
	_, _, err := Open("openai:", set())
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.ReasonBadConfig, f.Reason)
}
