package geminiwire

import (
	"encoding/json"
	"slices"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// sources is what a decoder keeps of where the answer is from. Frames may repeat
// it.
type sources struct {
	told    map[string]bool
	pending []events.Citation
	// found are the sources that were found. Those that no tool was told with and no
	// passage rests on until the end are sources of the whole answer.
	found []events.Source
	// said is the size of the whole visible answer, in bytes.
	said int
}

// maxTold bounds what is remembered of sources that were told.
const maxTold = 4096

// tell reports whether something is told for the first time.
func (s *sources) tell(key string) bool {
	if s.told == nil {
		s.told = map[string]bool{}
	}
	if s.told[key] || len(s.told) == maxTold {
		return false
	}
	s.told[key] = true
	return true
}

// cite takes what a candidate says of its sources: what was searched and read, and
// which passages of the answer rest on what. Where the answer stops, what still waits
// is told.
func (d *decoder) cite(candidate *fastjson.Value, stops bool) {
	if candidate == nil {
		return
	}
	d.ground(candidate.Get("groundingMetadata"))
	d.fetched(candidate.GetArray("urlContextMetadata", "urlMetadata"))
	for _, list := range []string{"citationSources", "citations"} {
		for _, c := range candidate.GetArray("citationMetadata", list) {
			d.addCitation(events.Citation{
				URL: wirejson.String(c.Get("uri")), Title: wirejson.String(c.Get("title")),
				Start: c.GetInt("startIndex"), End: c.GetInt("endIndex"),
			})
		}
	}
	if stops {
		d.citeRest()
	}
	d.cited(stops)
}

// citeRest tells the sources that nothing else tells.
func (d *decoder) citeRest() {
	for _, s := range d.found {
		if d.tell(keyOf(s)) {
			d.addCitation(events.Citation{URL: s.URL, Title: s.Title, Text: s.Snippet})
		}
	}
	d.found = nil
}

// ground takes grounding metadata: queries, the sources that were found, and for
// passages of the answer which sources they rest on.
func (d *decoder) ground(g *fastjson.Value) {
	if g == nil {
		return
	}
	var found []events.Source
	places := false
	for _, chunk := range g.GetArray("groundingChunks") {
		found = append(found, sourceOf(chunk))
		places = places || chunk.Exists("maps")
	}
	d.searched("google_search", g.GetArray("webSearchQueries"), found, d.shown(g))
	d.searched("retrieval", g.GetArray("retrievalQueries"), found, events.ProviderData{})
	if places && d.tell("places") {
		d.toolRan(events.HostedTool{Name: "google_maps", Outcome: "ok", Sources: found})
	}
	for _, support := range g.GetArray("groundingSupports") {
		d.support(support, found)
	}
	for _, s := range found {
		if s != (events.Source{}) && d.tell("found "+keyOf(s)) {
			d.found = append(d.found, s)
		}
	}
}

// shown returns what Google wants shown beside an answer that a search is in, once: its
// suggestions of searches (ai.google.dev/gemini-api/docs/google-search, a stored copy
// read 2026-12-01).
func (d *decoder) shown(g *fastjson.Value) events.ProviderData {
	entry := wirejson.Raw(g.Get("searchEntryPoint"))
	if len(entry) == 0 || entry[0] != '{' || !json.Valid([]byte(entry)) || !d.tell("entry "+entry) {
		return events.ProviderData{}
	}
	return events.ProviderData{Format: Format, Origin: d.profile.Origin, Value: `{"searchEntryPoint":` + entry + `}`}
}

// sourceOf reads a grounding chunk: one member named by its kind, web,
// retrievedContext, maps ...
func sourceOf(chunk *fastjson.Value) events.Source {
	var s events.Source
	o, _ := chunk.Object()
	o.Visit(func(_ []byte, v *fastjson.Value) {
		if s.URL == "" && s.Title == "" {
			s = events.Source{
				URL: wirejson.String(v.Get("uri")), Title: wirejson.String(v.Get("title")), Snippet: wirejson.String(v.Get("text")),
			}
		}
		if s.URL == "" {
			s.URL = wirejson.String(v.Get("sourceUri"))
		}
	})
	return s
}

// searched tells a search: its queries, where they are new, what was found, and what is
// to be shown with it.
func (d *decoder) searched(tool string, queries []*fastjson.Value, found []events.Source, shown events.ProviderData) {
	var asked []string
	for _, q := range queries {
		if text := wirejson.String(q); text != "" && d.tell(tool+" "+text) {
			asked = append(asked, text)
		}
	}
	switch {
	case len(asked) > 0:
		d.toolRan(events.HostedTool{Name: tool, Arguments: `{"queries":` + quotedList(asked) + `}`, Outcome: "ok", Sources: found, Replay: shown})
	case !shown.IsZero():
		d.toolRan(events.HostedTool{Name: tool, Outcome: "ok", Sources: found, Replay: shown})
	}
}

func keyOf(s events.Source) string { return "source " + s.URL + " " + s.Title + " " + s.Snippet }

// fetched tells the pages that were read because the prompt names them.
func (d *decoder) fetched(pages []*fastjson.Value) {
	var urls []string
	var found []events.Source
	outcome := "ok"
	for _, p := range pages {
		url := wirejson.String(p.Get("retrievedUrl"))
		if url == "" || !d.tell("fetch "+url) {
			continue
		}
		urls = append(urls, url)
		if status := wirejson.String(p.Get("urlRetrievalStatus")); status == "URL_RETRIEVAL_STATUS_SUCCESS" {
			found = append(found, events.Source{URL: url})
		} else {
			outcome = "error"
		}
	}
	if len(urls) > 0 {
		d.toolRan(events.HostedTool{Name: "url_context", Arguments: `{"urls":` + quotedList(urls) + `}`, Outcome: outcome, Sources: found})
	}
}

// toolRan tells the use of a hosted tool that is over.
func (d *decoder) toolRan(use events.HostedTool) {
	if d.nextIndex >= maxBlocks {
		return
	}
	index := d.take()
	for _, s := range use.Sources {
		d.tell(keyOf(s))
	}
	use.Sources = slices.DeleteFunc(slices.Clone(use.Sources), func(s events.Source) bool { return s == events.Source{} })
	d.send(events.NewHostedToolStarted(index, "", use.Name))
	d.send(events.NewHostedToolCompleted(index, use))
}
