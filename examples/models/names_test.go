package models_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/examples/models"
)

// A provider by another one of its names has the same key, account and prices.
func TestOpenByOtherNames(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"MOONSHOT_API_KEY": "key", "HF_TOKEN": "key", "SNOWFLAKE_CORTEX_PAT": "key", "SNOWFLAKE_ACCOUNT": "org-name", "XAI_API_KEY": "key",
	}
	for name, want := range map[string]string{
		"kimi:kimi-k3": "moonshotai:kimi-k3", "Hugging Face:m": "huggingface:m", "cortex:m": "snowflake:m", "grok:grok-4": "xai:grok-4", "LM Studio:m": "lmstudio:m",
	} {
		m, _, err := models.Open(name, func(key string) string { return env[key] })
		require.NoError(t, err, name)
		assert.Equal(t, want, m.Name(), name)
	}
}
