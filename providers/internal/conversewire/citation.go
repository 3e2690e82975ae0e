package conversewire

import (
	"encoding/json"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// cite takes over one citation of the text of a block, and keeps it as it came. It is
// emitted when the block has text.
func (d *decoder) cite(key int, from *fastjson.Value) error {
	if d.ignores(key) || saysNothing(from.GetObject()) {
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
	var text strings.Builder
	for _, piece := range from.GetArray("sourceContent") {
		part, _ := wirejson.Text(piece.Get("text"))
		text.Write(part)
	}
	c.Text = text.String()
	c.SourceStart, c.SourceEnd = citedRange(from.GetObject("location"))
	// One of which nothing is known goes back all the same.
	b.citations = append(b.citations, raw)
	if c != (events.Citation{}) {
		b.pending = append(b.pending, c)
	}
	d.kept += len(raw)
	if b.index >= 0 {
		d.say(b, nil)
	}
	return nil
}

// saysNothing reports whether a citation has no member, or empty ones only.
func saysNothing(o *fastjson.Object) bool {
	nothing := true
	o.Visit(func(_ []byte, v *fastjson.Value) {
		inner, err := v.Object()
		nothing = nothing && err == nil && inner.Len() == 0
	})
	return nothing
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
