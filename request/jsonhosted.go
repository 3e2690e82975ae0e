package request

import (
	"encoding/json"

	"github.com/weirsdk/weir/events"
)

func (w *writer) hosted(h HostedTool) {
	w.open()
	if s := h.WebSearch; s != nil {
		w.texts("allowed_domains", s.AllowedDomains)
		w.texts("blocked_domains", s.BlockedDomains)
		w.location(s.Location)
		w.count("max_uses", s.MaxUses)
		w.str("type", webSearchName)
		w.close()
		return
	}
	w.opt("family", h.Family)
	switch {
	case extraProblem(h.Raw) != "": // CheckFor refuses it
	case w.canonical:
		w.key("tool")
		w.dst = appendCanonical(w.dst, h.Raw)
	default:
		w.raw("tool", h.Raw)
	}
	w.str("type", "raw")
	w.close()
}

func (w *writer) texts(name string, texts []string) {
	if len(texts) == 0 {
		return
	}
	w.key(name)
	writeList(w, texts, func(s string) { w.dst = events.AppendQuoted(w.dst, s) })
}

func (w *writer) location(l Location) {
	if l == (Location{}) {
		return
	}
	w.key("location")
	w.open()
	w.opt("city", l.City)
	w.opt("country", l.Country)
	w.opt("region", l.Region)
	w.opt("timezone", l.Timezone)
	w.close()
}

// hosted reads a hosted tool, whose type may come last.
func (r *reader) hosted(at string) HostedTool {
	var s WebSearch
	var h HostedTool
	var kind, searching, raw string
	r.object(at, func(key, at string) bool {
		switch key {
		case "type":
			return r.value(at, &kind)
		case "allowed_domains", "blocked_domains", "location", "max_uses":
			searching = at
			return r.searchField(&s, key, at)
		case "family", "tool":
			raw = at
			return r.rawField(&h, key, at)
		default:
			return false
		}
	})
	switch {
	case r.failure != nil:
	case kind == webSearchName && raw != "":
		r.fail(raw, "unknown field of a hosted tool of type web_search")
	case kind == webSearchName:
		return SearchWeb(s)
	case kind != "raw":
		r.fail(at+".type", "unknown type of hosted tool "+quoteShort(kind))
	case searching != "":
		r.fail(searching, "unknown field of a hosted tool of type raw")
	}
	return h
}

func (r *reader) searchField(s *WebSearch, key, at string) bool {
	switch key {
	case "allowed_domains":
		return r.value(at, &s.AllowedDomains)
	case "blocked_domains":
		return r.value(at, &s.BlockedDomains)
	case "max_uses":
		return r.value(at, &s.MaxUses)
	default:
		s.Location = r.location(at)
		return true
	}
}

func (r *reader) rawField(h *HostedTool, key, at string) bool {
	if key == "family" {
		return r.value(at, &h.Family)
	}
	var tool json.RawMessage
	r.value(at, &tool)
	h.Raw = string(tool)
	return true
}

func (r *reader) location(at string) (l Location) {
	r.object(at, func(key, at string) bool {
		switch key {
		case "city":
			return r.value(at, &l.City)
		case "country":
			return r.value(at, &l.Country)
		case "region":
			return r.value(at, &l.Region)
		case "timezone":
			return r.value(at, &l.Timezone)
		default:
			return false
		}
	})
	return l
}
