package coherewire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// isOfText reports whether a citation of a type is one of the answer's text. The
// others are PLAN, of the tool plan, and THINKING_CONTENT
// (docs.cohere.com/reference/chat-stream and vllm-project/vllm, entrypoints/cohere,
// read 2026-12-01).
func isOfText(kind string) bool { return kind == "" || kind == "TEXT_CONTENT" }

// maxCitations bounds the citations that are kept to be sent back, in bytes, and those
// that wait for a text. Each repeats the documents that it cites, and the wire does
// without them, so that more to be sent back are not worth failing an answer for.
const maxCitations = 1 << 20

// cite takes over a citation.
func (d *decoder) cite(from *fastjson.Value) error {
	if from == nil || from.Type() != fastjson.TypeObject {
		return malformed("a citation that is no object")
	}
	// The raw text first: reading a string member would change how it is written.
	raw := wirejson.Raw(from)
	// The parser lets control characters inside strings pass, and bad escapes and
	// numbers, which could not be sent back.
	if !json.Valid([]byte(raw)) {
		return malformed("a citation that must go back is not JSON")
	}
	if d.keptCitations+len(raw) <= maxCitations {
		d.keptCitations += len(raw)
		d.citations = append(d.citations, raw)
	}
	if !isOfText(wirejson.String(from.Get("type"))) {
		return nil
	}
	key := anyText
	if at := from.Get("content_index"); at != nil && at.Type() == fastjson.TypeNumber {
		key = at.GetInt()
	}
	b := d.textOf(key)
	for _, c := range sourcesOf(from) {
		if b != nil {
			d.send(events.NewCitationAdded(b.index, c))
			continue
		}
		waiting := pendingCitation{c, key}
		d.waiting += waiting.size()
		d.pending = append(d.pending, waiting)
	}
	if d.waiting > maxCitations {
		return tooLarge("more than 1 MiB of citations before a text that they are of")
	}
	return nil
}

// A pendingCitation waits for the text of that wire's index.
type pendingCitation struct {
	events.Citation
	key int
}

func (c pendingCitation) size() int { return len(c.URL) + len(c.Title) + len(c.Text) + 1<<6 }

// anyText is the key of a citation that names no block of content.
const anyText = -1

// sourcesOf returns a citation for each source. The range is that of the passage
// in the answer, as Cohere counts it: in characters and not in bytes, 20°C being 4 long
// (docs.cohere.com/v2/docs/migrating-v1-to-v2, a stored copy read 2026-12-01, and
// recordings of August 2026). Whether one beyond U+FFFF counts twice is not confirmed.
func sourcesOf(from *fastjson.Value) []events.Citation {
	start, end := from.GetInt("start"), from.GetInt("end")
	if start < 0 || end < start {
		start, end = 0, 0
	}
	var all []events.Citation
	for _, source := range from.GetArray("sources") {
		what := source.Get("document")
		if what == nil {
			what = source.Get("tool_output")
		}
		c := events.Citation{Text: passageOf(what), Start: start, End: end}
		c.URL, c.Title = wirejson.String(what.Get("url")), wirejson.String(what.Get("title"))
		if c.Title == "" {
			c.Title = wirejson.String(source.Get("id"))
		}
		all = append(all, c)
	}
	return all
}

// passageOf returns the beginning of the text of a source: Cohere names no passage of
// it. A document has it as text or snippet, the text that a tool gave is its content, and
// of a source with none of them, as a tool's JSON is, it is all of it. Read it before
// other members: reading one changes how the source is written.
func passageOf(what *fastjson.Value) string {
	for _, member := range []string{"text", "snippet", "content"} {
		if text := wirejson.String(what.Get(member)); text != "" {
			return events.CutText(text, events.MaxDetail)
		}
	}
	if what == nil || what.Type() != fastjson.TypeObject {
		return ""
	}
	return events.CutText(wirejson.Raw(what), events.MaxDetail)
}

// textOf returns the text that a citation is of, or nil while there is none: the block
// of content that it names, else the last.
func (d *decoder) textOf(key int) *block {
	for i := len(d.blocks) - 1; i >= 0; i-- {
		if b := d.blocks[i]; b.kind == textBlock && b.index >= 0 && (key == anyText || b.key == key) {
			return b
		}
	}
	return nil
}

// place emits the citations that wait for a text, which has just begun.
func (d *decoder) place(b *block) {
	waiting := d.pending
	d.pending, d.waiting = nil, 0
	for _, c := range waiting {
		if c.key == anyText || c.key == b.key {
			d.send(events.NewCitationAdded(b.index, c.Citation))
		} else {
			d.pending, d.waiting = append(d.pending, c), d.waiting+c.size()
		}
	}
}

// placeRest emits the citations of a text that never came at the last one, of which
// they have no range.
func (d *decoder) placeRest() {
	b := d.textOf(anyText)
	if b == nil {
		return
	}
	for _, c := range d.pending {
		c.Start, c.End = 0, 0
		d.send(events.NewCitationAdded(b.index, c.Citation))
	}
	d.pending = nil
}
