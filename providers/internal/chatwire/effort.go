package chatwire

import (
	"slices"
	"strconv"

	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// effortSpec narrows a Spec to the efforts that the vendor has words for: preparing
// tells of others, and of a number of tokens where there is no word for one.
func (p Profile) effortSpec(s request.Spec) request.Spec {
	if !p.Effort.takesBudget() {
		s.ThinkingBudget = request.No
	}
	if p.Effort.hasLevels() {
		return s
	}
	switch {
	case s.Efforts == nil, slices.Contains(s.Efforts, request.EffortOff):
		s.Efforts = []request.Effort{request.EffortOff, request.EffortHigh}
	case len(s.Efforts) > 0:
		s.Efforts = []request.Effort{request.EffortHigh}
	}
	return s
}

func effort(o *wirejson.Object, r *request.Request, profile Profile) {
	switch profile.Effort {
	case EffortObject:
		effortObject(o, r)
	case EffortThinking:
		thinking(o, r.Effort)
		if r.Effort != request.EffortOff {
			effortWord(o, r.Effort)
		}
	case EffortSwitch:
		thinking(o, r.Effort)
	case EffortEnable:
		effortEnable(o, r)
	default:
		effortWord(o, r.Effort)
	}
}

// thinking spells whether the model thinks.
func thinking(o *wirejson.Object, effort request.Effort) {
	switch effort {
	case "":
	case request.EffortOff:
		o.Set("thinking", `{"type":"disabled"}`)
	default:
		o.Set("thinking", `{"type":"enabled"}`)
	}
}

// effortEnable spells whether the model thinks, and for how long at most. A budget
// alone asks for thinking.
func effortEnable(o *wirejson.Object, r *request.Request) {
	if r.Effort != "" || r.ThinkingBudget != nil {
		o.Set("enable_thinking", strconv.FormatBool(r.Effort != request.EffortOff))
	}
	if r.ThinkingBudget != nil {
		o.Set("thinking_budget", strconv.Itoa(*r.ThinkingBudget))
	}
}

// effortWord spells the effort in OpenAI's words, which are the request's but for
// "none".
func effortWord(o *wirejson.Object, effort request.Effort) {
	switch effort {
	case "":
	case request.EffortOff:
		o.Set("reasoning_effort", `"none"`)
	default:
		o.Set("reasoning_effort", quoted(string(effort)))
	}
}

// effortObject spells the effort as OpenRouter's object. Of effort and budget it
// takes one; a budget is the more precise wish.
func effortObject(o *wirejson.Object, r *request.Request) {
	switch {
	case r.Effort == request.EffortOff:
		o.Set("reasoning", `{"enabled":false}`)
	case r.ThinkingBudget != nil:
		o.Set("reasoning", `{"max_tokens":`+strconv.Itoa(*r.ThinkingBudget)+`}`)
	case r.Effort != "":
		o.Set("reasoning", `{"effort":`+quoted(string(r.Effort))+`}`)
	}
}
