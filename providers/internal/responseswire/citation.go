package responseswire

import (
	"cmp"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// annotation takes one source of a text.
func (d *decoder) annotation(o *fastjson.Object) error {
	p, err := d.partFor(textPiece, o)
	if err != nil {
		return err
	}
	return d.cite(p, o.Get("annotation"))
}

// completeCitations takes the sources of a whole part that did not come one by one.
func (d *decoder) completeCitations(p *part, list []*fastjson.Value) error {
	for _, v := range list[min(p.cited, len(list)):] {
		if err := d.cite(p, v); err != nil {
			return err
		}
	}
	return nil
}

// maxCitations bounds the sources of one part; more are left out.
const maxCitations = 1024

// cite takes over one source: url_citation has an address and the range of the text
// that rests on it, file_citation and container_file_citation the name of a file, and
// file_path no more than its id (openai-python, responses/response_output_text.py, read
// 2026-12-01). It is emitted when its part has text; of what names no source the kind
// is told.
func (d *decoder) cite(p *part, v *fastjson.Value) error {
	if p.cited++; p.cited > maxCitations {
		return nil
	}
	c := events.Citation{URL: wirejson.String(v.Get("url")), Title: wirejson.String(v.Get("title"))}
	if c.Title == "" {
		c.Title = cmp.Or(wirejson.String(v.Get("filename")), wirejson.String(v.Get("file_id")))
	}
	if start, end := number(v.Get("start_index")), number(v.Get("end_index")); start >= 0 && end > start {
		c.Start, c.End = start, end
	}
	if c.URL == "" && c.Title == "" {
		d.passOver("annotation " + wirejson.String(v.Get("type")))
		return nil
	}
	p.pending = append(p.pending, c)
	if p.index < 0 {
		return d.hold(len(c.URL) + len(c.Title))
	}
	d.placeCitations(p)
	return nil
}

// placeCitations emits the sources that waited for the text that they belong to.
func (d *decoder) placeCitations(p *part) {
	if p.index < 0 {
		return
	}
	for _, c := range p.pending {
		d.send(events.NewCitationAdded(p.index, c))
	}
	p.pending = nil
}
