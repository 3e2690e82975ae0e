package chatwire

import (
	"strconv"

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
)

// searchSpec narrows a Spec to the options that the vendor has words for.
func (p Profile) searchSpec(s request.Spec) request.Spec {
	switch p.Search {
	case SearchNone:
		s.WebSearch.Tool = request.No
	case SearchOptions:
		s.WebSearch.MaxUses = request.No
		s.WebSearch.AllowedDomains, s.WebSearch.BlockedDomains = request.No, request.No
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
		}
	}
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

// rawTools returns the vendor's own tools.
func rawTools(r *request.Request) []string {
	var raw []string
	for _, h := range r.HostedTools {
		if h.WebSearch == nil {
			raw = append(raw, h.Raw)
		}
	}
	return raw
}
