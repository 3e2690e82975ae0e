package anthropic

import (
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

// SpecFor returns what is known of a model by its id, dated ids included. Of a
// model that is not in the table nothing is known but what holds for the whole
// API, which refuses no text, tool or image.
//
// Sources, read 2026-11-30: platform.claude.com/docs/en/about-claude/models
// (overview and the migration guides to Opus 4.7, Opus 5, Opus 5.5 and Sonnet 5)
// and /docs/en/build-with-claude/effort. A window that the pages give two figures
// for is left unknown.
func SpecFor(model string) request.Spec { return rowFor(model).spec }

// A row is a family of ids and how it is told to think.
type row struct {
	prefix   string
	thinking messageswire.Thinking
	spec     request.Spec
}

// rowFor returns the row of the longest prefix.
func rowFor(model string) row {
	best := row{spec: anyModel()}
	for _, r := range rows() {
		if strings.HasPrefix(model, r.prefix) && len(r.prefix) > len(best.prefix) {
			best = r
		}
	}
	// Callers may change what they get.
	best.spec.Efforts = slices.Clone(best.spec.Efforts)
	return best
}

func rows() []row {
	const (
		window, million = 200_000, 1_000_000
		adaptive        = messageswire.ThinkingAdaptive
	)
	return []row{
		plain("claude-3-haiku", 4_096),
		plain("claude-3-5-haiku", 8_192),
		plain("claude-3-5-sonnet", 8_192),
		budgeted("claude-3-7-sonnet", 64_000),
		budgeted("claude-opus-4-0", 32_000),
		budgeted("claude-opus-4-2025", 32_000),
		budgeted("claude-opus-4-1", 32_000),
		budgeted("claude-sonnet-4-0", 64_000),
		budgeted("claude-sonnet-4-2025", 64_000),
		budgeted("claude-sonnet-4-5", 64_000),
		budgeted("claude-haiku-4-5", 64_000),
		{"claude-opus-4-5", messageswire.ThinkingEffort, thinker(window, 64_000, efforts("off", "low", "medium", "high"))},
		{"claude-opus-4-6", adaptive, thinker(0, 128_000, efforts("off", "low", "medium", "high", "max"))},
		{"claude-sonnet-4-6", adaptive, thinker(0, 128_000, efforts("off", "low", "medium", "high", "max"))},
		{"claude-opus-4-7", adaptive, adaptiveOnly(million, "off")},
		{"claude-opus-4-8", adaptive, adaptiveOnly(million, "off")},
		{"claude-opus-5", adaptive, adaptiveOnly(million, "off")},
		{"claude-sonnet-5", adaptive, adaptiveOnly(million, "off")},
		// These always think; off becomes low.
		{"claude-opus-5-5", adaptive, unforced(adaptiveOnly(0))},
		{"claude-fable-5", adaptive, adaptiveOnly(million)},
		{"claude-fable-5-1", adaptive, unforced(adaptiveOnly(0))},
		{"claude-mythos-5", adaptive, adaptiveOnly(0)},
	}
}

func efforts(names ...request.Effort) []request.Effort { return names }

// anyModel is what holds for every model of the API: it has no audio and no seed.
func anyModel() request.Spec {
	return request.Spec{Audio: request.No, Seed: request.No}
}

// capable is what all models in the table can do.
func capable(window, output int) request.Spec {
	s := anyModel()
	s.Tools, s.ParallelTools, s.ToolChoice = request.Yes, request.Yes, request.Yes
	s.Images, s.StopSequences = request.Yes, request.Yes
	s.ContextWindow, s.MaxOutput = window, output
	return s
}

// plain is a model that does not think.
func plain(prefix string, output int) row {
	s := capable(200_000, output)
	s.Thinking, s.Temperature, s.TopP = request.No, request.Yes, request.Yes
	return row{prefix: prefix, spec: s}
}

// budgeted is a model that takes a thinking budget and no effort.
func budgeted(prefix string, output int) row {
	return row{prefix, messageswire.ThinkingBudget, thinker(0, output, nil)}
}

func thinker(window, output int, efforts []request.Effort) request.Spec {
	s := capable(window, output)
	s.Thinking, s.ThinkingBudget, s.Efforts = request.Yes, request.Yes, efforts
	s.Temperature, s.TopP, s.Files = request.Yes, request.Yes, request.Yes
	return s
}

// adaptiveOnly is a model of Opus 4.7 and later: no budget, no sampling
// parameters. off says whether thinking can be turned off.
func adaptiveOnly(window int, off ...request.Effort) request.Spec {
	s := thinker(window, 128_000, append(off, efforts("low", "medium", "high", "xhigh", "max")...))
	s.ThinkingBudget, s.Temperature, s.TopP = request.No, request.No, request.No
	return s
}

// unforced is a model that refuses a tool choice of any or of one tool. Whether
// it takes the others is not told apart by a Spec, so nothing is claimed.
func unforced(s request.Spec) request.Spec {
	s.ToolChoice = request.Unknown
	return s
}
