package messageswire

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// CountMember holds the count in the answer to a question of [CountBody].
const CountMember = "input_tokens"

// CountBody returns what of a body is asked about when its tokens are counted. The
// wire refuses there what only governs the reply ("Extra inputs are not permitted",
// github.com/Wei-Shaw/sub2api, pull request 4913); all the rest goes along, so that
// what is not known here is refused and not left out of the count
// (platform.claude.com/docs/en/api/messages/count_tokens, stored copies read
// 2026-12-01: messages, model, cache_control, output_config, speed, system, thinking,
// tool_choice, tools).
//
// A model is set where the body has none, because there the address has none either.
func CountBody(body []byte, model string) []byte {
	body = wirejson.Without(body, "stream", "max_tokens", "temperature", "top_p", "top_k",
		"stop_sequences", "metadata", "service_tier", "inference_geo")
	if model == "" {
		return body
	}
	dst := events.AppendQuoted([]byte(`{"model":`), model)
	return append(append(dst, ','), body[1:]...)
}
