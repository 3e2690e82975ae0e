package geminiwire

import (
	"bytes"
	"encoding/base64"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// A part is what one part said; its values die at the next Parse.
type part struct {
	text, thought, signature *fastjson.Value
	call, media              *fastjson.Value
	code, codeResult         *fastjson.Value
	toolCall, toolResponse   *fastjson.Value
	// other is the first member that is not known.
	other string
}

func (p *part) member(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "text":
		p.text = v
	case "thought":
		p.thought = v
	case "thoughtSignature":
		p.signature = v
	case "functionCall":
		p.call = set(v)
	case "inlineData":
		p.media = set(v)
	case "executableCode":
		p.code = set(v)
	case "codeExecutionResult":
		p.codeResult = set(v)
	case "toolCall":
		p.toolCall = set(v)
	case "toolResponse":
		p.toolResponse = set(v)
	default:
		if p.other == "" {
			p.other = string(key)
		}
	}
}

// set returns a value, or nil for null: gateways write out what is not set.
func set(v *fastjson.Value) *fastjson.Value {
	if v == nil || v.Type() == fastjson.TypeNull {
		return nil
	}
	return v
}

// kinds returns how many kinds of content the part has, of which it may have one: what
// is shown of one would be lost with the others. A text that is empty is none.
func (p *part) kinds() int {
	n := 0
	for _, v := range []*fastjson.Value{p.call, p.media, p.code, p.codeResult, p.toolCall, p.toolResponse} {
		if v != nil {
			n++
		}
	}
	if n > 0 && p.text != nil {
		if text := wirejson.Raw(p.text); text != `""` && text != "null" {
			n++
		}
	}
	return n
}

// isThought reports whether the part is one of the thinking.
func (p *part) isThought() bool { return p.thought != nil && p.thought.Type() == fastjson.TypeTrue }

// maxBlocks bounds the parts of a reply that are told apart: as many as the
// grammar has indexes.
const maxBlocks = 1024

// content takes the parts of a frame. data is the frame, place that of the
// candidate in it.
func (d *decoder) content(parts *fastjson.Value, data []byte, place int) error {
	arguments := argumentsIn{frame: data, candidate: place}
	if parts = set(parts); parts != nil && parts.Type() != fastjson.TypeArray {
		d.passOver("parts that are no list")
	}
	for i, v := range parts.GetArray() {
		if v.Type() != fastjson.TypeObject {
			d.passOver("part that is no object")
			continue
		}
		if len(d.parts) >= maxBlocks || d.nextIndex >= maxBlocks {
			return tooLarge("more than 1,024 parts")
		}
		d.part = part{}
		v.GetObject().Visit(d.visitPart)
		if err := d.takePart(v, &arguments, i); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) takePart(v *fastjson.Value, arguments *argumentsIn, nth int) error {
	p := &d.part
	switch {
	case p.kinds() > 1:
		return malformed("a part of several kinds")
	case p.call != nil && p.call.Type() != fastjson.TypeObject:
		return malformed("a tool call that is no object")
	case p.call != nil:
		return d.functionCall(p.call, p.signature, arguments, nth)
	case p.media != nil && p.isThought():
		d.passOver("image of the thinking")
		return nil
	case p.media != nil && p.media.Type() != fastjson.TypeObject:
		d.passOver("media that is no object")
		return nil
	case p.media != nil:
		return d.mediaPart(v, p.media)
	case p.code != nil:
		return d.keepPart(v, func() error { return d.runCode(p.code) })
	case p.codeResult != nil:
		return d.keepPart(v, func() error { return d.codeRan(p.codeResult) })
	case p.toolCall != nil:
		return d.keepPart(v, func() error { return d.serverTool(p.toolCall) })
	case p.toolResponse != nil:
		return d.keepPart(v, func() error { return d.serverToolRan(p.toolResponse) })
	case p.other != "" && p.text == nil:
		d.passOver("part " + p.other)
		return d.keepPart(v, func() error { return nil })
	case p.isThought():
		return d.thoughtPart(v, p)
	default:
		return d.textPart(v, p)
	}
}

// keepPart keeps a part as it came, in its place, and then shows it.
func (d *decoder) keepPart(v *fastjson.Value, show func() error) error {
	raw := wirejson.Raw(v)
	if err := d.keepRaw(raw); err != nil {
		return err
	}
	d.arrived()
	return show()
}

// arrived notes that content comes. A stop reason that came before any was none;
// any other one is contradicted.
func (d *decoder) arrived() {
	if d.rawStop != "" {
		d.voided, d.contradicted = !d.begun, d.begun
	}
	d.begun = true
}

func (d *decoder) thoughtPart(v *fastjson.Value, p *part) error {
	signed, raw := signatureOf(p.signature) != "", ""
	if signed {
		raw = wirejson.Raw(v)
	}
	text := d.textOf(p)
	if len(text) > 0 {
		d.arrived()
		d.sendDelta(events.ThinkingDelta, d.run(thinkingRun), text)
	}
	if !signed {
		return nil
	}
	return d.keepRaw(raw)
}

// textPart shows text. A signed one is a block of its own, which goes back with
// its signature; one of white space only, which no message keeps, goes back as it
// came.
func (d *decoder) textPart(v *fastjson.Value, p *part) error {
	signature := signatureOf(p.signature)
	if signature == "" {
		text := d.textOf(p)
		if len(text) > 0 {
			d.say(d.run(textRun), text)
		}
		return nil
	}
	raw := wirejson.Raw(v)
	text := d.textOf(p)
	if len(bytes.TrimSpace(text)) == 0 {
		if len(text) > 0 {
			d.endRun()
			d.say(d.newRun(textRun), text)
			d.last().hidden = true
		}
		return d.keepRaw(raw)
	}
	d.endRun()
	r := d.newRun(textRun)
	d.say(r, text)
	d.endRun()
	r.signature = signature
	return d.checkKept(signature)
}

// textOf returns the text of a part. It is read here, which changes how its part is
// written.
func (d *decoder) textOf(p *part) []byte {
	text, is := wirejson.Text(p.text)
	if !is && set(p.text) != nil {
		d.passOver("text that is no text")
	}
	return text
}

// signatureOf returns the JSON text of a signature, or "" when it is none. The
// value is not read, which would change how its part is written.
func signatureOf(v *fastjson.Value) string {
	if text := wirejson.Raw(v); len(text) > len(`""`) && text[0] == '"' {
		return text
	}
	return ""
}

// say emits a piece of visible text, and after it the citations that waited for a
// text to exist.
func (d *decoder) say(r *turnPart, text []byte) {
	d.arrived()
	r.visible = r.visible || len(bytes.TrimSpace(text)) > 0
	r.size += len(text)
	d.said += len(text)
	d.sendDelta(events.TextDelta, r, text)
	d.cited(false)
}

func (d *decoder) sendDelta(kind events.Kind, r *turnPart, text []byte) {
	if r.index < 0 {
		r.index = d.take()
	}
	if !d.left {
		d.left = !transport.EmitDelta(d.emit, kind, r.index, d.arena.String(text))
	}
}

// mediaPart shows what was generated, and keeps it to go back, where that is not
// too much: what follows can do without, as the consumer can send it itself.
func (d *decoder) mediaPart(v, media *fastjson.Value) error {
	raw := wirejson.Raw(v)
	encoded, _ := wirejson.Text(media.Get("data"))
	data, err := base64.StdEncoding.AppendDecode(nil, encoded)
	if err != nil {
		return malformed("generated media that is not base64")
	}
	d.arrived()
	if d.kept+len(raw) > MaxData {
		d.endRun()
		if !d.mediaLeft {
			d.mediaLeft = true
			d.send(events.NewNotice(events.NoticeMediaNotKept, "generated media of "+sizeOf(len(data))+" does not go back with the turn"))
		}
	} else if err := d.keepRaw(raw); err != nil {
		return err
	}
	if len(data) > 0 {
		d.send(events.NewMediaCompleted(d.take(), wirejson.String(media.Get("mimeType")), data))
	}
	return nil
}
