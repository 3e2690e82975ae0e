package openai

import (
	"strings"

	"github.com/weirsdk/weir/request"
)

// SpecFor returns what is known of a model by its id, dated ids and fine-tuned
// models ("ft:gpt-4o:...") included. Of a model that is not in the table nothing
// is known, which refuses nothing.
//
// Source: platform.openai.com/docs/models and /docs/guides/reasoning, read
// 2026-11-30. Reasoning models refuse temperature and top_p, and the older ones
// stop.
func SpecFor(model string) request.Spec {
	id := strings.TrimPrefix(model, "ft:")
	var best row
	for _, r := range rows() {
		if strings.HasPrefix(id, r.prefix) && len(r.prefix) > len(best.prefix) {
			best = r
		}
	}
	return best.spec
}

type row struct {
	prefix string
	spec   request.Spec
}

func rows() []row {
	low := []request.Effort{request.EffortLow, request.EffortMedium, request.EffortHigh}
	minimal := append([]request.Effort{request.EffortMinimal}, low...)
	off := append([]request.Effort{request.EffortOff}, low...)
	xhigh := append(append([]request.Effort{}, off...), request.EffortXHigh)
	return []row{
		{"gpt-3.5-turbo", plain(16_385, 4_096)},
		{"gpt-4o", plain(128_000, 16_384)},
		{"gpt-4.1", plain(1_047_576, 32_768)},
		{"o1", reasoning(200_000, 100_000, low)},
		{"o3", reasoning(200_000, 100_000, low)},
		{"o4-mini", reasoning(200_000, 100_000, low)},
		{"gpt-5", reasoning(400_000, 128_000, minimal)},
		{"gpt-5-chat", plain(128_000, 16_384)},
		// Without thinking these take temperature and top_p: not a No.
		{"gpt-5.1", thinker(400_000, 128_000, off)},
		{"gpt-5.2", thinker(400_000, 128_000, xhigh)},
	}
}

// plain is a model that does not think.
func plain(window, output int) request.Spec {
	return request.Spec{
		Tools: request.Yes, ParallelTools: request.Yes, ToolChoice: request.Yes, Thinking: request.No,
		Temperature: request.Yes, TopP: request.Yes, StopSequences: request.Yes, Seed: request.Yes,
		ContextWindow: window, MaxOutput: output,
	}
}

func thinker(window, output int, efforts []request.Effort) request.Spec {
	return request.Spec{
		Tools: request.Yes, ToolChoice: request.Yes, Thinking: request.Yes, Efforts: efforts,
		ContextWindow: window, MaxOutput: output,
	}
}

// reasoning is a model that always thinks.
func reasoning(window, output int, efforts []request.Effort) request.Spec {
	s := thinker(window, output, efforts)
	s.Temperature, s.TopP, s.StopSequences = request.No, request.No, request.No
	return s
}
