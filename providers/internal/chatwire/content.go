package chatwire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A block is one of the three that a reply of this wire can have besides calls.
type block struct {
	open  bool
	index int
}

// say sends a piece of a block, which the first one opens.
func (d *decoder) say(b *block, kind events.Kind, text []byte) {
	if len(text) == 0 {
		return
	}
	if !b.open {
		b.open, b.index = true, d.takeIndex()
	}
	d.sendDelta(kind, b.index, text)
}

func (d *decoder) takeIndex() int {
	d.next++
	return d.next - 1
}

// readContent reads content, a string or (Mistral) an array of parts.
func (d *decoder) readContent(v *fastjson.Value) error {
	if v == nil {
		return nil
	}
	if text, ok := wirejson.Text(v); ok {
		d.say(&d.text, events.TextDelta, text)
	} else {
		for _, part := range v.GetArray() {
			if err := d.readPart(part); err != nil {
				return err
			}
		}
	}
	d.placeCitations()
	return nil
}

// readPart reads one part of content. Mistral's thinking is an array of text
// parts, others send a string.
func (d *decoder) readPart(part *fastjson.Value) error {
	kind, _ := wirejson.Text(part.Get("type"))
	switch string(kind) {
	case "text":
		text, _ := wirejson.Text(part.Get("text"))
		d.say(&d.text, events.TextDelta, text)
	case "thinking":
		thinking := part.Get("thinking")
		if text, ok := wirejson.Text(thinking); ok {
			return d.think(text)
		}
		for _, p := range thinking.GetArray() {
			text, _ := wirejson.Text(p.Get("text"))
			if err := d.think(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// readThinking reads the thinking of a delta, from the first place that has any:
// DeepSeek and xAI say reasoning_content; Groq, vLLM and OpenRouter reasoning;
// some have it only in OpenRouter's reasoning_details. Servers that fill several
// say the same in each.
func (d *decoder) readThinking() error {
	c := &d.delta
	text, _ := wirejson.Text(c.reasoningContent)
	if len(text) == 0 {
		text, _ = wirejson.Text(c.reasoning)
	}
	if err := d.think(text); err != nil {
		return err
	}
	for _, v := range c.details.GetArray() {
		if err := d.details.add(v); err != nil {
			return err
		}
		if len(text) == 0 {
			if err := d.think(detailText(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *decoder) think(text []byte) error {
	if d.profile.ReplayReasoning {
		if len(d.reasoning)+len(text) > maxData {
			return tooLarge("kept reasoning above 4 MiB")
		}
		d.reasoning = append(d.reasoning, text...)
	}
	d.say(&d.thinking, events.ThinkingDelta, text)
	return nil
}

// readAnnotations reads the sources of a text: url_citation annotations, as
// OpenAI and OpenRouter send them.
func (d *decoder) readAnnotations(v *fastjson.Value) {
	for _, a := range v.GetArray() {
		if kind, _ := wirejson.Text(a.Get("type")); string(kind) != "url_citation" {
			continue
		}
		c := a.Get("url_citation")
		d.cite(events.Citation{
			URL: wirejson.String(c.Get("url")), Title: wirejson.String(c.Get("title")),
			Text:  wirejson.String(c.Get("content")),
			Start: c.GetInt("start_index"), End: c.GetInt("end_index"),
		})
	}
	d.placeCitations()
}

// readSources reads the list of addresses that Perplexity and xAI put beside the
// choices, on every chunk.
func (d *decoder) readSources(v *fastjson.Value) {
	for _, s := range v.GetArray() {
		if url, ok := wirejson.Text(s); ok && len(url) > 0 && !d.cited(url) {
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
	if c.URL == "" || len(d.citations) >= maxCitations || d.citationBytes+size > maxCitationBytes {
		return
	}
	for _, old := range d.citations {
		if old == c {
			return
		}
	}
	d.citations = append(d.citations, c)
	d.citationBytes += size
}

func (d *decoder) cited(url []byte) bool {
	for _, c := range d.citations {
		if c.URL == string(url) {
			return true
		}
	}
	return false
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
