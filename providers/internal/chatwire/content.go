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
	size  int // bytes of it so far
}

// say sends a piece of a block, which the first one opens.
func (d *decoder) say(b *block, kind events.Kind, text []byte) {
	if len(text) == 0 {
		return
	}
	if !b.open {
		b.open, b.index = true, d.takeIndex()
	}
	b.size += len(text)
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
	switch v.Type() {
	case fastjson.TypeString:
		d.say(&d.text, events.TextDelta, v.GetStringBytes())
	case fastjson.TypeArray:
		for _, part := range v.GetArray() {
			if err := d.readPart(part); err != nil {
				return err
			}
		}
	case fastjson.TypeNull:
		return nil
	default:
		if err := d.readPart(v); err != nil {
			return err
		}
	}
	d.placeCitations()
	return nil
}

// readPart reads one part of content. What is no text is kept where it stands, to
// go back.
func (d *decoder) readPart(part *fastjson.Value) error {
	if text, ok := wirejson.Text(part); ok {
		d.say(&d.text, events.TextDelta, text)
		return nil
	}
	if part.Type() != fastjson.TypeObject {
		if part.Type() != fastjson.TypeNull {
			d.passOver("content that is neither a text nor a part")
		}
		return nil
	}
	kind := wirejson.String(part.Get("type"))
	if kind != "text" && d.profile.ReplayParts {
		// Kept before it is looked at: see appendValue.
		if err := d.parts.add(part, d.text.size); err != nil {
			return err
		}
	}
	switch kind {
	case "text":
		text, _ := wirejson.Text(part.Get("text"))
		d.say(&d.text, events.TextDelta, text)
	case "thinking":
		return d.readThought(part.Get("thinking"))
	case "reasoning":
		// Databricks, of Claude: github.com/davidkhala/models, py/davidkhala/llm/openai/
		// databricks.py, read 2026-12-01. That it has to go back is not confirmed.
		return d.readThought(part.Get("summary"))
	case "reference", "tool_reference":
		d.readReference(part)
	case "image_url":
		d.readImages([]*fastjson.Value{part})
	default:
		d.passOver("a part of content that is of type " + kind)
	}
	return nil
}

// readThought reads a part that is thinking: Mistral's is an array of texts, and of
// the sources that the model thinks of; others send a string.
func (d *decoder) readThought(v *fastjson.Value) error {
	if text, ok := wirejson.Text(v); ok {
		return d.think(text)
	}
	for _, p := range v.GetArray() {
		switch kind, _ := wirejson.Text(p.Get("type")); string(kind) {
		case "reference", "tool_reference":
			d.readReference(p)
		default:
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
