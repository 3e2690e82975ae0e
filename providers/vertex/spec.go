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
// Sources, stored copies read 2026-12-01: of Gemini at its table; of Claude: that options
// are those of Anthropic's own API, and its structured
// answers, citations and web search,
// platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai, and by that how each model
// thinks, what it refuses and which takes a schema, as in package anthropic; windows the same
// page, other sizes platform.claude.com/docs/en/models, of 4.6 to 4.8
// github.com/Effect-TS/effect and clauder-navi.com/en/vertex-claude-ai.
func SpecFor(model string, api API) request.Spec { return rowFor(model, api).spec }

// A row is a model and how it is told to think.
type row struct {
	spec     request.Spec
	gemini   geminiwire.Profile
	messages messageswire.Thinking
}

func rowFor(model string, api API) row {
	id, _, _ := strings.Cut(modelID(model), "@")
	known, unknown := geminis(), unknownGemini(model)
	if api == Messages {
		known, unknown = claudes(), row{spec: anyClaude()}
	}
	if r, ok := known[id]; ok {
		return r
	}
	return unknown
}

// modelID returns the id in the name of a publisher's model, and any other name as it
// is.
func modelID(name string) string {
	if publisher, id, found := strings.Cut(name, "/models/"); found && strings.HasPrefix(publisher, "publishers/") {
		return id
	}
	if publisher, id, found := strings.Cut(name, "/"); found && !isCollection(publisher) {
		return id
	}
	return name
}

// isCollection reports whether a name before a slash is that of a kind of resource of
// the location, and not of a publisher.
func isCollection(name string) bool { return isOwn(name) || name == "publishers" }

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
	s.Temperature, s.TopP, s.BothSamplers = request.Yes, request.Yes, request.No // as in package anthropic
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
