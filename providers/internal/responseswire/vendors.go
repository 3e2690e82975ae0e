package responseswire

import "github.com/weirsdk/weir/request"

// A Vendor is one row of the table of vendors that speak this API.
type Vendor struct {
	// BaseURL is the address of a vendor that speaks no other language; empty where the
	// table of chatwire or an adapter of its own has it.
	BaseURL string
	Profile
}

// Vendors is the table of what is known to differ, with what each takes of a request
// and says of a reply. Sources are beside the rows, stored copies read 2026-12-01. What
// no source confirms is left to the tolerant default.
//
// Without a row, because nothing is known to differ: cloudflare (developers.cloudflare.com/
// workers-ai/configuration/open-ai-compatibility), fireworks (docs.fireworks.ai/guides/
// response-api), llamacpp, together and vercelgateway (vercel.com/docs/ai-gateway/
// sdks-and-apis/responses). Alibaba speaks it at another address than Chat Completions
// (not confirmed).
func Vendors() map[string]Vendor {
	low := []request.Effort{request.EffortLow, request.EffortMedium, request.EffortHigh}
	return map[string]Vendor{
		// A model that does not think refuses the parameter include with 400, at both
		// (github.com/pydantic/pydantic-ai, issues 2865, of gpt-4o at Azure, and 3326). Of
		// OpenAI's ids it is known which do not; the name of a deployment says nothing.
		// Of the cache see the table of package chatwire. Azure counts no tokens:
		// github.com/UKGovernmentBEIS/inspect_ai, issue 3371, and openai-dotnet, 1165.
		"openai": {Profile: Profile{
			EncryptedReasoning: EncryptedByDefault, CountsInput: true,
			CacheBreakpoints: true, CacheKey: promptCacheKey, CacheRetention: true,
		}},
		"azure": {Profile: Profile{
			EncryptedReasoning: EncryptedWhereKnown,
			CacheBreakpoints:   true, CacheKey: promptCacheKey, CacheRetention: true,
		}},
		// docs.x.ai/developers/model-capabilities/text/comparison, and
		// /developers/advanced-api-usage/prompt-caching/maximizing-cache-hits. The search:
		// its pages on the tool web_search, at most five domains; of a place or a bound they
		// have nothing. The cost: docs.x.ai/developers/cost-tracking.
		"xai": {Profile: Profile{
			EncryptedReasoning: EncryptedByDefault, CacheKey: promptCacheKey,
			Search: SearchFilters, Cost: CostTicks,
		}},
		// In recordings of its requests.
		"bedrockmantle": {Profile: Profile{EncryptedReasoning: EncryptedByDefault}},
		// openrouter.ai/docs/agent-sdk/typescript/models/openresponsesreasoningconfig
		// (max_tokens) and /openresponsesusage (cost), /docs/api/api-reference/responses/
		// create-a-response (include, cache_control). That a model which does not think takes
		// include there is not confirmed. Its tools and their items: github.com/
		// OpenRouterTeam/typescript-sdk, src/models/websearchservertoolconfig.ts at 061ba1e
		// and outputitems.ts. That it refuses the type web_search is said by those who tried;
		// its reference of the request has that too. session_id: see chatwire.
		"openrouter": {Profile: Profile{
			EncryptedReasoning: EncryptedByDefault, ReasoningBudget: true, Cost: CostDollars,
			Search: SearchServerTool, HostedPrefix: "openrouter:",
			CacheControl: true, CacheKey: "session_id",
		}},

		// docs.mistral.ai/studio/conversations/responses and /api/endpoint/responses, a public
		// preview: stateless, thinking in plain text, functions alone, max_tool_calls ignored.
		"mistral": {Profile: Profile{Search: SearchNone, CacheKey: promptCacheKey, CountsInput: true}},
		// console.groq.com/docs/responses-api: store, include and prompt_cache_key are not
		// supported; its search is the raw tool {"type":"browser_search"}. The efforts: its
		// OpenAPI description (reasoning.effort). An answer beside tools as in chatwire, not
		// confirmed for this API.
		"groq": {Profile: Profile{NoStore: true, Efforts: low, Search: SearchNone, AnswerWithoutTools: true}},
		// Of api-docs.deepseek.com/guides/responses_api and /api/create-response, as public
		// notes on them have it (read of the pages themselves: not confirmed): stateless,
		// thinking in plain text and none sealed, parallel_tool_calls and max_tool_calls
		// ignored, a search whose place is ignored, of whose domains nothing is said.
		"deepseek": {Profile: Profile{
			NoParallel: true, Search: SearchBare,
			Efforts: []request.Effort{request.EffortOff, request.EffortLow, request.EffortHigh, request.EffortMax},
		}},
		// github.com/huggingface/responses.js, src/schemas.ts at 09f0021: what is not in the
		// schema is refused or dropped; of input it has messages, calls and those of MCP.
		"huggingface": {Profile: Profile{PlainInput: true, NoParallel: true, Efforts: low, Search: SearchNone}},
		// docs.databricks.com (learn.microsoft.com/azure/databricks/machine-learning/
		// model-serving/query-openai-responses): OpenAI's models take all that OpenAI does,
		// others a part of it.
		"databricks": {Profile: Profile{EncryptedReasoning: EncryptedWhereKnown}},
		// docs.perplexity.ai/docs/grounded-llm/openai-compatibility (/v1/responses is an alias
		// of /v1/agent), and github.com/perplexityai/perplexity-py, src/perplexity/types,
		// response_create_params.py at 121a0c5, input_item_param.py, output_item.py and
		// responses_usage.py: no store, include, choice of tool nor sampling.
		"perplexity": {BaseURL: "https://api.perplexity.ai/v1", Profile: Profile{
			NoStore: true, PlainInput: true, NoToolChoice: true, NoParallel: true, NoSampling: true,
			Efforts: []request.Effort{request.EffortMinimal, request.EffortLow, request.EffortMedium, request.EffortHigh, request.EffortXHigh},
			Answer:  AnswerFormat, Search: SearchDomainFilter, Cost: CostTotal,
			HostedResults: "_results", Thoughts: true,
		}},

		// The servers of one's own. LM Studio: lmstudio.ai/docs/developer/openai-compat/
		// responses; of hosted tools it has MCP.
		"lmstudio": {Profile: Profile{Search: SearchNone}},
		// github.com/ollama/ollama, openai/responses.go at 017eb8a: stateless, functions
		// alone, no tool_choice, other efforts refused, the details of the usage constants. A
		// schema leaves the model no room for calls: see chatwire.
		"ollama": {Profile: Profile{
			NoToolChoice: true, NoParallel: true, Search: SearchNone, AnswerWithoutTools: true, NoUsageDetails: true,
			Efforts: append([]request.Effort{request.EffortOff, request.EffortMax}, low...),
		}},
		// github.com/vllm-project/vllm, vllm/entrypoints/openai/responses/protocol.py at
		// 010a69c (stop and seed are its extra parameters; the key of the cache is ignored).
		// The schema as at Ollama.
		"vllm": {Profile: Profile{StopAndSeed: true, Search: SearchNone, AnswerWithoutTools: true}},
	}
}

// promptCacheKey is OpenAI's member for the key of the cache.
const promptCacheKey = "prompt_cache_key"
