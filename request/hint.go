package request

import "strings"

// hint returns what to write in the place of an unknown field that other APIs
// have, or nothing: "; here it is ..." or "; here ...". The names are OpenAI's,
// and Anthropic's where they differ.
func hint(path string) string {
	switch withoutIndices(path) {
	case "max_tokens", "max_completion_tokens":
		return "; here it is max_output_tokens"
	case "stop_sequences":
		return "; here it is stop"
	case "parallel_tool_calls":
		return "; here it is parallel"
	case "reasoning_effort", "reasoning":
		return "; here it is effort"
	case "thinking":
		return "; here it is thinking_budget, or effort"
	case "response_format", "output_format", "format":
		return `; here it is answer, {"name", "schema", "strict"}`
	case "output_config":
		return "; here it is answer and effort"
	case "answer.type", "answer.json_schema":
		return `; here an answer is {"name", "schema", "strict"}`
	case "cache_control", "messages.content.cache_control":
		return `; here it is cache`
	case "prompt_cache_key":
		return "; here it is cache.key"
	case "web_search_options", "plugins":
		return "; here it is hosted_tools"
	case "functions":
		return "; here it is tools"
	case "model":
		return "; here the request does not name the model: who sends it does"
	case "stream", "stream_options":
		return "; here every reply is a stream"
	case "top_k", "n", "user", "metadata", "presence_penalty", "frequency_penalty":
		return "; here it goes in extra, under the provider's family"
	case "tools.type", "tools.function", "tool.type", "tool.function":
		return `; here a tool is {"name", "description", "schema"}`
	case "tools.parameters", "tools.input_schema", "tool.parameters", "tool.input_schema":
		return "; here it is schema"
	case "tool_choice.type", "tool_choice.function":
		return `; here it is {"mode": "named", "name": ...}, or the mode alone as text`
	case "messages.tool_calls":
		return "; here a call is a block of type tool_call in content"
	case "messages.tool_call_id":
		return "; here a result is a block of type tool_result in content"
	default:
		return ""
	}
}

// withoutIndices returns a path with "[0]" and the like left out.
func withoutIndices(path string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(path, "[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, path, _ = strings.Cut(after, "]")
	}
}
