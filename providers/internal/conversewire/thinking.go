package conversewire

import (
	"cmp"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/claudethinking"
	"github.com/weirsdk/weir/request"
)

// A Thinking says how a model is told to think: by the wire's own word, or in
// additionalModelRequestFields, which the wire passes on to the model.
type Thinking uint8

// The ways, all sources read 2026-12-01. Of outputConfig.effort aws-sdk-go-v2
// service/bedrockruntime v1.63.13 and docs.aws.amazon.com/sdk-for-python/v1/reference/
// clients/bedrock-runtime/structures/OutputConfig; others put the same word of Claude's
// own into the fields (langchain-ai/langchain-aws, pull request 1188). Of Claude's thinking
// docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html. Of
// Amazon Nova 2 docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html;
// its type disabled, and what high goes together with, docs.rs/crate/rig-bedrock/0.46.0,
// options.rs. Of reasoning_effort langchain-ai/langchain-aws, issue 741 and pull requests
// 1188 and 1261; of reasoning github.com/stdapi-ai/stdapi.ai, issue 283, which probed it.
const (
	// ThinkingEffort: an effort is sent as outputConfig.effort; off, which it does not
	// take, is left out with a Notice.
	ThinkingEffort Thinking = iota
	// ThinkingAdaptive: the same beside thinking of type adaptive, or disabled for
	// off.
	ThinkingAdaptive
	// ThinkingBudget: thinking of type enabled with budget_tokens; an effort is sent
	// as a budget (minimal 1,024, low 2,048, medium 8,192, high 16,384, xhigh and max
	// 32,000, always below maxTokens).
	ThinkingBudget
	// ReasoningConfig: reasoningConfig with maxReasoningEffort. High takes no cap and no
	// sampling: under a cap medium takes its place.
	ReasoningConfig
	// ReasoningEffort: reasoning_effort; off is left out, which is off.
	ReasoningEffort
	// Reasoning: reasoning with effort, which is none for off.
	Reasoning
)

// A plan is how a request is told to think: by outputConfig.effort, the model's own
// fields, and what goes together with them.
type plan struct {
	effort, fields    string
	temperature, topP *float64
	// told is what is left out or gives way, wrong what is wrong first, for which a strict
	// request is refused.
	told  []events.NoticeInfo
	wrong string
}

// thinking returns the plan of a prepared request.
func thinking(r *request.Request, profile Profile) plan {
	p := plan{temperature: r.Temperature, topP: r.TopP}
	if r.ThinkingBudget != nil && profile.Thinking != ThinkingBudget && profile.Thinking != ThinkingAdaptive {
		p.tell(events.NoticeParameterDropped, "thinking_budget: this model takes no number", "")
	}
	off := r.Effort == request.EffortOff
	switch {
	case profile.Thinking == ThinkingAdaptive:
		return claude(r, claudethinking.Adaptive)
	case profile.Thinking == ThinkingBudget:
		return claude(r, claudethinking.Budget)
	case r.Effort == "":
	case profile.Thinking == ReasoningConfig:
		p.reasoningConfig(r)
	case profile.Thinking == ReasoningEffort && !off:
		p.fields = `{"reasoning_effort":` + quoted(string(r.Effort)) + `}`
	case profile.Thinking == Reasoning:
		word := string(r.Effort)
		if off {
			word = "none"
		}
		p.fields = `{"reasoning":{"effort":` + quoted(word) + `}}`
	case profile.Thinking == ThinkingEffort && off:
		p.tell(events.NoticeParameterDropped, "effort: how this model is told not to think is not known", "")
	case profile.Thinking == ThinkingEffort:
		p.effort = string(r.Effort)
	}
	return p
}

// tell tells what is wrong, and what is done about it.
func (p *plan) tell(code events.NoticeCode, wrong, done string) {
	p.told = append(p.told, events.NoticeInfo{Code: code, Detail: wrong + done})
	p.wrong = cmp.Or(p.wrong, wrong)
}

// claude is the plan of a model of Anthropic.
func claude(r *request.Request, way claudethinking.Way) plan {
	c := claudethinking.Of(r, way, r.MaxOutputTokens)
	p := plan{effort: string(c.Effort), temperature: c.Temperature, topP: c.TopP, told: c.Told, wrong: c.Wrong}
	if c.Member != "" {
		p.fields = `{"thinking":` + c.Member + `}`
	}
	return p
}

// reasoningConfig tells a model of Amazon to think. A cap is a promise of what a call
// costs at most, so it is the effort that gives way to it.
func (p *plan) reasoningConfig(r *request.Request) {
	effort := r.Effort
	if effort == request.EffortOff {
		p.fields = `{"reasoningConfig":{"type":"disabled"}}`
		return
	}
	if effort == request.EffortHigh && r.MaxOutputTokens > 0 {
		effort = request.EffortMedium
		p.tell(events.NoticeEffortClamped, "effort: the model takes no cap on the output beside high", "; medium takes its place")
	}
	if effort == request.EffortHigh {
		p.leaveOut(&p.temperature, "temperature")
		p.leaveOut(&p.topP, "top_p")
	}
	p.fields = `{"reasoningConfig":{"type":"enabled","maxReasoningEffort":` + quoted(string(effort)) + `}}`
}

func (p *plan) leaveOut(parameter **float64, field string) {
	if *parameter != nil {
		*parameter = nil
		p.tell(events.NoticeParameterDropped, field+": the model takes none beside the effort high", "")
	}
}
