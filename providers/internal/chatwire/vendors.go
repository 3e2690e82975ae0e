package chatwire

import (
	"slices"
	"strings"
)

// A Vendor is one row of the table of vendors: where it answers, and what it does in
// its own way.
type Vendor struct {
	// BaseURL is the address up to and without the path. What stands for "{account}"
	// in it is the user's own: see Account. It is empty where an adapter of its own
	// knows the address, or the vendor speaks another language.
	BaseURL string
	// Account says, for people, what "{account}" in BaseURL is.
	Account string
	// Names are others by which people and programs call it, as plain letters and
	// digits: see NameOf.
	Names []string
	Profile
}

// ProfileFor returns the profile of a vendor by its name, with its Origin set to that
// name. A name without a row gets the tolerant default.
func ProfileFor(vendor string) Profile {
	p := Vendors()[NameOf(vendor)].Profile
	p.Origin = vendor
	return p
}

// NameOf returns the name of a vendor's row by that name or another one of it, whatever
// its letter case and punctuation ("LM Studio", "llama.cpp"); a name without a row comes
// back as it is.
func NameOf(name string) string {
	vendors := Vendors()
	if _, ok := vendors[name]; ok {
		return name
	}
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	if _, ok := vendors[plain]; ok {
		return plain
	}
	for known, row := range vendors {
		if slices.Contains(row.Names, plain) {
			return known
		}
	}
	return name
}

// Vendors is the table: one row a vendor, and nothing else in the code of the vendor.
// A vendor whose streams the tolerant default reads right needs an address only.
//
// Sources are beside the rows, stored copies all of them. "models.dev" is
// providers/*/provider.toml of github.com/anomalyco/models.dev, read 2026-12-01;
// "recorded" is the address of a recorded exchange in a public repository. What no
// source confirms is left to the tolerant default. The other names are usual ones, of
// which nothing is sent.
//
// Without a row on purpose: mistral.rs, whose server has no port of its own
// (github.com/EricLBuehler/mistral.rs, docs/HTTP.md). The tolerant default reads it.
func Vendors() map[string]Vendor {
	return map[string]Vendor{
		// Structured answers: developers.openai.com/api/docs/guides/
		// structured-outputs, read 2026-11-30. Prompts are kept unasked;
		// prompt_cache_retention is refused from GPT-5.6 on, which has breakpoints and one
		// time, 30m (docs.langchain4j.dev on its OpenAiOfficialPromptCacheOptions, and the
		// models of openai-client-base 0.16.0, docs.rs, read 2026-12-01). A longer id of a
		// call is refused: github.com/agno-agi/agno, issue 5382, read likewise. web_search_options is
		// for search models alone (docs.litellm.ai/docs/completion/web_search, of 2026-10-14).
		// Files by address are of Responses alone (developers.openai.com/api/docs/guides/
		// file-inputs, read 2026-12-01); that Azure refuses them too is not confirmed.
		"openai": {Profile: Profile{
			CompletionTokens: true, Answer: AnswerStrict, CallIDs: CallIDForty,
			Markers: MarkerBreakpoint, CacheKey: "prompt_cache_key", CacheRetention: true,
			Search: SearchOptions, Media: MediaInline,
		}},
		// Of its reasoning models: github.com/MicrosoftDocs/azure-ai-docs,
		// articles/foundry/openai/how-to/reasoning.md, read 2026-11-30.
		// That the others take it as well is not confirmed.
		// Structured answers as at OpenAI: articles/foundry/openai/how-to/
		// structured-outputs.md there, read likewise. The cache:
		// learn.microsoft.com/azure/foundry/openai/how-to/prompt-caching, read 2026-12-01.
		// That ids are as long as at OpenAI is not confirmed.
		"azure": {Profile: Profile{
			CompletionTokens: true, Answer: AnswerStrict, CallIDs: CallIDForty,
			Markers: MarkerBreakpoint, CacheKey: "prompt_cache_key", CacheRetention: true,
		}},
		// openrouter.ai/docs/use-cases/reasoning-tokens and /usage-accounting, read
		// 2026-11-30. They have "enabled" but do not show it false. The cost is in
		// credits; that one is a dollar is not confirmed. Structured answers:
		// openrouter.ai/docs/structured-outputs, read likewise; it shows "strict": true
		// and hands it to the providers that take it.
		// The cache: openrouter.ai/docs/guides/best-practices/prompt-caching (session_id), and
		// /docs/client-sdks/python/components/anthropiccachecontroldirective (cache_control
		// beside the messages and on blocks, turned into what OpenAI's models take), read
		// 2026-12-01.
		"openrouter": {Profile: Profile{
			Effort: EffortObject, UsageCost: true, Answer: AnswerStrict,
			Markers: MarkerControl, CacheAutomatic: true, CacheKey: "session_id",
			Search: SearchPlugin,
		}},

		// models.dev, which has it that enable_thinking and thinking_budget are at the
		// top of the body (of alibabacloud.com/help/en/model-studio/deep-thinking,
		// 2026-06-25), and reasoning_effort for two models of DeepSeek alone. Markers:
		// help.aliyun.com/model-studio/context-cache; an hour is for Qwen4
		// (alibabacloud.com/help/en/model-studio/explicit-cache-qwen4), read 2026-12-01.
		"alibaba": {BaseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", Names: []string{"dashscope", "qwen"}, Profile: Profile{Effort: EffortEnable, Markers: MarkerControl}},
		// Recorded (github.com/charmbracelet/fantasy).
		"avian": {BaseURL: "https://api.avian.io/v1"},
		// The adapters of github.com/vercel/ai, read 2026-11-30.
		"cerebras": {BaseURL: "https://api.cerebras.ai/v1"},
		// developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility, read
		// 2026-12-01, and recorded (github.com/posit-dev/chatlas).
		"cloudflare": {
			BaseURL: "https://api.cloudflare.com/client/v4/accounts/{account}/ai/v1",
			Names:   []string{"cloudflareworkersai", "workersai"},
			Account: "the id of the Cloudflare account",
		},
		// models.dev. Its token is one of a session; the headers that it wants besides
		// are the user's.
		"copilot": {BaseURL: "https://api.githubcopilot.com", Names: []string{"githubcopilot"}},
		// models.dev, and recorded (github.com/pydantic/pydantic-ai).
		"crusoe": {BaseURL: "https://api.inference.crusoecloud.com/v1"},
		// Recorded, with usage unasked in each chunk; that it takes no stream_options is
		// in the client that was recorded (github.com/posit-dev/chatlas,
		// _provider_databricks.py, read 2026-12-01).
		"databricks": {
			BaseURL: "https://{account}/serving-endpoints",
			Account: "the host of the Databricks workspace, like dbc-1234.cloud.databricks.com",
			Profile: Profile{NoStreamOptions: true},
		},
		// The address: the provider's pages, read 2026-11-30. api-docs.deepseek.com/guides/
		// thinking_mode, read likewise: the thinking of a turn with tool calls must come
		// back in all later requests (else 400), of others it is ignored. Its own efforts
		// are low, high and max; it takes the other words and maps them. It takes
		// json_object only, with "json" in the prompt (api-docs.deepseek.com/guides/
		// json_mode, read likewise), and answers json_schema with 400 and no parameter
		// (github.com/UKGovernmentBEIS/inspect_ai, issue 4916, August 2026).
		"deepseek": {
			BaseURL: "https://api.deepseek.com",
			Profile: Profile{Effort: EffortThinking, ReplayReasoning: true, Answer: AnswerObject},
		},
		// Of many public configurations, read 2026-12-01.
		"doubleword": {BaseURL: "https://api.doubleword.ai/v1"},
		// models.dev, which has reasoning_effort as the word for the effort.
		"fireworks": {BaseURL: "https://api.fireworks.ai/inference/v1", Names: []string{"fireworksai"}},
		// The address: the provider's pages, read 2026-11-30. max_tokens is deprecated:
		// Groq's Python SDK and its pull request 175, excerpts read 2026-11-30. "strict"
		// true is for two models only, without it more take a schema
		// (console.groq.com/docs/structured-outputs, read likewise); beside tools it is
		// refused (github.com/pydantic/pydantic-ai, pull request 3858). The tools that it
		// runs: console.groq.com/docs/tool-use/built-in-tools (gpt-oss) and
		// /docs/compound/built-in-tools, read 2026-12-01; search_settings: a recorded request
		// of pydantic-ai, test_groq_web_search_tool_domain_filters.
		"groq": {
			BaseURL: "https://api.groq.com/openai/v1",
			Profile: Profile{CompletionTokens: true, AnswerWithoutTools: true, Search: SearchBrowser},
		},
		// models.dev.
		"huggingface": {BaseURL: "https://router.huggingface.co/v1", Names: []string{"hf"}},
		// Usage comes in the last chunk unasked. That stream_options would be refused
		// is not confirmed. Structured answers: docs.mistral.ai/capabilities/
		// structured-output/custom_structured_output, read 2026-11-30; that "strict" is
		// false unless set, and the address, is what github.com/vercel/ai says (pull
		// request 8130). Of github.com/mistralai/client-python, read 2026-12-01: random_seed
		// and prompt_cache_key (chatcompletionstreamrequest.py), speech and documents
		// (docs/models/audiochunk.md, documenturlchunk.md), the thinking that must go back
		// (examples/mistral/chat/reasoning_multi_turn.py). A user's message after results is
		// refused with the code 3230 (github.com/datapizza-labs/datapizza-ai, issue 98, and
		// github.com/NousResearch/hermes-agent, issue 20154 of May 2026), an id of a call that
		// is not of nine letters and digits with 3280 (github.com/nearai/ironclaw, issue 1241).
		"mistral": {
			BaseURL: "https://api.mistral.ai/v1",
			Names:   []string{"mistralai"},
			Profile: Profile{
				NoStreamOptions: true, Answer: AnswerStrict, ReplayParts: true, AssistantAfterTools: true,
				CallIDs: CallIDNine, Media: MediaURLs, Seed: "random_seed", CacheKey: "prompt_cache_key",
			},
		},
		// models.dev: thinking.type alone, and no effort (of platform.kimi.ai/docs/api/
		// chat, 2026-06-25).
		"moonshotai": {BaseURL: "https://api.moonshot.ai/v1", Names: []string{"kimi", "moonshot"}, Profile: Profile{Effort: EffortSwitch}},
		// models.dev, which has it that each model's body has its own closed schema: what
		// of a request is refused depends on the model.
		"nvidia": {BaseURL: "https://integrate.api.nvidia.com/v1", Names: []string{"nim", "nvidianim"}},
		// It ended its Chat Completions on 2026-09-27 (releases of github.com/vercel/ai), and
		// answers 403 there (agent_api_migration_required, quoted in public repositories, read
		// 2026-12-01). Its address is in the table of responseswire.
		"perplexity": {Names: []string{"pplx", "sonar"}},
		// docs.snowflake.com/en/user-guide/snowflake-cortex/cortex-rest-api, read
		// 2026-12-01, and recorded (github.com/pydantic/pydantic-ai). The effort as a word
		// is for its models of OpenAI; those of Anthropic take the object of OpenRouter,
		// by models.dev.
		"snowflake": {
			BaseURL: "https://{account}.snowflakecomputing.com/api/v2/cortex/v1",
			Names:   []string{"cortex", "snowflakecortex"},
			Account: "the identifier of the Snowflake account, like myorg-myaccount",
		},
		// The provider's pages. It documents that it takes a schema in response_format
		// (docs.together.ai/docs/inference/chat/structured-outputs), read 2026-11-30.
		"together": {BaseURL: "https://api.together.ai/v1", Names: []string{"togetherai"}},
		// models.dev.
		"venice": {BaseURL: "https://api.venice.ai/api/v1"},
		// Recorded (github.com/charmbracelet/fantasy), with usage.cost. The reasoning
		// object: vercel.com/docs/ai-gateway/openai-compat/advanced, read 2026-11-30.
		"vercelgateway": {BaseURL: "https://ai-gateway.vercel.sh/v1", Names: []string{"vercel", "vercelaigateway"}, Profile: Profile{Effort: EffortObject, UsageCost: true}},
		// Recorded (github.com/traceloop/openllmetry).
		"writer": {BaseURL: "https://api.writer.com/v1", Profile: Profile{Path: "/chat"}},
		// total_tokens = prompt_tokens + completion_tokens + reasoning_tokens. A schema
		// is enforced without "strict" (docs.x.ai/developers/model-capabilities/text/
		// structured-outputs, read 2026-11-30). The address: github.com/vercel/ai. What a reply
		// cost, tools and discounts in it: docs.x.ai/developers/cost-tracking, read 2026-12-01.
		"xai": {BaseURL: "https://api.x.ai/v1", Names: []string{"grok"}, Profile: Profile{ReasoningExclusive: true, UsageTicks: true}},
		// models.dev: thinking.type alone (of docs.z.ai/guides/capabilities/thinking,
		// 2026-06-25).
		"zai": {BaseURL: "https://api.z.ai/api/paas/v4", Profile: Profile{Effort: EffortSwitch}},

		// The servers of one's own are where they listen unless told otherwise:
		// llama.cpp's tools/server/README.md, and its source for a schema in
		// response_format (tools/server/server-common.cpp, pull request 18963).
		"llamacpp": {BaseURL: "http://localhost:8080/v1"},
		// models.dev; lmstudio.ai/docs/advanced/structured-output, read 2026-11-30.
		"lmstudio": {BaseURL: "http://localhost:1234/v1"},
		// Ollama's docs/api/openai-compatibility.mdx. A schema leaves the model no room
		// for calls: github.com/ollama/ollama, issue 13750.
		"ollama": {BaseURL: "http://localhost:11434/v1", Profile: Profile{AnswerWithoutTools: true}},
		// Of many public configurations, read 2026-12-01.
		"sglang": {BaseURL: "http://localhost:30000/v1"},
		// docs.vllm.ai. A schema leaves the model no room for calls:
		// github.com/openai/openai-agents-python, issue 3709 (June 2026).
		"vllm": {BaseURL: "http://localhost:8000/v1", Names: []string{"hostedvllm"}, Profile: Profile{AnswerWithoutTools: true}},
	}
}
