package vertex

import (
	"strings"

	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/request"
)

// geminis are Google's models. Sources, stored copies read 2026-12-01: docs.cloud.google.
// com/gemini-enterprise-agent-platform/models/thinking, its levels and budgets as public
// notes and tests of August to October 2026 quote them, the least budget of 2.5
// Flash-Lite as in package gemini; Gemini 4, and that Hydrogen takes images in results,
// models/guides and models/start/get-started-with-gemini-4; sizes and kinds of input
// models/gemini/2-5-flash-lite, models/guides/gemini-3-5-flash (3.5 Flash, 3.1 Pro, 3.1
// Flash-Lite), and of 3.8 Flash and 3.5 Flash-Lite public notes on their pages; other
// sizes are unknown, and whether a model takes a structured answer beside tools, or of
// the others images in results. Google's own tools beside declared ones: refused by 2.5
// (github.com/BerriAI/litellm, issue 26682), taken since Gemini 3 (pull request 38650).
func geminis() map[string]row {
	hydrogen := fourth("low", "medium", "high", "xhigh")
	hydrogen.gemini.MediaResults = true
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
		"gemini-4-argon":         fourth("low", "medium", "high"),
		"gemini-4-carbon":        fourth("low", "medium", "high"),
		"gemini-4-neon":          fourth("low", "medium", "high", "xhigh"),
		"gemini-4-hydrogen":      hydrogen,
	}
}

// anyGemini is what holds of every model through GenerateContent: there is no way to
// forbid several calls in one reply.
func anyGemini() request.Spec { return request.Spec{ParallelTools: request.No} }

// unknownGemini is a model that is not in the table: a newer one, which refuses calls
// without a signature, or one's own, which is of an older one.
func unknownGemini(model string) row {
	collection, _, _ := strings.Cut(model, "/")
	return row{spec: anyGemini(), gemini: geminiwire.Profile{SignedCalls: collection == model || !isOwn(collection), ExcludeDomains: true}}
}

// isOwn reports whether a collection is of what belongs to a project.
func isOwn(collection string) bool { return collection == "endpoints" || collection == "models" }

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
	return row{spec: s, gemini: geminiwire.Profile{
		Thinking: geminiwire.ThinkingBudget, LeastBudget: least, MostBudget: most, Hosted: geminiwire.HostedAlone, ExcludeDomains: true,
	}}
}

// leveled is a model since Gemini 3: levels, calls that are always signed, and none that
// can be told not to think.
func leveled(levels ...request.Effort) row {
	return row{spec: gemini(levels), gemini: geminiwire.Profile{SignedCalls: true, ExcludeDomains: true}}
}

// fourth is a model of Gemini 4: no budget, as in package gemini, and a reply that goes
// on, so that its longest is unknown.
func fourth(levels ...request.Effort) row {
	r := leveled(levels...)
	r.spec.ThinkingBudget, r.spec.ContextWindow = request.No, 1_048_576
	r.spec.Temperature, r.spec.TopP = request.Unknown, request.Unknown
	return r
}
