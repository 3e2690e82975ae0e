package chatwire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// readAnnotations reads the sources of a text: url_citation annotations, as OpenAI and
// OpenRouter send them, and those of Groq, which name a document of the request or a
// call by its id (github.com/groq/groq-python, chat_completion_message.py, read
// 2026-12-01). OpenRouter's of type file, what it parsed, are no sources of a passage.
func (d *decoder) readAnnotations(v *fastjson.Value) {
	for _, a := range v.GetArray() {
		kind := wirejson.String(a.Get("type"))
		c := a.Get(kind)
		cited := events.Citation{
			URL: wirejson.String(c.Get("url")), Title: wirejson.String(c.Get("title")),
			Text:  wirejson.String(c.Get("content")),
			Start: c.GetInt("start_index"), End: c.GetInt("end_index"),
		}
		switch kind {
		case "url_citation":
		case "document_citation":
			cited.Title = wirejson.String(c.Get("document_id"))
		case "function_citation":
			cited.Title = wirejson.String(c.Get("tool_call_id"))
		default:
			continue
		}
		d.cite(cited)
	}
	d.placeCitations()
}

// readContext reads the sources that Azure's On Your Data found, which come before the
// text (github.com/MicrosoftDocs/azure-ai-docs, articles/foundry-classic/openai/
// references/on-your-data.md, of 2026-02-06, read 2026-12-01: it works until the models
// GPT-4.1 retire; nothing of it has to go back). A file may have no address.
func (d *decoder) readContext(v *fastjson.Value) {
	for _, c := range v.GetArray("citations") {
		cited := events.Citation{
			URL: wirejson.String(c.Get("url")), Title: wirejson.String(c.Get("title")),
			Text: events.CutText(wirejson.String(c.Get("content")), events.MaxDetail),
		}
		if cited.Title == "" {
			cited.Title = wirejson.String(c.Get("filepath"))
		}
		d.cite(cited)
	}
	d.placeCitations()
}

// readReference reads a source of Mistral's: a tool_reference has an address, as a
// rule, and a reference names what the client's own tools gave by number, which is
// told as the title (docs.mistral.ai/capabilities/citations, stored copies of 2025 and
// 2026, and docs/models of github.com/mistralai/client-python, read 2026-12-01).
func (d *decoder) readReference(v *fastjson.Value) {
	for _, id := range v.GetArray("reference_ids") {
		title := wirejson.String(id)
		if title == "" {
			title = wirejson.Raw(id)
		}
		d.cite(events.Citation{Title: title})
	}
	d.cite(events.Citation{
		URL: wirejson.String(v.Get("url")), Title: wirejson.String(v.Get("title")),
		Text: wirejson.String(v.Get("description")),
	})
	d.placeCitations()
}

// readSources reads the list of addresses that Perplexity and xAI put beside the
// choices, on every chunk.
func (d *decoder) readSources(v *fastjson.Value) {
	for _, s := range v.GetArray() {
		if url, ok := wirejson.Text(s); ok && len(url) > 0 && !d.addresses[string(url)] {
			d.cite(events.Citation{URL: string(url)})
		}
	}
	d.placeCitations()
}

// What is remembered of a reply's sources; more are left out.
const (
	maxCitations     = 1024
	maxCitationBytes = 4 << 20
)

// cite keeps a citation that is new.
func (d *decoder) cite(c events.Citation) {
	size := len(c.URL) + len(c.Title) + len(c.Text)
	if size == 0 || len(d.citations) >= maxCitations || d.citationBytes+size > maxCitationBytes || d.cited[c] {
		return
	}
	if d.cited == nil {
		d.cited, d.addresses = map[events.Citation]bool{}, map[string]bool{}
	}
	d.cited[c], d.addresses[c.URL] = true, true
	d.citations = append(d.citations, c)
	d.citationBytes += size
}

// placeCitations sends what waited for the text that it belongs to.
func (d *decoder) placeCitations() {
	if !d.text.open {
		return
	}
	for ; d.placed < len(d.citations); d.placed++ {
		d.send(events.NewCitationAdded(d.text.index, d.citations[d.placed]))
	}
}
