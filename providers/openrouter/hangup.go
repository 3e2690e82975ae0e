package openrouter

import (
	"strings"

	"github.com/weirsdk/weir/request"
)

// BillingStops says whether OpenRouter stops processing and billing a streamed reply
// when the client hangs up, which depends on who runs the model: yes, no, or unknown of
// an upstream that is on neither of its lists. The upstream is as Start.Metadata
// ("provider") names it; case and spaces do not count.
//
// Of an upstream where it does not stop "the model will continue processing and you
// will be billed for the complete response". Nobody is told of either by the stream
// itself, so weir charges every cancelled call by its estimate; GET /generation?id= with
// the response's id tells afterwards what was billed.
//
// Source: openrouter.ai/docs/api-reference/streaming, Stream Cancellation, a copy of
// 2026-05-02, read 2026-12-01. The recorded streams call "AWS Bedrock" Amazon Bedrock.
func BillingStops(upstream string) request.Support {
	name := strings.ToLower(strings.ReplaceAll(upstream, " ", ""))
	for list, support := range map[string]request.Support{stopping: request.Yes, running: request.No} {
		for one := range strings.FieldsSeq(list) {
			if one == name {
				return support
			}
		}
	}
	return request.Unknown
}

// The upstreams where billing stops, and where it goes on, in OpenRouter's order.
const (
	stopping = `openai azure anthropic fireworks mancer recursal anyscale lepton octoai novita deepinfra together
		cohere hyperbolic infermatic avian xai cloudflare sfcompute nineteen liquid friendli chutes deepseek`
	running = `awsbedrock amazonbedrock groq modal google googleaistudio minimax huggingface replicate perplexity mistral ai21
		featherless lynn lambda reflection sambanova inflection zerooneai aionlabs alibaba nebius kluster targon inferencenet`
)
