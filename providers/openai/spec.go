package openai

import (
	"strings"
	"time"

	"github.com/weirsdk/weir/request"
)

// SpecFor returns what is known of a model through Chat Completions, by its id, alone
// or with the date of a snapshot ("gpt-4o-2024-11-20"), or of a model that was
// fine-tuned from one ("ft:gpt-4o-2024-08-06:org::id"). Of any other model nothing is known, which
// refuses nothing: gpt-5-codex and gpt-5.4 are not gpt-5.
//
// GPT-5.4 and later are left out on purpose: this API refuses them an effort
// beside tools (github.com/itzcrazykns/vane, issue 1173, of gpt-5.6-luna), which a
// Spec cannot say.
//
// Sources, all read 2026-11-30 as stored copies. Windows, outputs and efforts:
// models.dev (github.com/anomalyco/models.dev, models/openai and
// providers/openai); of the GPT-5 and o series also Microsoft's table
// (github.com/MicrosoftDocs/azure-ai-docs, articles/foundry/openai/how-to/reasoning.md),
// which says that reasoning models take neither temperature nor
// top_p. That GPT-5.1 and 5.2 take them without thinking: OpenAI's guide
// "latest-model", as github.com/vercel/ai cites it. Stop sequences: OpenAI's API
// reference refuses them of o3 and o4-mini; of GPT-5 only others say so
// (github.com/BerriAI/litellm, community.openai.com/t/1341049), not confirmed by
// OpenAI. Structured answers: Microsoft's list
// (articles/foundry/openai/how-to/structured-outputs.md there), in which GPT-4o begins with
// 2024-08-06; of GPT-5.2 models.dev.
//
// Prompts are kept for longer when asked by GPT-5, 5.1, 5.2 and 5.4 (the list of
// OpenAI's guide to prompt caching, as github.com/claude-code-best/claude-code, pull
// request 302, cites it); of GPT-4.1, which is on it too, github.com/home-assistant/core,
// issue 161256, says that it refuses. Both read 2026-12-01.
//
// The models of the table search the web through the Responses API alone
// (docs.litellm.ai/docs/completion/web_search, of 2026-10-14).
func SpecFor(model string) request.Spec {
	s := find(specs(), model)
	if s.ContextWindow > 0 {
		s.WebSearch.Tool = request.No
	}
	return s
}

func find(known map[string]request.Spec, model string) request.Spec {
	id := model
	if tuned, ok := strings.CutPrefix(model, "ft:"); ok {
		id, _, _ = strings.Cut(tuned, ":")
	}
	if s, ok := known[id]; ok {
		return s
	}
	return known[undated(id)]
}

// undated returns an id without the date at its end.
func undated(id string) string {
	const date = "-2006-01-02"
	at := max(len(id)-len(date), 0)
	if _, err := time.Parse(date, id[at:]); err != nil {
		return id
	}
	return id[:at]
}

// ResponsesSpecFor returns what is known of a model through the Responses API, by its
// id as [SpecFor] takes one. The wire has no stop sequences and no seed, of no model.
//
// GPT-5.4 to 5.6 are in it. Their sizes and efforts: models.dev as above, read
// 2026-12-01; for max, which it has of GPT-5.6 Sol alone, also
// github.com/anomalyco/opencode, issue 36141; for those of 5.4 and 5.5 docs.oxen.ai
// (gpt-5-5-2026-04-23) and docs.rs/crate/meerkat-core, read likewise. Whether they
// take temperature without thinking is not confirmed.
func ResponsesSpecFor(model string) request.Spec {
	known := specs()
	off, xhigh := known["gpt-5.1"].Efforts, known["gpt-5.2"].Efforts
	maximum := append(append(off[:len(off):len(off)], request.EffortXHigh), request.EffortMax)
	for _, id := range []string{"gpt-5.4", "gpt-5.5"} {
		known[id] = thinker(1_050_000, 128_000, xhigh)
		if id == "gpt-5.4" {
			known[id] = retaining(known[id])
		}
	}
	for _, id := range []string{"gpt-5.6", "gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna"} {
		known[id] = marked(thinker(1_050_000, 128_000, maximum))
	}
	// Of the older ones nothing is told but that: they refuse to be asked for
	// reasoning (github.com/pydantic/pydantic-ai, issues 2865 and 3326; models.dev).
	for _, id := range []string{"gpt-5-chat-latest", "gpt-4-turbo", "gpt-4", "gpt-3.5-turbo"} {
		known[id] = request.Spec{Thinking: request.No}
	}
	s := find(known, model)
	s.StopSequences, s.Seed = request.No, request.No
	return s
}

func specs() map[string]request.Spec {
	low := []request.Effort{request.EffortLow, request.EffortMedium, request.EffortHigh}
	minimal := append([]request.Effort{request.EffortMinimal}, low...)
	off := append([]request.Effort{request.EffortOff}, low...)
	xhigh := append(append([]request.Effort{}, off...), request.EffortXHigh)
	return map[string]request.Spec{
		"gpt-4o":            plain(128_000, 16_384),
		"gpt-4o-2024-05-13": unstructured(plain(128_000, 4_096)),
		"gpt-4o-mini":       plain(128_000, 16_384),
		"gpt-4.1":           plain(1_047_576, 32_768),
		"gpt-4.1-mini":      plain(1_047_576, 32_768),
		"gpt-4.1-nano":      plain(1_047_576, 32_768),
		"o1":                reasoning(200_000, 100_000, low),
		"o3-mini":           reasoning(200_000, 100_000, low),
		"o3":                unstopped(reasoning(200_000, 100_000, low)),
		"o4-mini":           unstopped(reasoning(200_000, 100_000, low)),
		"gpt-5":             retaining(unstopped(reasoning(400_000, 128_000, minimal))),
		"gpt-5-mini":        unstopped(reasoning(400_000, 128_000, minimal)),
		"gpt-5-nano":        unstopped(reasoning(400_000, 128_000, minimal)),
		// Without thinking these take temperature and top_p: not a No.
		"gpt-5.1": retaining(thinker(400_000, 128_000, off)),
		"gpt-5.2": retaining(thinker(400_000, 128_000, xhigh)),
	}
}

// plain is a model that does not think.
func plain(window, output int) request.Spec {
	return request.Spec{
		Tools: request.Yes, ParallelTools: request.Yes, ToolChoice: request.Yes, Thinking: request.No,
		Temperature: request.Yes, TopP: request.Yes, StopSequences: request.Yes, Seed: request.Yes,
		StructuredAnswer: request.Yes,
		ContextWindow:    window, MaxOutput: output,
	}
}

func thinker(window, output int, efforts []request.Effort) request.Spec {
	return request.Spec{
		Tools: request.Yes, ToolChoice: request.Yes, Thinking: request.Yes, Efforts: efforts, StructuredAnswer: request.Yes,
		ContextWindow: window, MaxOutput: output,
	}
}

// reasoning is a model that always thinks.
func reasoning(window, output int, efforts []request.Effort) request.Spec {
	s := thinker(window, output, efforts)
	s.Temperature, s.TopP = request.No, request.No
	return s
}

// retaining is a model that keeps prompts for longer when asked.
func retaining(s request.Spec) request.Spec {
	s.CacheLong = request.Yes
	return s
}

// marked is a model that takes cache markers, and no time.
func marked(s request.Spec) request.Spec {
	s.CacheMarkers, s.CacheLong = request.Yes, request.No
	return s
}

// unstructured is a model that takes no schema.
func unstructured(s request.Spec) request.Spec {
	s.StructuredAnswer = request.No
	return s
}

func unstopped(s request.Spec) request.Spec {
	s.StopSequences = request.No
	return s
}
