package claudethinking

import (
	"cmp"
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A Way is how a model is told how hard to think.
type Way uint8

// The ways. The zero Way is that of the newest models.
const (
	// Adaptive: by an effort beside thinking of type adaptive.
	Adaptive Way = iota
	// Effort: by an effort alone.
	Effort
	// Budget: by a number of tokens; an effort is one of [Size].
	Budget
)

// least is the least budget.
const least = 1024

// A Plan is what a request comes to.
type Plan struct {
	// Member is the value of the body's thinking; empty: it has none.
	Member string
	// Effort is said beside it; empty: nothing is.
	Effort request.Effort
	// Temperature and TopP are those of the request, or nil where they gave way.
	Temperature, TopP *float64
	// Told is what gave way.
	Told []events.NoticeInfo
	// Wrong is what is wrong first, without what is done about it: what a strict request is
	// refused for; empty where nothing gave way.
	Wrong string
}

// Of returns the plan of a prepared request to a model whose output has maxTokens; 0
// where that is not known.
func Of(r *request.Request, way Way, maxTokens int) Plan {
	p := Plan{Temperature: r.Temperature, TopP: r.TopP}
	thinks := p.choose(r, way, maxTokens)
	if thinks && forced(r) {
		p.gaveWay(events.NoticeEffortClamped, field(r)+": the model may not think where a tool call is forced", "; it does not")
		p.Member, thinks = "", false
	}
	if thinks {
		p.holdSampling()
	}
	return p
}

// choose sets how the model is told to think, and reports whether it is told to.
func (p *Plan) choose(r *request.Request, way Way, maxTokens int) (thinks bool) {
	off := r.Effort == request.EffortOff
	if way != Budget && !off {
		p.Effort = r.Effort
	}
	switch {
	case r.ThinkingBudget != nil:
		if r.Effort != "" && p.Effort == "" {
			p.gaveWay(events.NoticeEffortClamped, "effort: the model takes none beside thinking_budget", "; thinking_budget takes its place")
		}
		return p.budget("thinking_budget", *r.ThinkingBudget, maxTokens)
	case off:
		p.Member = `{"type":"disabled"}`
	case r.Effort == "":
	case way == Budget:
		return p.budget("effort", Size(r.Effort), maxTokens)
	case way == Adaptive:
		p.Member, thinks = `{"type":"adaptive"}`, true
	}
	return thinks
}

// budget sets a budget that the model takes.
func (p *Plan) budget(field string, want, maxTokens int) (thinks bool) {
	got := max(want, least)
	if maxTokens > 0 {
		got = min(got, maxTokens-1)
	}
	n := strconv.Itoa
	switch {
	case got < least:
		p.gaveWay(events.NoticeEffortClamped, field+": no budget of "+n(least)+" tokens is below max_tokens "+n(maxTokens), "; the model is not told to think")
		return false
	case got != want:
		p.gaveWay(events.NoticeEffortClamped, field+": a budget of "+n(want)+" tokens is not from "+n(least)+" to below max_tokens", "; "+n(got)+" takes its place")
	}
	p.Member = `{"type":"enabled","budget_tokens":` + n(got) + `}`
	return true
}

// holdSampling leaves out what thinking does not go together with.
func (p *Plan) holdSampling() {
	const leastTopP = 0.95
	if p.Temperature != nil && *p.Temperature != 1 {
		p.Temperature = nil
		p.gaveWay(events.NoticeParameterDropped, "temperature: a model that thinks takes none but 1", "")
	}
	if p.TopP != nil && *p.TopP < leastTopP {
		p.TopP = nil
		p.gaveWay(events.NoticeParameterDropped, "top_p: a model that thinks takes none below 0.95", "")
	}
}

// gaveWay tells what gave way: what is wrong, and what is done about it.
func (p *Plan) gaveWay(code events.NoticeCode, wrong, done string) {
	p.Told = append(p.Told, events.NoticeInfo{Code: code, Detail: wrong + done})
	p.Wrong = cmp.Or(p.Wrong, wrong)
}

// field is what of a request asks for thinking.
func field(r *request.Request) string {
	if r.ThinkingBudget != nil {
		return "thinking_budget"
	}
	return "effort"
}

// forced reports whether the model has to call a tool.
func forced(r *request.Request) bool {
	return len(r.Tools) > 0 && (r.ToolChoice.Mode == request.ToolRequired || r.ToolChoice.Mode == request.ToolNamed)
}

// Size is the budget that an effort is for a model that takes a number: weir's own
// sizes.
func Size(e request.Effort) int {
	switch e {
	case request.EffortMinimal:
		return least
	case request.EffortLow:
		return 2 * least
	case request.EffortMedium:
		return 8 * least
	case request.EffortHigh:
		return 16 * least
	default:
		return 32_000
	}
}

// Efforts are the efforts that the wires have words for: minimal is not among them
// (platform.claude.com/docs/en/build-with-claude/effort, a stored copy read 2026-11-30).
func Efforts() []request.Effort {
	return []request.Effort{
		request.EffortOff, request.EffortLow, request.EffortMedium, request.EffortHigh, request.EffortXHigh, request.EffortMax,
	}
}
