package bedrock

import (
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

// SpecFor returns what is known of a model in the language of an API, by its id:
// alone, with the prefix of an inference profile ("us.", "global." ...), with a date
// and a version ("-20250929-v1:0"), or at the end of the ARN of a model or of a
// profile of AWS's own. Of a model that is not in the table nothing is known but what
// holds for the whole API.
//
// Sources, stored copies read 2026-12-01: which models of Anthropic think adaptively,
// and which refuse not to think,
// docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html, what is
// newer as in package anthropic, not confirmed for Bedrock, as the efforts of all and that 4.7
// and later take no temperature; that 4.6 takes budgets
// vercel.com/docs/ai-gateway/models-and-providers/reasoning/amazon-bedrock; sizes
// platform.claude.com/docs/en/models, of Opus 4.6
// docs.aws.amazon.com/bedrock/latest/userguide/model-card-anthropic-claude-opus-4-6.md. Which
// take a schema langchain-ai/langchain-aws, issue 883, by AWS's user guide; of newer ones that
// is unknown, for sources contradict each other. Citations
// platform.claude.com/docs/en/build-with-claude/citations. That there is no web search of
// Claude's
// docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-tool-use.html.
// Amazon Nova 2 Lite docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html and
// using-converse-api.html; windows of Nova github.com/quattro004/Agent004, notes of 2026-09-29
// on AWS's model cards. Efforts of OpenAI's models stdapi-ai/stdapi.ai, issue 283, and
// langchain-ai/langchain-aws, issue 1262; of DeepSeek its pull request 1261, and of R1, which
// always thinks, docs.rs/crate/rig-bedrock/0.46.0. Cache markers are for Claude and Nova alone
// (strandsagents.com/docs/user-guide/sdk/model-providers/amazon-bedrock-prompt-caching); that
// Nova keeps for five minutes only, and takes none after the tools, is not confirmed.
// Everything else is unknown.
func SpecFor(model string, api API) request.Spec { return specOf(rowFor(model), api) }

// A row is a model and how it is told to think.
type row struct {
	converse conversewire.Thinking
	messages messageswire.Thinking
	spec     request.Spec
	// unmarkedTools: there is no cache marker after the tools.
	unmarkedTools bool
}

// specOf returns what holds of a model in the language of an API. Neither has a
// seed; Converse has no word for parallel calls, and Messages takes no audio and finds
// no web search here.
func specOf(r row, api API) request.Spec {
	s := r.spec
	s.Seed = request.No
	if api == Converse {
		s.ParallelTools = request.No
	} else {
		s.Audio, s.WebSearch.Tool = request.No, request.No
	}
	return s
}

func rowFor(model string) row {
	known := rows()
	return known[bare(model)]
}

// bare returns the id of a model without what does not tell which it is.
func bare(id string) string {
	if arn := strings.LastIndexByte(id, '/'); strings.HasPrefix(id, "arn:") && arn >= 0 {
		id = id[arn+1:]
	}
	id = withoutProfile(id)
	id, _, _ = strings.Cut(id, ":")
	if at := strings.LastIndex(id, "-v"); at >= 0 && strings.Trim(id[at+2:], "0123456789") == "" {
		id = id[:at]
	}
	const date = len("-20060102")
	if at := len(id) - date; at > 0 && strings.HasPrefix(id[at:], "-20") && strings.Trim(id[at+1:], "0123456789") == "" {
		id = id[:at]
	}
	return id
}

// withoutProfile returns the id of a model without the prefix of an inference profile.
func withoutProfile(id string) string {
	if profile, rest, ok := strings.Cut(id, "."); ok && slices.Contains([]string{"us", "eu", "apac", "jp", "au", "ca", "us-gov", "global"}, profile) {
		return rest
	}
	return id
}

func rows() map[string]row {
	const window, million = 200_000, 1_000_000
	older := adaptive("off", "low", "medium", "high", "max")
	older.spec.ThinkingBudget, older.spec.Temperature, older.spec.TopP = request.Yes, request.Yes, request.Yes
	older.spec.BothSamplers = request.No // as in package anthropic, and github.com/aws-samples/bedrock-chat, pull request 979
	opus46 := older
	opus46.spec.StructuredAnswer = request.Yes
	// These refuse not to think, or that is not known; off becomes low.
	always := adaptive("low", "medium", "high", "xhigh", "max")
	// These think unless told not to.
	asked := adaptive("off", "low", "medium", "high", "xhigh", "max")
	opus41 := budgeted(window, 32_000)
	opus41.spec.StructuredAnswer = request.Unknown
	return map[string]row{
		"anthropic.claude-opus-4-1":   opus41,
		"anthropic.claude-sonnet-4-5": budgeted(0, 64_000),
		"anthropic.claude-haiku-4-5":  budgeted(window, 64_000),
		"anthropic.claude-opus-4-5":   budgeted(window, 64_000),
		"anthropic.claude-opus-4-6":   opus46,
		"anthropic.claude-sonnet-4-6": older,
		"anthropic.claude-opus-4-7":   always,
		"anthropic.claude-opus-4-8":   always,
		"anthropic.claude-fable-5":    always,
		"anthropic.claude-fable-5-1":  always,
		"anthropic.claude-mythos-5":   always,
		"anthropic.claude-opus-5":     asked,
		"anthropic.claude-sonnet-5":   asked,
		"anthropic.claude-haiku-5-5":  asked,
		"anthropic.claude-opus-5-5":   always,
		"anthropic.claude-sonnet-5-5": always,
		"amazon.nova-2-lite":          nova(million, request.EffortOff, request.EffortLow, request.EffortMedium, request.EffortHigh),
		"amazon.nova-lite":            nova(300_000),
		"amazon.nova-pro":             nova(300_000),
		"openai.gpt-oss-120b-1":       reasoner(conversewire.ReasoningEffort, "low", "medium", "high"),
		"openai.gpt-oss-20b-1":        reasoner(conversewire.ReasoningEffort, "low", "medium", "high"),
		"openai.gpt-5.6-luna":         gpt(),
		"openai.gpt-5.6-sol":          gpt(),
		"openai.gpt-5.6-terra":        gpt(),
		"openai.gpt-6-astra":          gpt(),
		"openai.gpt-6-luna":           gpt(),
		"openai.gpt-6-sol":            gpt(),
		"deepseek.r1":                 reasoner(conversewire.ReasoningEffort),
		"deepseek.v3":                 reasoner(conversewire.ReasoningEffort, "off", "high"),
		"deepseek.v3.2":               reasoner(conversewire.ReasoningEffort, "off", "high"),
	}
}

// claude is what all of Anthropic's models in the table can do.
func claude(window, output int, efforts ...request.Effort) request.Spec {
	return request.Spec{
		Tools: request.Yes, ParallelTools: request.Yes, Images: request.Yes, Files: request.Yes, StopSequences: request.Yes,
		Thinking: request.Yes, Efforts: efforts, CacheMarkers: request.Yes, Citations: request.Yes,
		ContextWindow: window, MaxOutput: output,
	}
}

// adaptive is a model that thinks as hard as an effort says, and takes no number and no
// sampling.
func adaptive(efforts ...request.Effort) row {
	s := claude(1_000_000, 128_000, efforts...)
	s.ThinkingBudget, s.Temperature, s.TopP = request.No, request.No, request.No
	return row{converse: conversewire.ThinkingAdaptive, messages: messageswire.ThinkingAdaptive, spec: s}
}

// budgeted is a model that takes a thinking budget and no effort.
func budgeted(window, output int) row {
	s := claude(window, output)
	s.ThinkingBudget, s.Temperature, s.TopP, s.StructuredAnswer = request.Yes, request.Yes, request.Yes, request.Yes
	s.BothSamplers = request.No
	return row{converse: conversewire.ThinkingBudget, messages: messageswire.ThinkingBudget, spec: s}
}

// nova is a model of Amazon that thinks by efforts, or not at all.
func nova(window int, efforts ...request.Effort) row {
	s := request.Spec{
		Tools: request.Yes, ToolChoice: request.Yes, Images: request.Yes, Files: request.Yes, ThinkingBudget: request.No,
		Temperature: request.Yes, TopP: request.Yes, StopSequences: request.Yes, ContextWindow: window,
		Thinking: request.Yes, Efforts: efforts, CacheMarkers: request.Yes, CacheLong: request.No,
	}
	if len(efforts) == 0 {
		s.Thinking, s.Efforts = request.No, []request.Effort{}
	}
	return row{converse: conversewire.ReasoningConfig, spec: s, unmarkedTools: true}
}

// reasoner is a model of which only is known how it is told to think.
func reasoner(way conversewire.Thinking, efforts ...request.Effort) row {
	if efforts == nil {
		efforts = []request.Effort{}
	}
	return row{converse: way, spec: request.Spec{
		Thinking: request.Yes, ThinkingBudget: request.No, CacheMarkers: request.No, Efforts: efforts,
	}}
}

// gpt is a newer model of OpenAI.
func gpt() row {
	return reasoner(conversewire.Reasoning, "off", "low", "medium", "high", "xhigh", "max")
}
