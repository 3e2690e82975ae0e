package conversewire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// cite takes over one citation of the text of a block, and keeps it as it came. It is
// emitted when the block has text.
func (d *decoder) cite(key int, from *fastjson.Value) error {
	if d.ignores(key) || from.GetObject() == nil {
		return nil
	}
	// The raw text first: reading a string member would change how it is written.
	raw := wirejson.Raw(from)
	if !json.Valid([]byte(raw)) {
		return malformed("a citation that must go back is not JSON")
	}
	b, err := d.implied(key, textBlock)
	if err != nil {
		return err
	}
	c := events.Citation{
		URL:   wirejson.String(from.Get("location", "web", "url")),
		Title: wirejson.String(from.Get("title")),
	}
	if c.URL == "" {
		c.URL = wirejson.String(from.Get("source"))
	}
	for _, piece := range from.GetArray("sourceContent") {
		c.Text += wirejson.String(piece.Get("text"))
	}
	c.Start, c.End = citedRange(from.GetObject("location"))
	if c == (events.Citation{}) {
		return nil
	}
	b.citations, b.pending = append(b.citations, raw), append(b.pending, c)
	d.kept += len(raw)
	if b.index >= 0 {
		d.say(b, nil)
	}
	return nil
}

// citedRange returns the range in the source in the unit that the location counts:
// characters, pages, chunks or elements.
func citedRange(location *fastjson.Object) (start, end int) {
	location.Visit(func(_ []byte, v *fastjson.Value) {
		if e := v.GetInt("end"); e > 0 && end == 0 {
			start, end = max(v.GetInt("start"), 0), e
		}
	})
	return start, end
}

// citeBefore gives the citations of a block without text to the text before it, or
// to the next text when there is none.
func (d *decoder) citeBefore(b *block) {
	for i := len(d.blocks) - 1; i >= 0; i-- {
		if before := d.blocks[i]; before.kind == textBlock && before.index >= 0 && !before.over {
			before.pending, b.pending = append(before.pending, b.pending...), nil
			d.say(before, nil)
			return
		}
	}
	d.floating, b.pending = append(d.floating, b.pending...), nil
}
