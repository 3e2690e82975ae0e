package compatible

import (
	"maps"
	"slices"
)

// Preset returns the Config of an endpoint by its name: Provider and BaseURL are
// set, Key and Model are yours to set. It reports whether the name is known; of
// an unknown one only Provider is set.
//
// Sources, stored copies read 2026-11-30: the providers' pages for deepseek, groq
// and together; github.com/anomalyco/models.dev for fireworks, huggingface,
// moonshotai and zai; the adapters of github.com/vercel/ai for cerebras, mistral
// and xai. Perplexity ended its Chat Completions on 2026-09-27 (releases of
// github.com/vercel/ai) and has no preset.
//
// The servers of your own are where they listen unless told otherwise: llama.cpp's
// tools/server/README.md, docs.vllm.ai, Ollama's docs/api/openai-compatibility.mdx,
// and for lmstudio models.dev.
func Preset(name string) (Config, bool) {
	base, ok := endpoints()[name]
	return Config{Provider: name, BaseURL: base}, ok
}

// Presets returns the names that [Preset] knows, sorted.
func Presets() []string { return slices.Sorted(maps.Keys(endpoints())) }

func endpoints() map[string]string {
	return map[string]string{
		"cerebras":    "https://api.cerebras.ai/v1",
		"deepseek":    "https://api.deepseek.com",
		"fireworks":   "https://api.fireworks.ai/inference/v1",
		"groq":        "https://api.groq.com/openai/v1",
		"huggingface": "https://router.huggingface.co/v1",
		"mistral":     "https://api.mistral.ai/v1",
		"moonshotai":  "https://api.moonshot.ai/v1",
		"together":    "https://api.together.ai/v1",
		"xai":         "https://api.x.ai/v1",
		"zai":         "https://api.z.ai/api/paas/v4",

		"llamacpp": "http://localhost:8080/v1",
		"lmstudio": "http://localhost:1234/v1",
		"ollama":   "http://localhost:11434/v1",
		"vllm":     "http://localhost:8000/v1",
	}
}
