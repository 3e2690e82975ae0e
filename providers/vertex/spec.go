package vertex

import (
	"strings"

	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

// SpecFor returns what is known of a model in the language of an API, by its id, with
// a version ("claude-sonnet-4-5@20250929") or without. Of a model that is not in the
// table, as an endpoint of one's own, nothing is known but what holds for the whole
// API.
//
// Sources, stored copies read 2026-12-01. Gemini: docs.cloud.google.com/
// gemini-enterprise-agent-platform/models/thinking, its levels and budgets as public
// notes and tests of August to October 2026 quote them, the least budget of 2.5
// Flash-Lite as in package gemini; sizes and kinds of input models/gemini/
// 2-5-flash-lite, models/guides/gemini-3-5-flash (3.5 Flash, 3.1 Pro, 3.1 Flash-Lite),
// and of 3.8 Flash and 3.5 Flash-Lite public notes on their pages; other sizes are
// unknown, and whether a model takes a structured answer beside tools, or images in
// results. Claude: that options are those of Anthropic's own API, and its structured
// answers, citations and web search, platform.claude.com/docs/en/build-with-claude/
// claude-on-vertex-ai, and by that how each model thinks, what it refuses and which takes
// a schema, as in package anthropic; windows the same page, other sizes platform.claude.com/
// docs/en/models, of 4.6 to 4.8 github.com/Effect-TS/effect and clauder-navi.com/en/
// vertex-claude-ai.
func SpecFor(model string, api API) request.Spec { return rowFor(model, api).spec }

// A row is a model and how it is told to think.
type row struct {
	spec     request.Spec
	gemini   geminiwire.Profile
	messages messageswire.Thinking
}

func rowFor(model string, api API) row {
	id, _, _ := strings.Cut(model, "@")
	known, unknown := geminis(), anyGemini()
	if api == Messages {
		known, unknown = claudes(), anyClaude()
	}
	if r, ok := known[id]; ok {
		return r
	}
	return row{spec: unknown}
}

// anyGemini is what holds of every model through GenerateContent: there is no way to
// forbid several calls in one reply.
func anyGemini() request.Spec { return request.Spec{ParallelTools: request.No} }

func geminis() map[string]row {
	return map[string]row{
		"gemini-2.5-pro":         budgeted(128, 32_768),
		"gemini-2.5-flash":       budgeted(1, 24_576, request.EffortOff),
		"gemini-2.5-flash-lite":  sized(budgeted(512, 24_576, request.EffortOff)),
		"gemini-3-flash-preview": leveled("minimal", "low", "medium", "high"),
		"gemini-3.1-pro-preview": sized(leveled("low", "medium", "high")),
		"gemini-3.1-flash-lite":  sized(leveled("minimal", "low", "medium", "high")),
		"gemini-3.5-flash":       sized(leveled("minimal", "low", "medium", "high")),
		"gemini-3.5-flash-lite":  sized(leveled("minimal", "low", "medium", "high")),
		"gemini-3.6-flash":       leveled("minimal", "low", "medium", "high"),
		"gemini-3.7-flash":       leveled("low", "medium", "high"),
		"gemini-3.8-flash":       sized(leveled("low", "medium", "high")),
	}
}

// gemini is what all of Google's models in the table can do.
func gemini(efforts []request.Effort) request.Spec {
	s := anyGemini()
	s.Tools, s.ToolChoice, s.StructuredAnswer = request.Yes, request.Yes, request.Yes
	s.Images, s.Audio, s.Files = request.Yes, request.Yes, request.Yes
	s.Temperature, s.TopP, s.StopSequences, s.Seed = request.Yes, request.Yes, request.Yes, request.Yes
	s.Thinking, s.Efforts = request.Yes, efforts
	return s
}

// sized is a model whose sizes are known.
func sized(r row) row {
	r.spec.ContextWindow, r.spec.MaxOutput = 1_048_576, 65_536
	return r
}

// budgeted is a model that takes a thinking budget and no level; off where it can be
// told not to think.
func budgeted(least, most int, off ...request.Effort) row {
	s := gemini(append(off, request.EffortMinimal, request.EffortLow, request.EffortMedium,
		request.EffortHigh, request.EffortXHigh, request.EffortMax))
	s.ThinkingBudget = request.Yes
	return row{spec: s, gemini: geminiwire.Profile{Thinking: geminiwire.ThinkingBudget, LeastBudget: least, MostBudget: most}}
}

// leveled is a model of Gemini 3: levels, calls that are always signed, and none that
// can be told not to think.
func leveled(levels ...request.Effort) row {
	return row{spec: gemini(levels), gemini: geminiwire.Profile{SignedCalls: true}}
}

// anyClaude is what holds of every model through Messages: no audio and no seed.
func anyClaude() request.Spec { return request.Spec{Audio: request.No, Seed: request.No} }

func claudes() map[string]row {
	const window, million, output = 200_000, 1_000_000, 128_000
	older := thinker(million, output, "off", "low", "medium", "high", "max")
	effort := thinker(window, 64_000, "off", "low", "medium", "high")
	effort.messages = messageswire.ThinkingEffort
	opus41 := budgetedClaude(window, 32_000)
	opus41.spec.StructuredAnswer = request.Unknown
	return map[string]row{
		"claude-opus-4-1":   opus41,
		"claude-sonnet-4-5": budgetedClaude(window, 64_000),
		"claude-haiku-4-5":  budgetedClaude(window, 64_000),
		"claude-opus-4-5":   effort,
		"claude-opus-4-6":   older,
		"claude-sonnet-4-6": older,
		"claude-opus-4-7":   adaptive("off"),
		"claude-opus-4-8":   adaptive("off"),
		"claude-opus-5":     adaptive("off"),
		"claude-sonnet-5":   adaptive("off"),
		"claude-haiku-5-5":  unforced(adaptive("off")),
		// These refuse thinking of type disabled; off becomes low.
		"claude-opus-5-5":   unforced(adaptive()),
		"claude-sonnet-5-5": unforced(adaptive()),
		"claude-fable-5":    adaptive(),
		"claude-fable-5-1":  unforced(adaptive()),
	}
}

// thinker is what all of Anthropic's models in the table can do.
func thinker(window, output int, efforts ...request.Effort) row {
	s := anyClaude()
	s.Tools, s.ParallelTools, s.ToolChoice = request.Yes, request.Yes, request.Yes
	s.Images, s.Files, s.StopSequences = request.Yes, request.Yes, request.Yes
	s.Temperature, s.TopP = request.Yes, request.Yes
	s.StructuredAnswer, s.Citations, s.CacheMarkers = request.Yes, request.Yes, request.Yes
	s.Thinking, s.ThinkingBudget, s.Efforts = request.Yes, request.Yes, efforts
	s.ContextWindow, s.MaxOutput = window, output
	return row{spec: s}
}

// budgetedClaude is a model that takes a thinking budget and no effort.
func budgetedClaude(window, output int) row {
	r := thinker(window, output)
	r.messages = messageswire.ThinkingBudget
	return r
}

// adaptive is a model of Opus 4.7 and later: no budget, no sampling parameters. off
// says whether thinking can be turned off.
func adaptive(off ...request.Effort) row {
	r := thinker(1_000_000, 128_000, append(off, "low", "medium", "high", "xhigh", "max")...)
	r.spec.ThinkingBudget, r.spec.Temperature, r.spec.TopP = request.No, request.No, request.No
	return r
}

// unforced is a model that refuses a tool choice of any or of one tool, or of which
// that is not known.
func unforced(r row) row {
	r.spec.ToolChoice = request.Unknown
	return r
}
