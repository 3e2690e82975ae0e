package models

import "strings"

// KeyName returns the variable of the environment that usually holds a vendor's key:
// its name and _API_KEY, but for those that call themselves otherwise
// (github.com/anomalyco/models.dev, providers/*/provider.toml, read 2026-12-01).
func KeyName(vendor string) string {
	switch vendor {
	case "alibaba":
		return "DASHSCOPE_API_KEY"
	case "bedrock":
		return "AWS_BEARER_TOKEN_BEDROCK"
	case "copilot":
		return "GITHUB_TOKEN"
	case "databricks":
		return "DATABRICKS_TOKEN"
	case "huggingface":
		return "HF_TOKEN"
	case "moonshotai":
		return "MOONSHOT_API_KEY"
	case "snowflake":
		return "SNOWFLAKE_CORTEX_PAT"
	case "vercelgateway":
		return "AI_GATEWAY_API_KEY"
	case "zai":
		return "ZHIPU_API_KEY"
	}
	return variable(vendor) + "_API_KEY"
}

// AccountName returns the variable that holds what stands for the account in an
// address: see compatible.NeedsAccount.
func AccountName(vendor string) string { return variable(vendor) + "_ACCOUNT" }

func variable(vendor string) string { return strings.Map(variableRune, strings.ToUpper(vendor)) }

func variableRune(r rune) rune {
	if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
		return r
	}
	return '_'
}
