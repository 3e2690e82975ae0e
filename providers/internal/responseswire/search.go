package responseswire

import (
	"strconv"

	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// SearchSpelling is how a host is asked to search the web.
type SearchSpelling uint8

const (
	// SearchTool: {"type":"web_search"}, with the domains that are allowed in its filters.
	// Its uses are bounded by max_tool_calls, which is of all hosted tools together.
	SearchTool SearchSpelling = iota
	// SearchFilters: the same with domains of either kind, without a place and a bound, as
	// xAI.
	SearchFilters
	// SearchBare: the same without any option, as DeepSeek.
	SearchBare
	// SearchDomainFilter: the same with domains of either kind in one list, those that are
	// blocked behind a hyphen, without a place and a bound, as Perplexity.
	SearchDomainFilter
	// SearchServerTool: {"type":"openrouter:web_search","parameters":{...}}, with all
	// options.
	SearchServerTool
	// SearchNone: the host does not search.
	SearchNone
)

// searchSpec narrows a Spec to the options that the host has words for.
func (p Profile) searchSpec(s request.Spec) request.Spec {
	w := &s.WebSearch
	switch p.Search {
	case SearchTool:
		// "blocked_domains" is documented nowhere that was found: it is sent by
		// github.com/vercel/ai, pull request 18035, of July 2026, and let results of such
		// domains pass in 13 of 213 calls (community.openai.com/t/1381555, read
		// 2026-12-01). Domains that cannot be held to are none.
		w.BlockedDomains = request.No
	case SearchFilters:
		w.MaxUses, w.Location = request.No, request.No
	case SearchBare:
		w.MaxUses, w.Location = request.No, request.No
		w.AllowedDomains, w.BlockedDomains = request.No, request.No
	case SearchDomainFilter:
		// Its places have no time zone, which would be left out untold.
		w.MaxUses, w.Location = request.No, request.No
	case SearchNone:
		w.Tool = request.No
	case SearchServerTool:
	}
	return s
}

// webSearch spells the tool (of OpenAI: openai-client-base, docs.rs, WebSearchTool, read
// 2026-12-01; of the others see the table of vendors).
func (p Profile) webSearch(s *request.WebSearch) string {
	var o, options wirejson.Object
	o.Set("type", `"web_search"`)
	switch p.Search {
	case SearchServerTool:
		o.Set("type", `"openrouter:web_search"`)
		if s.MaxUses > 0 {
			options.Set("max_uses", strconv.Itoa(s.MaxUses))
		}
		options.SetTexts("allowed_domains", s.AllowedDomains)
		options.SetTexts("excluded_domains", s.BlockedDomains)
		setPlace(&options, s.Location)
		setObject(&o, "parameters", &options)
		return string(o.Append(nil))
	case SearchDomainFilter:
		domains := append([]string{}, s.AllowedDomains...)
		for _, d := range s.BlockedDomains {
			domains = append(domains, "-"+d)
		}
		options.SetTexts("search_domain_filter", domains)
		setObject(&o, "filters", &options)
		return string(o.Append(nil))
	default:
		options.SetTexts("allowed_domains", s.AllowedDomains)
		options.SetTexts("excluded_domains", s.BlockedDomains)
		setObject(&o, "filters", &options)
		setPlace(&o, s.Location)
		return string(o.Append(nil))
	}
}

func setObject(o *wirejson.Object, name string, value *wirejson.Object) {
	if value.Len() > 0 {
		o.Set(name, string(value.Append(nil)))
	}
}

func setPlace(o *wirejson.Object, l request.Location) {
	if l == (request.Location{}) {
		return
	}
	var place wirejson.Object
	place.Set("type", `"approximate"`)
	place.SetPlace(l.City, l.Region, l.Country, l.Timezone)
	o.Set("user_location", string(place.Append(nil)))
}

// searches returns the bound on the searches that the wire says of all hosted tools
// together (max_tool_calls).
func (p Profile) searches(r *request.Request) (most int, ok bool) {
	if p.Search != SearchTool {
		return 0, false
	}
	for _, h := range r.HostedTools {
		if h.WebSearch != nil && h.WebSearch.MaxUses > 0 {
			return h.WebSearch.MaxUses, true
		}
	}
	return 0, false
}
