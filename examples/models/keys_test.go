package models

import "testing"

// The variable is the one that the vendor's own tools read.
func TestKeyName(t *testing.T) {
	t.Parallel()
	for vendor, want := range map[string]string{
		"openai": "OPENAI_API_KEY", "alibaba": "DASHSCOPE_API_KEY", "copilot": "GITHUB_TOKEN", "databricks": "DATABRICKS_TOKEN",
		"huggingface": "HF_TOKEN", "snowflake": "SNOWFLAKE_CORTEX_PAT", "vercelgateway": "AI_GATEWAY_API_KEY", "zai": "ZHIPU_API_KEY",
		"my-own": "MY_OWN_API_KEY", "azure": "AZURE_API_KEY",
	} {
		if got := KeyName(vendor); got != want {
			t.Errorf("%s: %s, want %s", vendor, got, want)
		}
	}
}
