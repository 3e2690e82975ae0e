package chatwire

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// SearchSpelling is how a vendor is asked to search the web.
type SearchSpelling uint8

const (
	// SearchNone: it has no word of its own; its tools are given raw.
	SearchNone SearchSpelling = iota
	// SearchOptions: "web_search_options", of OpenAI's search models.
	SearchOptions
	// SearchPlugin: "plugins": [{"id": "web"}], as OpenRouter. It searches for each
	// request.
	SearchPlugin
	// SearchBrowser: a tool of type browser_search, without options, as Groq. Its
	// compound systems, which are told by their names, have their tools by the names in
	// compound_custom.tools.enabled_tools, and the domains in search_settings.
	SearchBrowser

	// searchCompound is SearchBrowser of such a system.
	searchCompound
)

// of returns the spelling for a model.
func (s SearchSpelling) of(model string) SearchSpelling {
	if s == SearchBrowser && strings.HasPrefix(strings.TrimPrefix(model, "groq/"), "compound") {
		return searchCompound
	}
	return s
}

// searchSpec narrows a Spec to the options that the vendor has words for.
func (p Profile) searchSpec(s request.Spec) request.Spec {
	switch p.Search {
	case SearchNone:
		s.WebSearch.Tool = request.No
	case SearchOptions:
		s.WebSearch.MaxUses = request.No
		s.WebSearch.AllowedDomains, s.WebSearch.BlockedDomains = request.No, request.No
	case SearchBrowser:
		s.WebSearch.MaxUses, s.WebSearch.Location = request.No, request.No
		s.WebSearch.AllowedDomains, s.WebSearch.BlockedDomains = request.No, request.No
	case searchCompound:
		s.WebSearch.MaxUses, s.WebSearch.Location = request.No, request.No
	default:
	}
	return s
}

// search asks for the web search of a request, if it has one.
func search(o *wirejson.Object, r *request.Request, profile Profile) {
	for _, h := range r.HostedTools {
		switch s := h.WebSearch; {
		case s == nil:
		case profile.Search == SearchPlugin:
			o.Set("plugins", "["+plugin(s)+"]")
		case profile.Search == SearchOptions:
			o.Set("web_search_options", searchOptions(s.Location))
		case profile.Search == searchCompound:
			var settings wirejson.Object
			settings.SetTexts("include_domains", s.AllowedDomains)
			settings.SetTexts("exclude_domains", s.BlockedDomains)
			if settings.Len() > 0 {
				o.Set("search_settings", string(settings.Append(nil)))
			}
		}
	}
	if profile.Search == searchCompound {
		enable(o, r)
	}
}

// enable names the tools that a compound system may use: without any it may use all.
func enable(o *wirejson.Object, r *request.Request) {
	var names []string
	for _, h := range r.HostedTools {
		if h.WebSearch != nil {
			names = append(names, "web_search")
		} else if name := toolType(h.Raw); name != "" {
			names = append(names, name)
		}
	}
	var tools wirejson.Object
	tools.SetTexts("enabled_tools", names)
	if len(names) > 0 {
		o.Set("compound_custom", `{"tools":`+string(tools.Append(nil))+`}`)
	}
}

// toolType returns the type of a tool that has nothing else, or nothing.
func toolType(raw string) string {
	var members map[string]json.RawMessage
	var name string
	if json.Unmarshal([]byte(raw), &members) != nil || len(members) != 1 || json.Unmarshal(members["type"], &name) != nil {
		return ""
	}
	return name
}

func plugin(s *request.WebSearch) string {
	var o, place wirejson.Object
	o.Set("id", `"web"`)
	if s.MaxUses > 0 {
		o.Set("max_uses", strconv.Itoa(s.MaxUses))
	}
	o.SetTexts("include_domains", s.AllowedDomains)
	o.SetTexts("exclude_domains", s.BlockedDomains)
	if l := s.Location; l != (request.Location{}) {
		place.Set("type", `"approximate"`)
		place.SetPlace(l.City, l.Region, l.Country, l.Timezone)
		o.Set("user_location", string(place.Append(nil)))
	}
	return string(o.Append(nil))
}

// searchOptions has the place one level deeper than the other wires (openai-client-base,
// docs.rs, WebSearch, read 2026-12-01).
func searchOptions(l request.Location) string {
	if l == (request.Location{}) {
		return "{}"
	}
	var place wirejson.Object
	place.SetPlace(l.City, l.Region, l.Country, l.Timezone)
	return `{"user_location":{"type":"approximate","approximate":` + string(place.Append(nil)) + `}}`
}

// rawTools returns the vendor's own tools, as the list of tools has them.
func rawTools(r *request.Request, profile Profile) []string {
	var raw []string
	for _, h := range r.HostedTools {
		switch {
		case h.WebSearch != nil && profile.Search == SearchBrowser:
			raw = append(raw, `{"type":"browser_search"}`)
		case h.WebSearch != nil:
		case profile.Search == searchCompound && toolType(h.Raw) != "":
		default:
			raw = append(raw, h.Raw)
		}
	}
	return raw
}
