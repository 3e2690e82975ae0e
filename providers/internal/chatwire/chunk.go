package chatwire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A chunk is the members of a frame that mean something. A member that is null
// is absent.
type chunk struct {
	id, model, choices, usage, groq, err, citations, tier *fastjson.Value
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
	case "service_tier":
		c.tier = v
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
	// What few replies have: tools that the provider ran, what they found, pictures
	// and speech.
	executed, context, images, audio *fastjson.Value
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
	case "executed_tools":
		c.executed = notNull(v)
	case "context":
		c.context = notNull(v)
	case "images":
		c.images = notNull(v)
	case "audio":
		c.audio = notNull(v)
	}
}

// isRare reports whether a delta holds what few have.
func (c *delta) isRare() bool {
	return c.executed != nil || c.context != nil || c.images != nil || c.audio != nil
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
		// Moonshot has it there as well, or there alone where no stream_options asks for it
		// (github.com/earendil-works/pi, issue 2017, read 2026-12-01).
		if u := o.Get("usage"); u != nil && d.chunk.usage == nil {
			d.chunk.usage = notNull(u)
		}
		if err := d.readChoice(o); err != nil {
			return err
		}
		if says(o.Get("error")) {
			return choiceError(v)
		}
		if err := d.readFinish(o.Get("finish_reason")); err != nil {
			return err
		}
	}
	return nil
}

// choiceError returns the failure of a choice that holds the error which ended it
// (OpenRouter: api.koog.ai, OpenRouterStreamChoice, read 2026-12-01).
func choiceError(choice *fastjson.Value) error {
	e, ok := openaierror.Of(choice)
	if !ok {
		e = openaierror.Error{Message: "an error of the choice"}
	}
	return e.Failure()
}

func (d *decoder) readChoice(choice *fastjson.Object) error {
	if o := objectOf(choice.Get("delta")); o != nil {
		d.delta = delta{}
		o.Visit(d.delta.member)
		return d.readDelta()
	}
	// An answer that came whole, in a stream of one frame. After any piece it would be
	// a repetition.
	if o := objectOf(choice.Get("message")); o != nil && d.next == 0 && len(d.calls) == 0 {
		d.delta = delta{}
		o.Visit(d.delta.member)
		err := d.readDelta()
		d.delta = delta{} // another frame like it is no other piece
		return err
	}
	return nil
}

func (d *decoder) readFinish(v *fastjson.Value) error {
	// Some servers send an empty reason on every chunk.
	if raw, ok := wirejson.Text(v); ok && len(raw) > 0 {
		return d.finish(string(raw))
	}
	return nil
}

// readDelta reads thinking before text before calls: within a delta their order
// says nothing. What the provider ran comes before the text that is made of it.
func (d *decoder) readDelta() error {
	c := &d.delta
	if c.reasoningContent != nil || c.reasoning != nil || c.details != nil {
		if err := d.readThinking(); err != nil {
			return err
		}
	}
	if c.isRare() {
		if err := d.readRare(c); err != nil {
			return err
		}
	}
	if err := d.readContent(c.content); err != nil {
		return err
	}
	if text, ok := wirejson.Text(c.refusal); ok {
		d.say(&d.refusal, events.RefusalDelta, text)
	}
	if c.annotations != nil {
		d.readAnnotations(c.annotations)
	}
	return d.readCalls(arrayOf(c.calls))
}

func (d *decoder) readRare(c *delta) error {
	if err := d.readExecuted(arrayOf(c.executed)); err != nil {
		return err
	}
	if c.context != nil {
		d.readContext(c.context)
	}
	d.readImages(arrayOf(c.images))
	return d.readAudio(objectOf(c.audio))
}
