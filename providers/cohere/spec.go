package cohere

import "github.com/weirsdk/weir/request"

// SpecFor returns what is known of a model by its exact id. Of a model that is not
// in the table nothing is known but what holds for the whole API, which refuses no
// text, tool or image; deprecated models are not in it.
//
// Sources, stored copies of Cohere's documentation and its sources
// (github.com/cohere-ai/cohere-developer-experience) read 2026-12-01: docs/models
// (windows, outputs, images), the pages of the models (that Command A Vision takes
// no tools; that Command A+, Command A Reasoning and North Mini Code think),
// docs/structured-outputs (that Command A+, Command A and both R models take a
// schema), reference/chat-stream (that tool_choice is for Command R7B and newer)
// and v2/docs/compatibility-api (that efforts are none and high, which are thinking
// disabled and enabled). Unknown is left whether the other models take a schema, and
// whether the translators take tools. Of windows, 128k is 128,000 where a page
// spells it out, and is taken so elsewhere.
func SpecFor(model string) request.Spec {
	s, ok := table()[model]
	if !ok {
		return anyModel()
	}
	return s
}

func table() map[string]request.Spec {
	const k = 1000
	return map[string]request.Spec{
		"command-a-plus-05-2026":      structured(thinking(calling(sized(128*k, 64*k), request.Yes))),
		"command-a-03-2025":           structured(blind(plain(calling(sized(256*k, 8*k), request.Yes)))),
		"command-a-reasoning-08-2025": blind(thinking(calling(sized(256*k, 32*k), request.Yes))),
		"command-a-vision-07-2025":    mute(plain(sized(128*k, 8*k))),
		"command-a-translate-08-2025": blind(plain(sized(8*k, 8*k))),
		"command-r7b-12-2024":         blind(plain(calling(sized(128*k, 4*k), request.Yes))),
		"command-r-08-2024":           structured(blind(plain(calling(sized(128*k, 4*k), request.No)))),
		"command-r-plus-08-2024":      structured(blind(plain(calling(sized(128*k, 4*k), request.No)))),
		"north-mini-code-1-0":         blind(thinking(calling(sized(256*k, 64*k), request.Yes))),
		"north-small-translate-1-0":   blind(plain(sized(16*k, 16*k))),
	}
}

// anyModel is what holds for every model of the API: it has no audio, no way to forbid
// parallel calls, no word for what is to be kept of a prompt, and no tools of its own.
func anyModel() request.Spec {
	return request.Spec{
		Audio: request.No, ParallelTools: request.No,
		CacheMarkers: request.No, CacheLong: request.No, CacheKey: request.No,
		HostedTools: request.No, WebSearch: request.WebSearchSupport{Tool: request.No},
	}
}

// sized is a model of the table, which sees images until it is called blind.
func sized(window, output int) request.Spec {
	s := anyModel()
	s.ContextWindow, s.MaxOutput = window, output
	s.Temperature, s.TopP, s.StopSequences, s.Seed = request.Yes, request.Yes, request.Yes, request.Yes
	s.Images = request.Yes
	return s
}

func calling(s request.Spec, choice request.Support) request.Spec {
	s.Tools, s.ToolChoice = request.Yes, choice
	return s
}

func thinking(s request.Spec) request.Spec {
	s.Thinking, s.ThinkingBudget = request.Yes, request.Yes
	s.Efforts = []request.Effort{request.EffortOff, request.EffortHigh}
	return s
}

// plain is a model that does not think.
func plain(s request.Spec) request.Spec {
	s.Thinking, s.ThinkingBudget = request.No, request.No
	return s
}

func structured(s request.Spec) request.Spec {
	s.StructuredAnswer = request.Yes
	return s
}

func blind(s request.Spec) request.Spec {
	s.Images = request.No
	return s
}

// mute is a model that calls no tools.
func mute(s request.Spec) request.Spec {
	s.Tools = request.No
	return s
}
