package otelweir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, name, provider, model string }{
		{"its own name", "openai:gpt-5", "openai", "gpt-5"},
		{"its own name, written as a title", "OpenAI:gpt-5", "openai", "gpt-5"},
		{"another name", "moonshotai:kimi", "moonshot_ai", "kimi"},
		{"a name of many", "Azure:gpt", "azure.ai.openai", "gpt"},
		{"no well-known value", "openrouter:anthropic/claude", "openrouter", "anthropic/claude"},
		{"its case is its own", "MyHost:m", "MyHost", "m"},
		{"a tag is of the model", "ollama:qwen3:8b", "ollama", "qwen3:8b"},
		{"no provider", "m", "unknown", "m"},
		{"nothing", "", "unknown", ""},
	} {
		provider, model := namesOf(tt.name)
		assert.Equal(t, tt.provider, provider, tt.why)
		assert.Equal(t, tt.model, model, tt.why)
	}
}

// TestProviderNames: each value is one of the conventions'.
func TestProviderNames(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"moonshot_ai": true} // newer than 1.41.0
	for _, kv := range []attribute.KeyValue{
		semconv.GenAIProviderNameOpenAI, semconv.GenAIProviderNameGCPVertexAI, semconv.GenAIProviderNameGCPGemini, semconv.GenAIProviderNameAnthropic,
		semconv.GenAIProviderNameCohere, semconv.GenAIProviderNameAzureAIInference, semconv.GenAIProviderNameAzureAIOpenAI, semconv.GenAIProviderNameIBMWatsonxAI,
		semconv.GenAIProviderNameAWSBedrock, semconv.GenAIProviderNamePerplexity, semconv.GenAIProviderNameXAI, semconv.GenAIProviderNameDeepseek,
		semconv.GenAIProviderNameGroq, semconv.GenAIProviderNameMistralAI,
	} {
		known[kv.Value.AsString()] = true
	}
	reached := map[string]bool{}
	for _, name := range []string{
		"openai", "anthropic", "bedrock", "gemini", "vertex", "azure", "azure-ai", "groq", "mistral", "deepseek", "xai", "perplexity", "cohere", "watsonx", "moonshotai",
	} {
		assert.True(t, known[providerName(name)], name)
		reached[providerName(name)] = true
	}
	assert.Len(t, reached, len(known), "every well-known value has a name here")
}

func TestEmptyTurn(t *testing.T) {
	t.Parallel()
	b := budget{left: 1}
	assert.JSONEq(t, `[{"role":"assistant","parts":[]}]`, encode(b.messages([]request.Message{request.Assistant()})), "it has no parts, and says so")
}

func TestFinishReason(t *testing.T) {
	t.Parallel()
	for stop, want := range map[events.Stop]string{
		events.StopEnd: "stop", events.StopSequence: "stop", events.StopToolUse: "tool_call", events.StopLength: "length",
		events.StopContentFilter: "content_filter", events.StopRefusal: "content_filter", events.StopPause: "pause", "": "error",
	} {
		assert.Equal(t, want, finishReason(stop), string(stop))
	}
}
