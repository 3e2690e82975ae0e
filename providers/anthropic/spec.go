package anthropic

import (
	"time"

	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

// SpecFor returns what is known of a model by its id, alone or with the date of a
// snapshot ("claude-sonnet-4-5-20250929"). Of a model that is not in the table
// nothing is known but what holds for the whole API, which refuses no text, tool
// or image; retired models are not in it.
//
// Sources, excerpts of stored copies read 2026-11-30:
// platform.claude.com/docs/en/models (the overview, the pages of Opus 4.5, 4.6, 5
// and 5.5, Sonnet 4.6, 5 and 5.5, Haiku 5.5, Fable 5 and 5.2, and migration
// guides) and /docs/en/build-with-claude/effort. Read elsewhere only: sizes of
// Opus 4.1, 4.7 and 4.8 (github.com/anomalyco/models.dev); what 4.7 and the 5.5
// models refuse (openrouter.ai/docs, model migrations); the 64,000 tokens of
// Sonnet 4.5 and that it takes no effort (github.com/Effect-TS/effect,
// reference.langchain.com); that Haiku 5.5 can be told not to think
// (docs.apiyi.com). Not confirmed: that Opus 4.7 takes thinking of type disabled.
// The window of Sonnet 4.5 is left unknown. Structured answers:
// platform.claude.com/docs/en/build-with-claude/structured-outputs, of which a copy
// names Opus 4.5 and 4.6, Sonnet 4.5 and 4.6 and Haiku 4.5, and a later one says
// 4.5 and newer; of Opus 4.1, which took them in the beta, nothing is claimed.
// Of temperature and top_p all since Opus 4.1 take one, or none
// (github.com/SalesforceAIResearch/MCP-Universe, issue 49, read 2026-12-01).
// Citations: "All active models" (/docs/en/build-with-claude/citations, a stored copy
// read 2026-12-01).
func SpecFor(model string) request.Spec { return rowFor(model).spec }

// A row is a model and how it is told to think.
type row struct {
	thinking messageswire.Thinking
	spec     request.Spec
}

func rowFor(model string) row {
	known := rows()
	r, ok := known[model]
	if !ok {
		r, ok = known[undated(model)]
	}
	if !ok {
		r.spec = anyModel()
	}
	return r
}

// undated returns an id without the date at its end.
func undated(id string) string {
	const date = "-20060102"
	at := max(len(id)-len(date), 0)
	if _, err := time.Parse(date, id[at:]); err != nil {
		return id
	}
	return id[:at]
}

func rows() map[string]row {
	const (
		window, million = 200_000, 1_000_000
		adaptive        = messageswire.ThinkingAdaptive
	)
	return map[string]row{
		"claude-opus-4-1":   unstructured(budgeted(window, 32_000)),
		"claude-sonnet-4-5": budgeted(0, 64_000),
		"claude-haiku-4-5":  budgeted(window, 64_000),
		"claude-opus-4-5":   {messageswire.ThinkingEffort, thinker(window, 64_000, efforts("off", "low", "medium", "high"))},
		"claude-opus-4-6":   {adaptive, thinker(million, 128_000, efforts("off", "low", "medium", "high", "max"))},
		"claude-sonnet-4-6": {adaptive, thinker(million, 128_000, efforts("off", "low", "medium", "high", "max"))},
		"claude-opus-4-7":   {adaptive, adaptiveOnly("off")},
		"claude-opus-4-8":   {adaptive, adaptiveOnly("off")},
		// These think unless told not to, and take that beside no effort above high.
		"claude-opus-5":    {adaptive, adaptiveOnly("off")},
		"claude-sonnet-5":  {adaptive, adaptiveOnly("off")},
		"claude-haiku-5-5": {adaptive, unforced(adaptiveOnly("off"))},
		// These refuse thinking of type disabled; off becomes low.
		"claude-opus-5-5":   {adaptive, unforced(adaptiveOnly())},
		"claude-sonnet-5-5": {adaptive, unforced(adaptiveOnly())},
		"claude-fable-5":    {adaptive, adaptiveOnly()},
		"claude-mythos-5":   {adaptive, adaptiveOnly()},
		"claude-fable-5-1":  {adaptive, unforced(adaptiveOnly())},
		"claude-fable-5-2":  {adaptive, unforced(adaptiveOnly())},
		"claude-mythos-5-2": {adaptive, unforced(adaptiveOnly())},
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
	s.Images, s.StopSequences, s.Citations = request.Yes, request.Yes, request.Yes
	s.CacheMarkers, s.CacheLong = request.Yes, request.Yes
	s.ContextWindow, s.MaxOutput = window, output
	return s
}

// budgeted is a model that takes a thinking budget and no effort.
func budgeted(window, output int) row {
	return row{messageswire.ThinkingBudget, thinker(window, output, nil)}
}

func thinker(window, output int, efforts []request.Effort) request.Spec {
	s := capable(window, output)
	s.Thinking, s.ThinkingBudget, s.Efforts = request.Yes, request.Yes, efforts
	s.Temperature, s.TopP, s.BothSamplers, s.Files = request.Yes, request.Yes, request.No, request.Yes
	s.StructuredAnswer = request.Yes
	return s
}

// unstructured is a model of which it is not known whether it takes a schema.
func unstructured(r row) row {
	r.spec.StructuredAnswer = request.Unknown
	return r
}

// adaptiveOnly is a model of Opus 4.7 and later: no budget, no sampling
// parameters. off says whether thinking can be turned off.
func adaptiveOnly(off ...request.Effort) request.Spec {
	s := thinker(1_000_000, 128_000, append(off, efforts("low", "medium", "high", "xhigh", "max")...))
	s.ThinkingBudget, s.Temperature, s.TopP = request.No, request.No, request.No
	return s
}

// unforced is a model that refuses a tool choice of any or of one tool, or of
// which that is not known (Haiku 5.5, Fable 5.2). Whether it takes the others is
// not told apart by a Spec, so nothing is claimed.
func unforced(s request.Spec) request.Spec {
	s.ToolChoice = request.Unknown
	return s
}
