package openrouter

import (
	"net/url"
	"strings"

	"github.com/weirsdk/weir/request"
)

// BillingStops says whether OpenRouter stops processing and billing a streamed reply
// when the client hangs up, which depends on who runs the model: yes, no, or unknown of
// an upstream that is on neither of its lists. The upstream is as Start.Metadata
// ("provider") names it; case and spaces do not count.
//
// Of an upstream where it does not stop "the model will continue processing and you
// will be billed for the complete response". A stream of Chat Completions from
// openrouter.ai itself has [events.Start.BillingStops] where the answer is yes; what
// stands in front of OpenRouter may read on when its client hangs up. GET
// /generation?id= with the response's id tells afterwards what was billed.
//
// Source: openrouter.ai/docs/api-reference/streaming, Stream Cancellation, a copy of
// 2026-05-02, read 2026-12-01. The recorded streams call "AWS Bedrock" Amazon Bedrock.
// Novita, which that page has among those that stop, is unknown: its own page says that
// it charges "regardless of disconnect timing" (novita.ai/docs/changelog/27-03-26, read
// 2026-12-01).
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
	stopping = `openai azure anthropic fireworks mancer recursal anyscale lepton octoai deepinfra together
		cohere hyperbolic infermatic avian xai cloudflare sfcompute nineteen liquid friendli chutes deepseek`
	running = `awsbedrock amazonbedrock groq modal google googleaistudio minimax huggingface replicate perplexity mistral ai21
		featherless lynn lambda reflection sambanova inflection zerooneai aionlabs alibaba nebius kluster targon inferencenet`
)

// isOwn reports whether a base URL is one of OpenRouter's own.
func isOwn(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	return host == "openrouter.ai" || strings.HasSuffix(host, ".openrouter.ai")
}
