package ollama

import (
	"slices"
	"strings"

	"github.com/weirsdk/weir/request"
)

// SpecFor returns what is known of a model by its id. What the protocol takes or does
// not take holds for every model; whether one takes tools, images or thinking is the
// server's to say (POST /api/show), and unknown here but for gpt-oss, whose values of
// thinking are low, medium and high: false asks for no output of it, and is not sent for
// off, which it cannot do. A model in Ollama's cloud ("gpt-oss:120b-cloud",
// "glm-5.2:cloud", any at ollama.com) passes over the schema of a structured answer, and
// so is asked for it in words.
//
// Sources: of the protocol ollama v0.33, api/types.go, read August to October 2026; of
// the cloud docs.ollama.com/capabilities/structured-outputs and issue 12362 of
// github.com/ollama/ollama, read 2026-11-30; of gpt-oss github.com/ollama/ollama,
// docs/capabilities/thinking.mdx, stored copies read 2026-11-30 and 2026-12-01.
func SpecFor(model string) request.Spec {
	s := request.Spec{
		ToolChoice: request.No, ParallelTools: request.No, ThinkingBudget: request.No,
		Audio: request.No, Files: request.No, Citations: request.No,
		CacheMarkers: request.No, CacheLong: request.No, CacheKey: request.No,
		HostedTools: request.No, WebSearch: request.WebSearchSupport{Tool: request.No},
		Temperature: request.Yes, TopP: request.Yes, StopSequences: request.Yes, Seed: request.Yes,
		StructuredAnswer: request.Yes,
	}
	if strings.HasSuffix(model, "-cloud") || strings.HasSuffix(model, ":cloud") {
		s.StructuredAnswer = request.No
	}
	id := model[strings.LastIndexByte(model, '/')+1:]
	if strings.HasPrefix(id, "gpt-oss") {
		s.Tools, s.Thinking = request.Yes, request.Yes
		s.Efforts = []request.Effort{request.EffortLow, request.EffortMedium, request.EffortHigh}
	}
	return s
}

// takesLevels reports whether think is spelled as a level: the efforts name more than
// true and false can say.
func takesLevels(s request.Spec) bool {
	return slices.ContainsFunc(s.Efforts, func(e request.Effort) bool {
		return e != request.EffortOff && e != request.EffortHigh
	})
}
