package request

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// MaxSearchDomains is the most domains of a [WebSearch]: OpenAI takes 100
// (reference.langchain.com on its WebSearchFilters, read 2026-12-01).
const MaxSearchDomains = 100

// webSearchName is what a hosted web search is called where tools have names.
const webSearchName = "web_search"

// A HostedTool is a tool that the provider runs itself: the model uses it while it
// answers, and nobody has to run anything. What it did is told by hosted tool events.
// Make one with [SearchWeb] or [HostedRaw]; the zero HostedTool is refused.
//
// Providers charge for the uses of such tools, and what they find is input of the model.
// The fees are in no price table: a limit on cost does not hold them back, nor does a
// reservation cover them. See [Request.EstimateInputTokens] for the input.
type HostedTool struct {
	// WebSearch has the options of a web search; nil for another tool.
	WebSearch *WebSearch
	// Raw is a JSON object, the tool as the API of one wire family has it, and Family the
	// key of that family, as of Request.Extra. Of a model of another family it is handled
	// as foreign data (Request.Foreign).
	Family, Raw string
}

// A WebSearch is a search of the web by the provider. The zero WebSearch leaves all to
// the provider.
//
// An option that a model does not take is left out with a Notice; but for the domains,
// without which it would search where it may not: then the search is left out.
type WebSearch struct {
	// MaxUses is the most searches of one reply; 0 sets no bound.
	MaxUses int
	// AllowedDomains are the only ones that results may be of, BlockedDomains those that
	// none may be of; one of the two. A domain is written without a scheme.
	AllowedDomains, BlockedDomains []string
	// Location is about where the user is.
	Location Location
}

// A Location is a rough place. All parts are optional.
type Location struct {
	City, Region string
	// Country is a code of two letters (ISO 3166-1), Timezone a name of IANA's.
	Country, Timezone string
}

// SearchWeb returns the provider's web search.
func SearchWeb(s WebSearch) HostedTool { return HostedTool{WebSearch: &s} }

// HostedRaw returns a tool of one wire family ("messages", "responses", "gemini" ...),
// for instance of code execution, as its API has it in its list of tools. It may not
// declare a function: those are the request's Tools.
func HostedRaw(family, tool string) HostedTool { return HostedTool{Family: family, Raw: tool} }

// hosted checks the hosted tools and leaves out what the model does not take.
func (p *preparer) hosted(r *Request) {
	if len(r.HostedTools) > MaxTools {
		p.problem("hosted_tools", events.ReasonBadTool, "more than "+strconv.Itoa(MaxTools)+" tools")
	}
	var kept []HostedTool
	searches := 0
	for i, h := range r.HostedTools {
		at := "hosted_tools[" + strconv.Itoa(i) + "]"
		if h.WebSearch == nil {
			if p.rawTool(at, h) {
				kept = append(kept, h)
			}
			continue
		}
		if searches++; searches > 1 {
			p.problem(at, events.ReasonBadTool, "a second web search")
		}
		p.checkSearch(at, h, r.Tools)
		if s, ok := p.search(at, *h.WebSearch, r.without(FeatureWebSearch)); ok {
			kept = append(kept, SearchWeb(s))
		}
	}
	r.HostedTools = kept
	switch {
	case len(kept) == 0:
	case r.without(FeatureTools):
		p.dropped("hosted_tools")
		r.HostedTools = nil
	case r.ToolChoice.Mode == ToolNone:
		r.HostedTools = nil // what may not be used need not be offered
	}
}

func (p *preparer) rawTool(at string, h HostedTool) bool {
	if detail := rawProblem(h); detail != "" {
		p.problem(at, events.ReasonBadTool, detail)
		return false
	}
	if p.spec.HostedTools == No {
		p.change(at, events.NoticeParameterDropped, "the model takes no tools of its provider", "")
		return false
	}
	if p.target == nil {
		return true
	}
	if family, _, _ := strings.Cut(p.target.Format, "."); family != h.Family {
		detail := "a tool of another family, " + quoteShort(h.Family)
		if p.foreign == ForeignDrop {
			p.change(at, events.NoticeForeignDropped, detail, "")
		} else {
			p.problem(at, events.ReasonForeignData, detail)
		}
		return false
	}
	return true
}

// rawProblem returns what is wrong with a raw tool, or nothing.
func rawProblem(h HostedTool) string {
	if h.Family == "" {
		return "a hosted tool that is neither a web search nor of a family"
	}
	if detail := extraProblem(h.Raw); detail != "" {
		return detail
	}
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(h.Raw), &members) != nil || len(members) == 0 {
		return "is an empty object"
	}
	for key, value := range members {
		plain := strings.ToLower(strings.ReplaceAll(key, "_", ""))
		word := strings.ToLower(string(value))
		if slices.Contains([]string{"functiondeclarations", "toolspec", "function", "inputschema", "parametersjsonschema"}, plain) ||
			plain == "type" && (word == `"function"` || word == `"custom"`) {
			return "declares a function, which the request's tools do"
		}
	}
	return ""
}

func (p *preparer) checkSearch(at string, h HostedTool, tools []Tool) {
	s := h.WebSearch
	domains := append(slices.Clone(s.AllowedDomains), s.BlockedDomains...)
	isDomain := func(d string) bool {
		return d != "" && len(d) <= 253 && !strings.ContainsFunc(d, isNotPrinted) && !strings.Contains(d, "://")
	}
	p.badParameter(at, h.Family != "" || h.Raw != "", "a web search with a raw tool")
	p.badParameter(at+".max_uses", s.MaxUses < 0, "must not be negative")
	p.badParameter(at+".blocked_domains", len(s.AllowedDomains) > 0 && len(s.BlockedDomains) > 0, "does not go with allowed_domains")
	p.badParameter(at, len(domains) > MaxSearchDomains, "more than "+strconv.Itoa(MaxSearchDomains)+" domains")
	p.badParameter(at, slices.ContainsFunc(domains, func(d string) bool { return !isDomain(d) }), "holds a domain that is none: no scheme, at most 253 printed characters")
	p.badParameter(at, slices.ContainsFunc(tools, func(t Tool) bool { return t.name == webSearchName }), "a tool is called web_search too")
}

// search returns the search as the model takes it; ok is false where it is left out.
func (p *preparer) search(at string, s WebSearch, refused bool) (out WebSearch, ok bool) {
	can := p.spec.WebSearch
	wrong, done := "", ""
	switch {
	case can.Tool == No || refused:
		wrong = "the model does not search the web"
	case len(s.AllowedDomains) > 0 && can.AllowedDomains == No:
		wrong, done = "the model's web search cannot be held to domains", "; it is left out"
	case len(s.BlockedDomains) > 0 && can.BlockedDomains == No:
		wrong, done = "the model's web search cannot be kept off domains", "; it is left out"
	}
	if wrong != "" {
		p.change(at, events.NoticeParameterDropped, wrong, done)
		return WebSearch{}, false
	}
	s.AllowedDomains, s.BlockedDomains = slices.Clone(s.AllowedDomains), slices.Clone(s.BlockedDomains)
	if s.MaxUses != 0 && can.MaxUses == No {
		p.dropped(at + ".max_uses")
		s.MaxUses = 0
	}
	if s.Location != (Location{}) && can.Location == No {
		p.dropped(at + ".location")
		s.Location = Location{}
	}
	s.Location = Location{
		City: validText(s.Location.City), Region: validText(s.Location.Region),
		Country: validText(s.Location.Country), Timezone: validText(s.Location.Timezone),
	}
	return s, true
}
