package request

import (
	"slices"
	"strconv"

	"github.com/weirsdk/weir/events"
)

// Bounds of the parameters.
const (
	// MaxTools is the most tools of a request.
	MaxTools = 256
	// MaxStop is the most stop sequences.
	MaxStop = 16
	// MaxTemperature is the highest temperature; the lowest is 0. TopP is 0 to 1.
	MaxTemperature = 2.0
)

// tools checks the tools and the choice between them.
func (p *preparer) tools(r *Request) {
	p.checkTools(r.Tools)
	p.checkToolChoice(r.ToolChoice, r.Tools)
	p.hosted(r)
	switch {
	case r.without(FeatureTools):
		if len(r.Tools) > 0 {
			p.dropped("tools")
		}
		r.Tools, r.ToolChoice, r.Parallel = nil, ToolChoice{}, nil
	case p.spec.Tools == No && len(r.Tools) > 0:
		p.problem("tools", events.ReasonBadParameter, "the model takes no tools")
	}
	if r.Parallel != nil && (p.spec.ParallelTools == No || r.without(FeatureParallelTools)) {
		p.dropped("parallel")
		r.Parallel = nil
	}
	if p.spec.ToolChoice == No {
		p.dropToolChoice(r)
	}
}

func (p *preparer) checkTools(tools []Tool) {
	if len(tools) > MaxTools {
		p.problem("tools", events.ReasonBadTool, "more than "+strconv.Itoa(MaxTools)+" tools")
	}
	seen := map[string]bool{}
	for i, t := range tools {
		at := "tools[" + strconv.Itoa(i) + "]"
		switch {
		case t.compiled == nil:
			p.problem(at, events.ReasonBadTool, "tool was not made by NewTool")
		case seen[t.name]:
			p.problem(at, events.ReasonBadTool, "two tools are called "+quoteShort(t.name))
		}
		seen[t.name] = true
		p.names = append(p.names, t.name)
	}
}

func (p *preparer) checkToolChoice(c ToolChoice, tools []Tool) {
	declared := slices.ContainsFunc(tools, func(t Tool) bool { return t.name == c.Name })
	detail := ""
	switch {
	case c.Mode != ToolNamed && c.Name != "":
		detail = "a name goes with mode named only"
	case c.Mode == ToolAuto || c.Mode == ToolNone:
	case c.Mode == ToolRequired && len(tools) == 0:
		detail = "a tool call is required and no tool is declared"
	case c.Mode == ToolRequired:
	case c.Mode != ToolNamed:
		detail = "unknown mode " + quoteShort(string(c.Mode))
	case !declared:
		detail = "no tool is called " + quoteShort(c.Name)
	}
	if detail != "" {
		p.problem("tool_choice", events.ReasonBadParameter, detail)
	}
}

// dropToolChoice leaves the choice out for a model that does not take one. That
// no tool may be called is kept, exactly, by leaving out the tools.
func (p *preparer) dropToolChoice(r *Request) {
	switch {
	case r.ToolChoice.Mode == ToolAuto:
		return
	case r.ToolChoice.Mode != ToolNone:
		p.dropped("tool_choice")
	default:
		r.Tools = nil
	}
	r.ToolChoice = ToolChoice{}
}

func (r *Request) without(feature string) bool { return slices.Contains(r.Options.Without, feature) }

// parameters checks the parameters and leaves out what the model does not take.
func (p *preparer) parameters(r *Request) {
	p.checkRanges(r)
	p.checkExtra(r.Extra)
	r.Temperature = keep(p, "temperature", r.Temperature, p.spec.Temperature == No || r.without(FeatureTemperature))
	r.TopP = keep(p, "top_p", r.TopP, p.spec.TopP == No)
	r.Seed = keep(p, "seed", r.Seed, p.spec.Seed == No)
	if r.Temperature != nil && r.TopP != nil && p.spec.BothSamplers == No {
		p.change("top_p", events.NoticeParameterDropped, "the model does not take it beside temperature", "")
		r.TopP = nil
	}
	if len(r.Stop) > 0 && p.spec.StopSequences == No {
		p.dropped("stop")
		r.Stop = nil
	}
	for i, s := range r.Stop {
		r.Stop[i] = validText(s)
	}
	if most := p.spec.MaxOutput; most > 0 && r.MaxOutputTokens > most {
		p.change("max_output_tokens", events.NoticeParameterDropped,
			strconv.Itoa(r.MaxOutputTokens)+" is above the model's maximum, "+strconv.Itoa(most), ", which takes its place")
		r.MaxOutputTokens = most
	}
	noThinking := p.spec.Thinking == No || r.without(FeatureEffort)
	p.citations(r)
	r.ThinkingBudget = keep(p, "thinking_budget", r.ThinkingBudget, noThinking || p.spec.ThinkingBudget == No)
	r.Effort = p.effort(r)
	p.oneWish(r)
}

// citations leaves out the wish for them. It is of files alone: a reply may cite what it
// found on the web all the same, which the words must not deny.
func (p *preparer) citations(r *Request) {
	who := "the model"
	switch {
	case !r.Citations:
		return
	case p.target != nil && !p.target.Cites:
		who = "this API"
	case p.spec.Citations != No:
		return
	}
	p.change("citations", events.NoticeParameterDropped, who+" cannot be asked to cite files", "")
	r.Citations = false
}

// oneWish leaves out an effort or a budget where only one of them can be sent. A model
// that is not to think has no budget; else a budget is the more precise wish.
func (p *preparer) oneWish(r *Request) {
	switch {
	case r.ThinkingBudget == nil || r.Effort == "":
	case r.Effort == EffortOff:
		p.change("thinking_budget", events.NoticeParameterDropped, "there is no thinking to bound beside effort off", "")
		r.ThinkingBudget = nil
	case p.target != nil && p.target.OneWish:
		p.change("effort", events.NoticeEffortClamped, "the model takes an effort or a budget", ", and the budget takes its place")
		r.Effort = ""
	}
}

// keep returns an optional parameter, or nil for a model that does not take it.
func keep[T any](p *preparer, field string, value *T, refused bool) *T {
	if value == nil || !refused {
		return value
	}
	p.dropped(field)
	return nil
}

// effort returns the effort to send. A model that does not think has no effort to
// set; asked for off it does what is asked.
func (p *preparer) effort(r *Request) Effort {
	want := r.Effort
	switch {
	case want == "" || !want.isKnown():
		return want
	case r.without(FeatureEffort):
		p.dropped("effort")
		return ""
	case p.spec.Thinking == No:
		if want != EffortOff {
			p.change("effort", events.NoticeEffortClamped, "the model does not think", "; "+string(want)+" is off")
		}
		return ""
	case p.spec.Efforts != nil && len(p.spec.Efforts) == 0:
		p.dropped("effort")
		return ""
	}
	got := want.Resolve(p.spec.Efforts)
	if got != want {
		p.change("effort", events.NoticeEffortClamped, "the model does not take "+string(want), "; "+string(got)+" takes its place")
	}
	return got
}

func (p *preparer) badParameter(field string, bad bool, detail string) {
	if bad {
		p.problem(field, events.ReasonBadParameter, detail)
	}
}

func (p *preparer) checkRanges(r *Request) {
	p.badParameter("max_output_tokens", r.MaxOutputTokens < 0, "must not be negative")
	p.badParameter("temperature", outside(r.Temperature, MaxTemperature), "must be within 0 to 2")
	p.badParameter("top_p", outside(r.TopP, 1), "must be within 0 to 1")
	p.badParameter("citations", r.Citations && (p.inWords || !r.Answer.IsZero()), "an answer that is JSON cannot have citations")
	p.badParameter("effort", r.Effort != "" && !r.Effort.isKnown(), "unknown effort "+quoteShort(string(r.Effort)))
	p.badParameter("foreign", r.Foreign != ForeignRefuse && r.Foreign != ForeignDrop, "unknown word "+quoteShort(string(r.Foreign)))
	p.badParameter("stop", len(r.Stop) > MaxStop, "must be at most "+strconv.Itoa(MaxStop)+" sequences")
	p.badParameter("stop", slices.Contains(r.Stop, ""), "must hold no empty sequence")
	if b := r.ThinkingBudget; b != nil {
		p.badParameter("thinking_budget", *b <= 0, "must be above 0")
		p.badParameter("thinking_budget", r.MaxOutputTokens > 0 && *b > r.MaxOutputTokens, "must not be above max_output_tokens")
	}
}

// outside is true for NaN.
func outside(v *float64, most float64) bool { return v != nil && !(*v >= 0 && *v <= most) }

func (p *preparer) checkExtra(extra map[string]string) {
	for _, family := range sortedKeys(extra) {
		if detail := extraProblem(extra[family]); detail != "" {
			p.problem("extra."+events.CutText(family, 64), events.ReasonBadParameter, detail)
		}
	}
}

// extraProblem returns what is wrong with raw JSON for a family, or nothing.
func extraProblem(text string) string {
	if issue := events.CheckArguments(text); issue != nil {
		return "is not a JSON object: " + issue.Detail
	}
	if repairSurrogates(text) != text {
		return "holds half a surrogate pair"
	}
	return ""
}
