package chatwire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A chunk is the members of a frame that mean something. A member that is null
// is absent.
type chunk struct {
	id, model, choices, usage, groq, err, citations *fastjson.Value
}

func (c *chunk) member(key []byte, v *fastjson.Value) {
	if v.Type() == fastjson.TypeNull {
		return
	}
	switch string(key) {
	case "id":
		c.id = v
	case "model":
		c.model = v
	case "choices":
		c.choices = v
	case "usage":
		c.usage = v
	case "x_groq":
		c.groq = v
	case "error":
		c.err = v
	case "citations":
		c.citations = v
	}
}

// A delta is the members of the first choice and of its delta.
type delta struct {
	other  bool // of another choice than the first
	delta  *fastjson.Value
	finish *fastjson.Value

	content, refusal, calls, annotations *fastjson.Value
	// The three places where thinking comes; see readThinking.
	reasoningContent, reasoning, details *fastjson.Value
}

func (c *delta) choice(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "index":
		c.other = v.GetInt() != 0
	case "delta":
		c.delta = v
	case "finish_reason":
		c.finish = v
	}
}

func (c *delta) member(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "content":
		c.content = v
	case "reasoning_content":
		c.reasoningContent = v
	case "reasoning":
		c.reasoning = v
	case "reasoning_details":
		c.details = v
	case "tool_calls":
		c.calls = v
	case "refusal":
		c.refusal = v
	case "annotations":
		c.annotations = v
	}
}

// readChoices reads the first choice; weir asks for no more than one.
func (d *decoder) readChoices() error {
	for _, v := range d.chunk.choices.GetArray() {
		o := v.GetObject()
		if o == nil {
			return malformed("a choice is no JSON object")
		}
		d.delta = delta{}
		o.Visit(d.delta.choice)
		if d.delta.other {
			continue
		}
		if err := d.readChoice(); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) readChoice() error {
	if o := d.delta.delta.GetObject(); o != nil {
		o.Visit(d.delta.member)
		if err := d.readDelta(); err != nil {
			return err
		}
	}
	// Some servers send an empty reason on every chunk.
	if raw, ok := wirejson.Text(d.delta.finish); ok && len(raw) > 0 {
		return d.finish(string(raw))
	}
	return nil
}

// readDelta reads thinking before text before calls: within a delta their order
// says nothing.
func (d *decoder) readDelta() error {
	if err := d.readThinking(); err != nil {
		return err
	}
	d.readContent(d.delta.content)
	if text, ok := wirejson.Text(d.delta.refusal); ok {
		d.say(&d.refusal, events.RefusalDelta, text)
	}
	if d.delta.annotations != nil {
		d.readAnnotations(d.delta.annotations)
	}
	if d.delta.calls == nil {
		return nil
	}
	return d.readCalls(d.delta.calls.GetArray())
}
