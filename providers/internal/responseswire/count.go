package responseswire

import "github.com/weirsdk/weir/providers/internal/wirejson"

// CountMember holds the count in the answer to a question of [CountBody].
const CountMember = "input_tokens"

// CountURL returns where a provider counts the tokens of an input, by where it
// answers (see [URLFor]).
func CountURL(url string) string { return url + "/input_tokens" }

// CountBody returns what of a body is asked about when its tokens are counted: all
// but what only governs the reply and its keeping. What is not known here goes along,
// so that it is refused and not left out of the count (openai-node, src/resources/
// responses/input-tokens.ts at 011cd36, read 2026-12-01: conversation, input,
// instructions, model, parallel_tool_calls, previous_response_id, reasoning, text,
// tool_choice, tools, truncation).
func CountBody(body []byte) []byte {
	return wirejson.Without(body, "stream", "stream_options", "store", "include", "background",
		"max_output_tokens", "max_tool_calls", "temperature", "top_p", "top_logprobs", "metadata",
		"prompt_cache_key", "prompt_cache_retention", "prompt_cache_options",
		"service_tier", "safety_identifier", "user")
}
