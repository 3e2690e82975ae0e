package geminiwire

import (
	"slices"
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// sources is what a decoder keeps of where the answer is from. Frames may repeat
// it.
type sources struct {
	told    map[string]bool
	pending []events.Citation
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
// which passages of the answer rest on what.
func (d *decoder) cite(candidate *fastjson.Value) {
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
	if at := d.lastText(); at >= 0 {
		d.cited(at)
	}
}

// lastText returns the index of the text that came last, or -1.
func (d *decoder) lastText() int {
	for _, p := range slices.Backward(d.parts) {
		if p.kind == textRun && p.index >= 0 {
			return p.index
		}
	}
	return -1
}

// addCitation lets a citation be told once there is a text.
func (d *decoder) addCitation(c events.Citation) {
	if c.Start < 0 || c.End < c.Start {
		c.Start, c.End = 0, 0
	}
	key := "cite " + c.URL + " " + c.Title + " " + strconv.Itoa(c.Start) + " " + strconv.Itoa(c.End)
	if c != (events.Citation{}) && d.tell(key) {
		d.pending = append(d.pending, c)
	}
}

// cited emits the citations that wait, for the text at index.
func (d *decoder) cited(index int) {
	if len(d.pending) == 0 {
		return
	}
	for _, c := range d.pending {
		d.send(events.NewCitationAdded(index, c))
	}
	d.pending = nil
}

// ground takes grounding metadata: queries, the sources that were found, and for
// passages of the answer which sources they rest on. A passage is told by its bytes
// (firebase.google.com/docs/reference/js/ai.segment, a stored copy read 2026-12-01).
func (d *decoder) ground(g *fastjson.Value) {
	if g == nil {
		return
	}
	var found []events.Source
	chunks := g.GetArray("groundingChunks")
	for _, chunk := range chunks {
		found = append(found, sourceOf(chunk))
	}
	d.searched("google_search", g.GetArray("webSearchQueries"), found)
	d.searched("retrieval", g.GetArray("retrievalQueries"), found)
	for _, support := range g.GetArray("groundingSupports") {
		for _, at := range support.GetArray("groundingChunkIndices") {
			n, err := at.Int()
			if err != nil || n < 0 || n >= len(found) {
				continue
			}
			segment := support.Get("segment")
			d.addCitation(events.Citation{
				URL: found[n].URL, Title: found[n].Title, Text: found[n].Snippet,
				Start: segment.GetInt("startIndex"), End: segment.GetInt("endIndex"),
			})
		}
	}
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

// searched tells a search: its queries, where they are new, and what was found.
func (d *decoder) searched(tool string, queries []*fastjson.Value, found []events.Source) {
	var asked []string
	for _, q := range queries {
		if text := wirejson.String(q); text != "" && d.tell(tool+" "+text) {
			asked = append(asked, text)
		}
	}
	if len(asked) > 0 {
		d.toolRan(tool, `{"queries":`+quotedList(asked)+`}`, "ok", found)
	}
}

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
		d.toolRan("url_context", `{"urls":`+quotedList(urls)+`}`, outcome, found)
	}
}

// toolRan tells the use of a hosted tool that is over.
func (d *decoder) toolRan(name, arguments, outcome string, found []events.Source) {
	if d.nextIndex >= maxBlocks {
		return
	}
	index := d.take()
	found = slices.DeleteFunc(slices.Clone(found), func(s events.Source) bool { return s == events.Source{} })
	d.send(events.NewHostedToolStarted(index, "", name))
	d.send(events.NewHostedToolCompleted(index, events.HostedTool{
		Name: name, Arguments: arguments, Outcome: outcome, Sources: found,
	}))
}
