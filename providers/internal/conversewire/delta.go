package conversewire

import (
	"encoding/base64"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// delta decodes a contentBlockDelta, of which one member is set.
func (d *decoder) delta(key int, delta *fastjson.Object) error {
	switch {
	case delta == nil:
		return malformed("a delta that is no object")
	case d.settled:
		return malformed("a delta after the stop reason")
	}
	if text := delta.Get("text"); text != nil {
		return d.textDelta(key, text)
	}
	if use := delta.Get("toolUse"); use != nil {
		return d.inputDelta(key, use)
	}
	if reasoning := delta.Get("reasoningContent"); reasoning != nil {
		return d.reasoningDelta(key, reasoning)
	}
	if citation := delta.Get("citation"); citation != nil {
		return d.cite(key, citation)
	}
	if result := delta.Get("toolResult"); result != nil {
		return d.resultDelta(key, result)
	}
	if image := delta.Get("image"); image != nil {
		return d.imageDelta(key, image)
	}
	d.passOver("delta " + firstKey(delta))
	return nil
}

func (d *decoder) textDelta(key int, v *fastjson.Value) error {
	if d.ignores(key) || v.Type() == fastjson.TypeNull {
		return nil
	}
	text, err := piece(v, "text")
	if err != nil {
		return err
	}
	b, err := d.implied(key, textBlock)
	if err == nil {
		d.say(b, text)
	}
	return err
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

// ignores reports whether the block is of a kind that is not known.
func (d *decoder) ignores(key int) bool {
	b := d.find(key)
	return b != nil && b.kind == opaqueBlock
}

func (d *decoder) inputDelta(key int, use *fastjson.Value) error {
	b := d.find(key)
	if b == nil {
		return malformed("arguments for a block that is not open")
	}
	part, err := piece(use.Get("input"), "input")
	switch b.kind {
	case callBlock:
		d.sendDelta(events.ToolArgumentsDelta, b, part)
	case hostedBlock:
		d.kept += len(part)
	case opaqueBlock:
		return nil
	default:
		return malformed("arguments on a block of another kind")
	}
	b.text = append(b.text, part...)
	return err
}

func (d *decoder) reasoningDelta(key int, reasoning *fastjson.Value) error {
	if d.ignores(key) {
		return nil
	}
	b, err := d.implied(key, thinkingBlock)
	if err != nil {
		return err
	}
	o := reasoning.GetObject()
	if o == nil {
		return malformed("reasoning that is no object")
	}
	text, signature, redacted := o.Get("text"), o.Get("signature"), o.Get("redactedContent")
	if text == nil && signature == nil && redacted == nil {
		d.passOver("reasoning " + firstKey(o))
		return nil
	}
	return d.reason(b, text, signature, redacted)
}

// reason takes a piece of reasoning: by the wire one member, but no other is lost.
func (d *decoder) reason(b *block, said, sealed, redacted *fastjson.Value) error {
	text, err := piece(said, "reasoning")
	if err != nil {
		return err
	}
	b.text = append(b.text, text...)
	d.sendDelta(events.ThinkingDelta, b, text)
	signature, err := piece(sealed, "signature")
	if err != nil {
		return err
	}
	b.signature = append(b.signature, signature...)
	data, err := base64Of(redacted)
	b.data = append(b.data, data...)
	d.kept += len(signature) + len(data)
	return err
}

// base64Of reads bytes, which the wire spells in base64.
func base64Of(v *fastjson.Value) ([]byte, error) {
	text, err := piece(v, "a member of bytes")
	if err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return nil, malformed("bytes that are not base64")
	}
	return data, nil
}

func (d *decoder) imageDelta(key int, image *fastjson.Value) error {
	b := d.find(key)
	if b == nil || b.kind != imageBlock {
		return malformed("a piece of an image that was not begun")
	}
	if message := wirejson.String(image.Get("error", "message")); message != "" {
		d.passOver("image that failed: " + message)
	}
	data, err := base64Of(image.Get("source", "bytes"))
	if err != nil {
		return err
	}
	if d.media += len(data); d.media > MaxMedia {
		return tooLarge("more than 64 MiB of images")
	}
	b.data = append(b.data, data...)
	return nil
}
