package gemini

import (
	"strings"

	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/request"
)

// SpecFor returns what is known of a model by its id, "models/" before it or not.
// Of a model that is not in the table nothing is known but what holds for the whole
// API: there is no way to forbid several calls in one reply.
//
// Sources, stored copies read 2026-12-01, undated where no date stands. Sizes and
// kinds of input: ai.google.dev/gemini-api/docs/models/gemini-3.5-flash (May 2026),
// docs.apiyi.com (2026-09-03) of the page of Gemini 3.8 Flash, github.com/BerriAI/litellm,
// discussion 36799, of 3.7 Flash, github.com/anomalyco/models.dev of the
// others. Levels of thinking:
// docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking (3.8, 3.7 and 3.6
// Flash, 3.5 Flash-Lite), ai.google.dev/gemini-api/docs/generate-content/latest-model (Gemini
// 4 Argon), docs.cloud.google.com/gemini-enterprise-agent-platform/models/guides (Gemini 4
// Carbon, Hydrogen, and Neon); read elsewhere only: that 3.1 Pro takes medium, and the levels
// of 3 Flash (public code). Bounds of budgets: github.com/anomalyco/models.dev and
// hexdocs.pm/gemini_ex. Structured answers beside tools and images in results, of the Gemini 3
// models but the Lite ones: ai.google.dev/gemini-api/docs/structured-output and
// function-calling, copies in public code. Google's own tools beside declared ones: refused by
// 2.5 (github.com/BerriAI/litellm, issue 26682, and googleapis/js-genai, issue 435), taken
// since Gemini 3 (ai.google.dev/gemini-api/docs/tool-combination). Of Gemini 4: that
// Argon takes no budget (github.com/BerriAI/litellm, discussion 46238), of the others
// it is not confirmed; that Argon passes over temperature and topP: dev.to/aihubmix, on
// Google's notes of what is new in it. A reply of theirs goes on after 65,536 tokens,
// see the package's documentation, so that their longest is left unknown.
func SpecFor(model string) request.Spec { return rowFor(model).spec }

// A row is a model and its way with the wire.
type row struct {
	spec    request.Spec
	profile geminiwire.Profile
}

// rowFor returns the row of a model. One that is not in the table is taken for a newer
// one, which refuses calls without a signature; older ones take the placeholder too
// (github.com/strands-agents/sdk-python, pull request 1298, which sends it to all, read
// 2026-12-01). A tuned model is of an older one.
func rowFor(model string) row {
	id := strings.TrimPrefix(model, "models/")
	if r, ok := rows()[id]; ok {
		return r
	}
	return row{anyModel(), geminiwire.Profile{SignedCalls: !strings.Contains(id, "/")}}
}

func rows() map[string]row {
	return map[string]row{
		"gemini-2.5-pro":         budgeted(128, 32_768),
		"gemini-2.5-flash":       budgeted(0, 24_576, request.EffortOff),
		"gemini-2.5-flash-lite":  budgeted(512, 24_576, request.EffortOff),
		"gemini-3-pro-preview":   leveled("low", "high"),
		"gemini-3-flash-preview": leveled("minimal", "low", "medium", "high"),
		"gemini-3.1-pro-preview": leveled("low", "medium", "high"),
		"gemini-3.1-flash-lite":  lite(leveled("minimal", "low", "medium", "high")),
		"gemini-3.5-flash":       leveled("minimal", "low", "medium", "high"),
		"gemini-3.5-flash-lite":  lite(leveled("minimal", "low", "medium", "high")),
		"gemini-3.6-flash":       leveled("minimal", "low", "medium", "high"),
		"gemini-3.7-flash":       leveled("low", "medium", "high"),
		"gemini-3.8-flash":       leveled("low", "medium", "high"),
		"gemini-4-argon":         argon(),
		"gemini-4-carbon":        fourth("low", "medium", "high"),
		"gemini-4-neon":          fourth("low", "medium", "high", "xhigh"),
		"gemini-4-hydrogen":      fourth("low", "medium", "high", "xhigh"),
	}
}

// anyModel is what holds for every model of the API.
func anyModel() request.Spec { return request.Spec{ParallelTools: request.No} }

// thinker is what all models in the table can do.
func thinker(efforts []request.Effort) request.Spec {
	s := anyModel()
	s.Tools, s.ToolChoice, s.StructuredAnswer = request.Yes, request.Yes, request.Yes
	s.Images, s.Audio, s.Files = request.Yes, request.Yes, request.Yes
	s.Temperature, s.TopP, s.StopSequences, s.Seed = request.Yes, request.Yes, request.Yes, request.Yes
	s.Thinking, s.Efforts = request.Yes, efforts
	s.ContextWindow, s.MaxOutput = 1_048_576, 65_536
	return s
}

// budgeted is a model that takes a thinking budget and no level; off where it can
// be told not to think.
func budgeted(least, most int, off ...request.Effort) row {
	s := thinker(append(off, request.EffortMinimal, request.EffortLow, request.EffortMedium,
		request.EffortHigh, request.EffortXHigh, request.EffortMax))
	s.ThinkingBudget = request.Yes
	return row{s, geminiwire.Profile{
		Thinking: geminiwire.ThinkingBudget, LeastBudget: least, MostBudget: most, Hosted: geminiwire.HostedAlone,
	}}
}

// leveled is a model of Gemini 3: levels, calls that are always signed, and none
// that can be told not to think. A budget is still taken instead of a level.
func leveled(levels ...request.Effort) row {
	return row{thinker(levels), geminiwire.Profile{
		AnswerBesideTools: true, MediaResults: true, SignedCalls: true, Hosted: geminiwire.HostedTold,
	}}
}

// lite is a model of which it is not documented that it takes a structured answer
// beside tools.
func lite(r row) row {
	r.profile.AnswerBesideTools = false
	return r
}

// fourth is a model of Gemini 4: no budget, and a reply that goes on.
func fourth(levels ...request.Effort) row {
	r := lite(leveled(levels...))
	r.spec.ThinkingBudget, r.spec.MaxOutput = request.No, 0
	r.spec.Temperature, r.spec.TopP = request.Unknown, request.Unknown
	return r
}

func argon() row {
	r := fourth("low", "medium", "high")
	r.spec.Temperature, r.spec.TopP = request.No, request.No
	return r
}
