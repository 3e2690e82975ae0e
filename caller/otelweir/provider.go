package otelweir

import "strings"

// namesOf splits the name of a model, "<provider>:<model>", into the provider as the
// conventions name it and the model as the provider does. A name without a provider is
// the model's, of a provider "unknown".
func namesOf(name string) (provider, model string) {
	provider, model, found := strings.Cut(name, ":")
	if !found {
		return "unknown", name
	}
	return providerName(provider), model
}

// providerName returns the well-known value for a provider, else its own name. The
// values are those of gen_ai.provider.name in docs/gen-ai/gen-ai-spans.md of
// github.com/open-telemetry/semantic-conventions-genai, a stored copy read 2026-11-30;
// what is on the left are names of weir's adapters and presets, and what people call
// the others.
func providerName(name string) string {
	switch strings.ToLower(name) {
	case "azure", "azure-openai", "azure_openai":
		return "azure.ai.openai"
	case "azure-ai", "azure-inference", "azure_ai_inference":
		return "azure.ai.inference"
	case "bedrock", "aws-bedrock", "aws_bedrock", "amazon-bedrock":
		return "aws.bedrock"
	case "gemini", "google":
		return "gcp.gemini"
	case "vertex", "vertexai", "vertex-ai", "vertex_ai", "google-vertex":
		return "gcp.vertex_ai"
	case "watsonx", "ibm-watsonx":
		return "ibm.watsonx.ai"
	case "mistral", "mistralai":
		return "mistral_ai"
	case "moonshot", "moonshotai":
		return "moonshot_ai"
	case "xai", "grok":
		return "x_ai"
	case "anthropic", "cohere", "deepseek", "groq", "openai", "perplexity":
		return strings.ToLower(name)
	default:
		return name
	}
}
