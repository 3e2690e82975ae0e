package geminiwire

import (
	"slices"
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
)

// support takes a passage of the answer and the sources that it rests on. The passage is
// told by its bytes (firebase.google.com/docs/reference/js/ai.segment, a stored copy
// read 2026-12-01). A part that is not the first is named by no recording, so that the
// range in one is left out: where it begins cannot be told.
func (d *decoder) support(support *fastjson.Value, found []events.Source) {
	segment := support.Get("segment")
	begin, end := segment.GetInt("startIndex"), segment.GetInt("endIndex")
	if segment.GetInt("partIndex") != 0 {
		begin, end = 0, 0
	}
	for _, at := range support.GetArray("groundingChunkIndices") {
		n, err := at.Int()
		if err != nil || n < 0 || n >= len(found) {
			continue
		}
		d.tell(keyOf(found[n]))
		d.addCitation(events.Citation{URL: found[n].URL, Title: found[n].Title, Text: found[n].Snippet, Start: begin, End: end})
	}
}

// addCitation lets a citation be told once its text is there.
func (d *decoder) addCitation(c events.Citation) {
	if c.Start < 0 || c.End <= c.Start {
		c.Start, c.End = 0, 0
	}
	key := "cite " + c.URL + " " + c.Title + " " + strconv.Itoa(c.Start) + " " + strconv.Itoa(c.End)
	if c != (events.Citation{}) && d.tell(key) {
		d.pending = append(d.pending, c)
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

// cited emits the citations that wait and whose passage is there, or all of them.
func (d *decoder) cited(all bool) {
	if len(d.pending) == 0 {
		return
	}
	last := d.lastText()
	if last < 0 {
		return
	}
	kept := d.pending[:0]
	for _, c := range d.pending {
		switch {
		case c.End > d.said && !all:
			kept = append(kept, c)
		case c.End == 0 || c.Start >= d.said:
			c.Start, c.End = 0, 0
			d.send(events.NewCitationAdded(last, c))
		default:
			d.citeBlocks(c)
		}
	}
	d.pending = kept
}

// citeBlocks emits a citation for each block that its passage is in. Its range counts
// from the beginning of the whole answer, as in all recordings, and is told from that of
// the block.
func (d *decoder) citeBlocks(c events.Citation) {
	begin := 0
	for _, p := range d.parts {
		if p.kind != textRun || p.index < 0 {
			continue
		}
		end := begin + p.size
		if c.Start < end && c.End > begin {
			own := c
			own.Start, own.End = max(c.Start, begin)-begin, min(c.End, end)-begin
			d.send(events.NewCitationAdded(p.index, own))
		}
		begin = end
	}
}
