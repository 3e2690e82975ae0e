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
// and which refuse not to think, docs.aws.amazon.com/bedrock/latest/userguide/
// claude-messages-adaptive-thinking.html; the sizes of Claude Opus 4.6
// docs.aws.amazon.com/bedrock/latest/userguide/model-card-anthropic-claude-opus-4-6.md;
// the efforts of Claude, and that 4.7 and later take no temperature, as in package
// anthropic, not confirmed for Bedrock; Amazon Nova 2 Lite
// docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html and
// using-converse-api.html; windows of Nova github.com/quattro004/Agent004, notes of
// 2026-09-29 on AWS's model cards. Cache markers are for Claude and Nova alone
// (strandsagents.com/docs/user-guide/sdk/model-providers/amazon-bedrock-prompt-caching);
// that Nova keeps for five minutes only, and takes none after the tools, is not
// confirmed. Everything else is unknown.
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
// seed; Converse has no word for parallel calls, and Messages takes no audio.
func specOf(r row, api API) request.Spec {
	s := r.spec
	s.Seed = request.No
	if api == Converse {
		s.ParallelTools = request.No
	} else {
		s.Audio = request.No
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
	budgeted := row{converse: conversewire.ThinkingBudget, messages: messageswire.ThinkingBudget, spec: budgetSpec()}
	adaptive := func(efforts ...request.Effort) row {
		return row{converse: conversewire.ThinkingAdaptive, messages: messageswire.ThinkingAdaptive, spec: claude(efforts)}
	}
	opus46 := adaptive("off", "low", "medium", "high", "max")
	opus46.spec.ContextWindow, opus46.spec.MaxOutput = 1_000_000, 128_000
	newest := adaptive("low", "medium", "high", "xhigh", "max")
	newest.spec.Temperature, newest.spec.TopP = request.No, request.No
	return map[string]row{
		"anthropic.claude-opus-4-1":   budgeted,
		"anthropic.claude-sonnet-4-5": budgeted,
		"anthropic.claude-haiku-4-5":  budgeted,
		"anthropic.claude-opus-4-5":   budgeted,
		"anthropic.claude-opus-4-6":   opus46,
		"anthropic.claude-sonnet-4-6": adaptive("off", "low", "medium", "high", "max"),
		"anthropic.claude-opus-4-7":   newest,
		"anthropic.claude-fable-5":    newest,
		"anthropic.claude-mythos-5":   newest,
		"amazon.nova-2-lite":          nova(1_000_000, request.EffortOff, request.EffortLow, request.EffortMedium, request.EffortHigh),
		"amazon.nova-lite":            nova(300_000),
		"amazon.nova-pro":             nova(300_000),
		"openai.gpt-oss-120b-1":       {converse: conversewire.ReasoningEffort, spec: gptOSS()},
		"openai.gpt-oss-20b-1":        {converse: conversewire.ReasoningEffort, spec: gptOSS()},
	}
}

// claude is what all of Anthropic's models in the table can do.
func claude(efforts []request.Effort) request.Spec {
	return request.Spec{
		Tools: request.Yes, ParallelTools: request.Yes, Images: request.Yes, Files: request.Yes, StopSequences: request.Yes,
		Thinking: request.Yes, ThinkingBudget: request.No, Efforts: efforts, CacheMarkers: request.Yes,
	}
}

// budgetSpec is a model that takes a thinking budget and no effort.
func budgetSpec() request.Spec {
	s := claude(nil)
	s.ThinkingBudget, s.Temperature, s.TopP = request.Yes, request.Yes, request.Yes
	return s
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

func gptOSS() request.Spec {
	return request.Spec{
		Thinking: request.Yes, ThinkingBudget: request.No, CacheMarkers: request.No,
		Efforts: []request.Effort{request.EffortLow, request.EffortMedium, request.EffortHigh},
	}
}
