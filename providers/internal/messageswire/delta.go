package messageswire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// delta decodes a content_block_delta, the frame that nearly all of a reply is
// made of. Every key that it asks for is there in a good frame: a miss would
// cost more than a hit.
func (d *decoder) delta(index *fastjson.Value, delta *fastjson.Object) error {
	if delta == nil {
		return malformed("a delta that is no object")
	}
	key, err := keyOf(index)
	if err != nil {
		return err
	}
	b := d.find(key)
	if b == nil {
		return malformed("a delta for a block that is not open")
	}
	if d.settled {
		return malformed("a delta after the stop reason")
	}
	kind, _ := wirejson.Text(delta.Get("type"))
	switch string(kind) {
	case "text_delta":
		return d.textDelta(b, delta)
	case "input_json_delta":
		return d.inputDelta(b, delta)
	case "thinking_delta":
		return d.thinkingDelta(b, delta)
	case "signature_delta":
		return d.signatureDelta(b, delta)
	case "citations_delta":
		if b.kind != textBlock {
			return misplaced("citations_delta")
		}
		return d.cite(b, delta.Get("citation"))
	case "compaction_delta":
		return d.compact(b, delta)
	default:
		d.passOver("delta " + string(kind))
	}
	return nil
}

// piece returns the text of a member, none where it is absent or null. Anything else is
// lost if it is passed over.
func piece(in *fastjson.Value, member string) ([]byte, error) {
	text, ok := wirejson.Text(in)
	if !ok && in != nil && in.Type() != fastjson.TypeNull {
		return nil, malformed(member + " is no string")
	}
	return text, nil
}

func (d *decoder) thinkingDelta(b *block, delta *fastjson.Object) error {
	if b.kind != thinkingBlock {
		return misplaced("thinking_delta")
	}
	text, err := piece(delta.Get("thinking"), "thinking")
	d.memo.note(b, "thinking", text)
	d.think(b, text)
	return err
}

func (d *decoder) signatureDelta(b *block, delta *fastjson.Object) error {
	if b.kind != thinkingBlock {
		return misplaced("signature_delta")
	}
	signature, err := piece(delta.Get("signature"), "signature")
	d.sign(b, signature)
	return err
}

// sign takes a piece of the thinking's signature.
func (d *decoder) sign(b *block, signature []byte) {
	b.signature = append(b.signature, signature...)
	d.kept += len(signature)
}

func misplaced(delta string) error { return malformed("a " + delta + " on a block of another kind") }

func (d *decoder) textDelta(b *block, delta *fastjson.Object) error {
	if b.kind != textBlock {
		return misplaced("text_delta")
	}
	text, err := piece(delta.Get("text"), "text")
	d.memo.note(b, "text", text)
	d.say(b, text)
	return err
}

func (d *decoder) inputDelta(b *block, delta *fastjson.Object) error {
	part, err := piece(delta.Get("partial_json"), "partial_json")
	switch b.kind {
	case callBlock:
		d.memo.note(b, "partial_json", part)
		d.argue(b, part)
	case hostedBlock:
		d.kept += len(part)
		b.text = append(b.text, part...)
	default:
		return misplaced("input_json_delta")
	}
	return err
}

// argue takes a piece of a call's arguments.
func (d *decoder) argue(b *block, piece []byte) {
	b.text = append(b.text, piece...)
	if d.hold {
		d.kept += len(piece)
		return
	}
	d.sendDelta(events.ToolArgumentsDelta, b, piece)
}

// compact sets what a compaction block holds, which comes as one delta: the summary, and
// "opaque metadata from prior compaction, to be round-tripped verbatim" (anthropic-sdk-go,
// CompactionBlockParam; that its deltas bring both, github.com/code/lib-anthropic-sdk-
// typescript, pull request 94, read 2026-12-01).
func (d *decoder) compact(b *block, delta *fastjson.Object) error {
	if b.kind != opaqueBlock || b.name != compaction {
		return misplaced("compaction_delta")
	}
	var whole wirejson.Object
	if err := whole.Merge(b.raw); err != nil {
		return malformed("a compaction block with a member twice")
	}
	for _, key := range []string{"content", "encrypted_content"} {
		if v := delta.Get(key); v != nil {
			whole.Set(key, wirejson.Raw(v))
		}
	}
	return d.keep(b, string(whole.Append(nil)))
}

// cite takes over one citation. It is emitted when its text block has text.
func (d *decoder) cite(b *block, from *fastjson.Value) error {
	// The raw text first: reading a string member would change how it is written.
	raw := wirejson.Raw(from)
	c := events.Citation{
		URL:   wirejson.String(from.Get("url")),
		Title: wirejson.String(from.Get("title")),
		Text:  wirejson.String(from.Get("cited_text")),
	}
	if c.URL == "" {
		c.URL = wirejson.String(from.Get("source"))
	}
	if c.Title == "" {
		c.Title = wirejson.String(from.Get("document_title"))
	}
	c.SourceStart, c.SourceEnd = citedRange(from)
	if o := from.GetObject(); o == nil || o.Len() == 0 {
		return nil
	}
	// One of which nothing is known goes back all the same.
	b.citations = append(b.citations, raw)
	if c != (events.Citation{}) {
		b.pending = append(b.pending, c)
	}
	if b.index >= 0 {
		d.say(b, nil)
	}
	return d.checkKept(raw)
}

// citedRange returns the range in the source in the unit that the citation
// counts: characters, pages or blocks.
func citedRange(from *fastjson.Value) (start, end int) {
	for _, unit := range []string{"char_index", "page_number", "block_index"} {
		if end := from.GetInt("end_" + unit); end > 0 {
			return max(from.GetInt("start_"+unit), 0), end
		}
	}
	return 0, 0
}
