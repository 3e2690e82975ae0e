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

// member looks at no value but those that are rare: asking a string for its type
// costs as much as reading it.
func (c *chunk) member(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "id":
		c.id = v
	case "model":
		c.model = v
	case "choices":
		c.choices = notNull(v)
	case "usage":
		c.usage = notNull(v)
	case "x_groq":
		c.groq = notNull(v)
	case "error":
		c.err = notNull(v)
	case "citations":
		c.citations = notNull(v)
	}
}

func notNull(v *fastjson.Value) *fastjson.Value {
	if v.Type() == fastjson.TypeNull {
		return nil
	}
	return v
}

// A delta is the members of the first choice's delta.
type delta struct {
	content, refusal, calls, annotations *fastjson.Value
	// The three places where thinking comes; see readThinking.
	reasoningContent, reasoning, details *fastjson.Value
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

// readPlain reads a frame that holds a piece of the answer and nothing else, as
// nearly all of a stream do, and reports whether it was one. Visiting all members
// of a frame costs half as much as parsing it, so this looks only at those that
// are there: a frame with as many members as an earlier one that had nothing
// rare, with a piece of the answer and without finish_reason, is like that one.
// Nothing is taken from a frame that is not plain.
func (d *decoder) readPlain(o *fastjson.Object) (bool, error) {
	if d.plain == 0 || o.Len() != d.plain {
		return false, nil
	}
	if usage := o.Get("usage"); usage != nil && notNull(usage) != nil {
		return false, nil
	}
	choices := arrayOf(o.Get("choices"))
	if len(choices) != 1 {
		return false, nil
	}
	choice := objectOf(choices[0])
	if choice == nil || !isFirst(choice) {
		return false, nil
	}
	if finish := choice.Get("finish_reason"); finish == nil || notNull(finish) != nil {
		return false, nil
	}
	delta := objectOf(choice.Get("delta"))
	if delta == nil || !d.takeDelta(delta) {
		return false, nil
	}
	return true, d.readDelta()
}

// takeDelta takes a delta apart and reports whether it holds a piece of the
// answer.
func (d *decoder) takeDelta(o *fastjson.Object) bool {
	c := &d.delta
	*c = delta{}
	if o.Len() == 1 {
		// OpenAI repeats nothing.
		if c.content = o.Get("content"); c.content == nil {
			c.calls = o.Get("tool_calls")
		}
	}
	if c.content == nil && c.calls == nil {
		o.Visit(c.member)
	}
	return len(arrayOf(c.calls)) > 0 || said(c.content) || said(c.reasoningContent) || said(c.reasoning)
}

func said(v *fastjson.Value) bool {
	text, ok := wirejson.Text(v)
	return ok && len(text) > 0
}

func objectOf(v *fastjson.Value) *fastjson.Object {
	if v == nil {
		return nil
	}
	o, _ := v.Object()
	return o
}

func arrayOf(v *fastjson.Value) []*fastjson.Value {
	if v == nil {
		return nil
	}
	list, _ := v.Array()
	return list
}

// isFirst reports whether a choice is the first; weir asks for no more than one.
func isFirst(choice *fastjson.Object) bool {
	v := choice.Get("index")
	if v == nil {
		return true
	}
	n, err := v.Int()
	return err != nil || n == 0
}

func (d *decoder) readChoices() error {
	for _, v := range arrayOf(d.chunk.choices) {
		o := objectOf(v)
		if o == nil {
			return malformed("a choice is no JSON object")
		}
		if !isFirst(o) {
			continue
		}
		if err := d.readChoice(o); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) readChoice(o *fastjson.Object) error {
	if delta := objectOf(o.Get("delta")); delta != nil {
		d.takeDelta(delta)
		if err := d.readDelta(); err != nil {
			return err
		}
	}
	// Some servers send an empty reason on every chunk.
	if raw, ok := wirejson.Text(o.Get("finish_reason")); ok && len(raw) > 0 {
		return d.finish(string(raw))
	}
	return nil
}

// readDelta reads thinking before text before calls: within a delta their order
// says nothing.
func (d *decoder) readDelta() error {
	c := &d.delta
	if c.reasoningContent != nil || c.reasoning != nil || c.details != nil {
		if err := d.readThinking(); err != nil {
			return err
		}
	}
	d.readContent(c.content)
	if text, ok := wirejson.Text(c.refusal); ok {
		d.say(&d.refusal, events.RefusalDelta, text)
	}
	if c.annotations != nil {
		d.readAnnotations(c.annotations)
	}
	return d.readCalls(arrayOf(c.calls))
}
