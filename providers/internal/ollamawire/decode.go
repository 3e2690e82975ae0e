package ollamawire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// NewDecoder returns the decoder of one reply to a prepared request.
func NewDecoder(p request.Prepared, profile Profile) transport.Decoder {
	d := &decoder{names: p.Names, origin: profile.Origin, calls: calls{minted: p.FirstMinted}}
	// Made once, for a closure a frame would be an allocation a frame.
	d.visitLine, d.visitMessage = d.line.member, d.line.message.member
	return d
}

type decoder struct {
	names  request.Names
	origin string

	parser                  wirejson.Parser
	arena                   wirejson.Arena
	memo                    memo
	line                    line
	visitLine, visitMessage func(key []byte, v *fastjson.Value)

	started, noticed bool
	next             int // the next unused index
	text, thinking   block
	thought          []byte
	calls

	done       bool
	completion events.Completion
	unusable   *events.Failure // what is wrong with the usage
}

// A block is one of the two blocks that deltas resume.
type block struct {
	index int
	open  bool
}

// A line is what one frame said; its values die at the next Parse.
type line struct {
	model, remoteModel, remoteHost *fastjson.Value
	inner, err                     *fastjson.Value
	done, doneReason               *fastjson.Value
	prompt, cached, output         *fastjson.Value
	message                        message
}

func (l *line) member(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "model":
		l.model = v
	case "message":
		l.inner = v
	case "done":
		l.done = v
	case "done_reason":
		l.doneReason = v
	case "prompt_eval_count":
		l.prompt = v
	case "prompt_eval_cached_count":
		l.cached = v
	case "eval_count":
		l.output = v
	case "error":
		l.err = v
	case "remote_model":
		l.remoteModel = v
	case "remote_host":
		l.remoteHost = v
	}
}

func (l *line) isDone() bool { return l.done != nil && l.done.Type() == fastjson.TypeTrue }

// A message is the message of a line.
type message struct {
	content, thinking, calls, images *fastjson.Value
}

func (m *message) member(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "content":
		m.content = v
	case "thinking":
		m.thinking = v
	case "tool_calls":
		m.calls = v
	case "images":
		m.images = v
	}
}

// Frame decodes one line.
func (d *decoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	if d.done {
		return transport.Ended, nil
	}
	if text, ok := d.memo.Text(frame.Data); ok {
		d.delta(emit, d.memo.kind, text)
		return transport.Open, nil
	}
	d.memo.Forget()
	if err := d.read(frame.Data); err != nil {
		return transport.Open, err
	}
	if !d.started && !d.start(emit) {
		return transport.Open, nil
	}
	if text, code, ok := errorOf(d.line.err); ok {
		return transport.Open, inBand(text, code)
	}
	if more, err := d.content(frame.Data, emit); err != nil || !more {
		return transport.Open, err
	}
	if !d.line.isDone() {
		d.learn(frame.Data)
		return transport.Open, nil
	}
	d.finish(emit)
	return transport.Ended, nil
}

// read fills d.line from a frame.
func (d *decoder) read(data []byte) error {
	v, err := d.parser.Parse(data)
	if err != nil {
		return err
	}
	object, err := v.Object()
	if err != nil {
		return malformed("line is not a JSON object")
	}
	d.line = line{}
	object.Visit(d.visitLine)
	if inner := d.line.inner; inner != nil && inner.Type() == fastjson.TypeObject {
		inner.GetObject().Visit(d.visitMessage)
	}
	return nil
}

func malformed(text string) error {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, text)
}

// start emits Started.
func (d *decoder) start(emit func(events.Event) bool) bool {
	d.started = true
	start := events.Start{Model: wirejson.String(d.line.model)}
	if remote := wirejson.String(d.line.remoteModel); remote != "" {
		start.Metadata = map[string]string{"remote_model": remote, "remote_host": wirejson.String(d.line.remoteHost)}
	}
	return emit(events.NewStarted(start))
}

// content emits what the message of the line holds and reports whether the
// consumer wants more.
func (d *decoder) content(data []byte, emit func(events.Event) bool) (bool, error) {
	m := &d.line.message
	if !d.known(m) && !d.unknown(emit) {
		return false, nil
	}
	if text, _ := wirejson.Text(m.thinking); !d.delta(emit, events.ThinkingDelta, text) {
		return false, nil
	}
	if text, _ := wirejson.Text(m.content); !d.delta(emit, events.TextDelta, text) {
		return false, nil
	}
	if more, err := d.images(m.images, emit); err != nil || !more {
		return false, err
	}
	if m.calls == nil || m.calls.Type() != fastjson.TypeArray || len(m.calls.GetArray()) == 0 {
		return true, nil
	}
	return d.toolCalls(data, emit)
}

// delta emits a piece of text or thinking, unless it is empty.
func (d *decoder) delta(emit func(events.Event) bool, kind events.Kind, text []byte) bool {
	if len(text) == 0 {
		return true
	}
	b := &d.text
	if kind == events.ThinkingDelta {
		b = &d.thinking
		if len(d.thought) < maxData { // of more the beginning is sent back
			d.thought = append(d.thought, text...)
		}
	}
	if !b.open {
		b.index, b.open = d.take(), true
	}
	return transport.EmitDelta(emit, kind, b.index, d.arena.String(text))
}

// take takes the next index for a new block.
func (d *decoder) take() int {
	d.next++
	return d.next - 1
}

// known reports whether the line has the shape that the protocol gives it.
func (d *decoder) known(m *message) bool {
	if d.line.inner == nil {
		return d.line.isDone()
	}
	return d.line.inner.Type() == fastjson.TypeObject && isText(m.content) && isText(m.thinking) && isList(m.calls) && isList(m.images)
}

func isList(v *fastjson.Value) bool {
	return v == nil || v.Type() == fastjson.TypeArray || v.Type() == fastjson.TypeNull
}

func isText(v *fastjson.Value) bool {
	return v == nil || v.Type() == fastjson.TypeString || v.Type() == fastjson.TypeNull
}

// unknown says once that something was passed over.
func (d *decoder) unknown(emit func(events.Event) bool) bool {
	if d.noticed {
		return true
	}
	d.noticed = true
	return emit(events.NewNotice(events.NoticeUnknownFrame, "a line of a shape that /api/chat does not have was passed over"))
}
