package messageswire

import (
	"github.com/weirsdk/weir/providers/internal/claudethinking"
	"github.com/weirsdk/weir/request"
)

// A Thinking says how a model is told to think.
type Thinking = claudethinking.Way

// The ways (platform.claude.com/docs/en/models, migration guides, stored copies
// read 2026-11-30). The zero Thinking is the way of the newest models.
const (
	// ThinkingAdaptive: an effort is sent as output_config.effort beside
	// thinking of type adaptive.
	ThinkingAdaptive = claudethinking.Adaptive
	// ThinkingEffort: an effort is sent as output_config.effort alone.
	ThinkingEffort = claudethinking.Effort
	// ThinkingBudget: the model knows no efforts; one is sent as a budget of
	// tokens, in sizes of weir's own (minimal 1,024, low 2,048, medium 8,192, high
	// 16,384, xhigh and max 32,000).
	ThinkingBudget = claudethinking.Budget
)

// mostBudget keeps the sum of a budget and the default a number of tokens.
const mostBudget = 1 << 30

// thinking returns how the request tells the model to think.
func thinking(r *request.Request, profile Profile) claudethinking.Plan {
	return claudethinking.Of(r, profile.Thinking, maxTokens(r, profile))
}

// maxTokens is the cap, which counts the thinking in. Where nothing else says it a
// budget is added to the default, so that it leaves room for the answer.
func maxTokens(r *request.Request, profile Profile) int {
	thinks := r.Effort != "" && r.Effort != request.EffortOff && profile.Thinking == ThinkingBudget
	switch {
	case r.MaxOutputTokens > 0:
		return r.MaxOutputTokens
	case profile.MaxOutput > 0:
		return profile.MaxOutput
	case r.ThinkingBudget != nil:
		return DefaultMaxTokens + min(max(*r.ThinkingBudget, 0), mostBudget)
	case thinks:
		return DefaultMaxTokens + claudethinking.Size(r.Effort)
	default:
		return DefaultMaxTokens
	}
}
