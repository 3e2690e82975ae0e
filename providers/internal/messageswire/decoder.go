package messageswire

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// NewDecoder returns a decoder of the reply to p.
func NewDecoder(p request.Prepared, profile Profile) transport.Decoder {
	return &decoder{
		profile: profile, names: p.Names, minted: p.FirstMinted,
		limit: maxTokens(&p.Request, profile), hold: holds(p.Request.Extra[ExtraKey]),
	}
}

// decoder is the state of one reply.
type decoder struct {
	profile Profile
	names   request.Names
	limit   int // of the output, in tokens

	parser wirejson.Parser
	arena  wirejson.Arena
	memo   memo
	emit   func(events.Event) bool
	// left: the consumer is gone, nothing is emitted any more.
	left bool

	state      transport.State
	started    bool
	responseID string
	blocks     []*block // in the order of their starts
	nextIndex  int
	minted     int // the n of the next minted id
	unknown    []string

	// hold: calls are told at the end. boundary is how many blocks are those of a
	// model that declined, the last one being where the next went on.
	hold     bool
	boundary int
	// container is where the provider's own code runs, once told.
	container string

	counts       counts
	usage        events.Usage
	unusable     error // the first counter that was not a count
	inconsistent bool  // told

	// earlyStop is a stop reason that message_start gave: it counts once
	// message_stop came.
	earlyStop string
	rawStop   string
	settled   bool // the terminal evidence was read and every call is over
	completed int  // calls
	broken    *events.Issue
	kept      int
}

// Frame decodes one frame, see [transport.Decoder].
func (d *decoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	d.emit = emit
	if string(frame.Name) == "ping" {
		return d.state, nil
	}
	if len(frame.Data) < 16 && string(bytes.TrimSpace(frame.Data)) == "[DONE]" {
		// Gateways close the stream in the manner of another wire.
		if d.settled {
			d.state = transport.Ended
		}
		return d.state, nil
	}
	err := d.decode(frame)
	if err == nil && d.kept > MaxData {
		err = tooMuch()
	}
	if d.left {
		err = nil
	}
	return d.state, err
}

func (d *decoder) decode(frame transport.Frame) error {
	if d.repeat(frame) {
		return nil
	}
	v, err := d.parser.Parse(frame.Data)
	switch {
	case err == nil:
		d.memo.clear()
		err = d.dispatch(frame, v)
		if err == nil {
			d.memo.learn(frame)
		}
		return err
	case string(frame.Name) == "error":
		return wireError{}.failure(0)
	default:
		return err
	}
}

// maxBlocks bounds the blocks of a reply: as many as the grammar has indexes,
// though not every block takes one.
const maxBlocks = 1024

func tooMuch() *events.Failure { return tooLarge("more than 4 MiB to be sent back with the turn") }

func tooLarge(text string) *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonTooLarge, text)
}

func (d *decoder) dispatch(frame transport.Frame, v *fastjson.Value) error {
	o := v.GetObject()
	if o == nil {
		d.passOver("frame that is no object")
		return nil
	}
	if string(frame.Name) == deltaFrame {
		// Nearly every frame: its event name saves reading its type.
		if delta := o.Get("delta").GetObject(); delta != nil {
			return d.delta(o.Get("index"), delta)
		}
	}
	name, ok := wirejson.Text(o.Get("type"))
	if !ok {
		name = frame.Name
	}
	switch string(name) {
	case deltaFrame:
		return d.delta(v.Get("index"), v.GetObject("delta"))
	case "content_block_start":
		key, err := keyOf(v.Get("index"))
		if err != nil {
			return err
		}
		return d.blockStart(key, v.Get("content_block"))
	case "content_block_stop":
		key, err := keyOf(v.Get("index"))
		if err == nil {
			d.blockStop(key)
		}
		return err
	case "message_start":
		return d.messageStart(v.Get("message"))
	case "message_delta":
		return d.messageDelta(v)
	case "message_stop":
		d.messageStop()
		return nil
	case "error":
		return readError(v).failure(0)
	case "ping":
		return nil
	}
	if told := readError(v); told.found {
		return told.failure(0)
	}
	d.passOver("frame " + string(name))
	return nil
}

// send emits an event, after Started if need be.
func (d *decoder) send(e events.Event) {
	if !d.started {
		d.start(events.Start{})
	}
	d.left = d.left || !d.emit(e)
}

// sendDelta emits a piece of text for the block.
func (d *decoder) sendDelta(kind events.Kind, b *block, text []byte) {
	if len(text) == 0 {
		return
	}
	if !d.started {
		d.start(events.Start{})
	}
	if d.take(b); !d.left {
		d.left = !transport.EmitDelta(d.emit, kind, b.index, d.arena.String(text))
	}
}

// start emits Started, once.
func (d *decoder) start(s events.Start) {
	if d.started {
		return
	}
	d.started = true
	d.send(events.NewStarted(s))
}

// passOver tells, once for each kind of thing and only a few times in all, that
// something unknown was passed over.
func (d *decoder) passOver(what string) {
	what = strings.Clone(events.CutText(what, events.MaxDetail))
	if !d.started || len(d.unknown) == 8 || slices.Contains(d.unknown, what) {
		return
	}
	d.unknown = append(d.unknown, what)
	d.send(events.NewNotice(events.NoticeUnknownFrame, what))
}

func (d *decoder) messageStart(message *fastjson.Value) error {
	id := wirejson.String(message.Get("id"))
	if d.started {
		// Some proxies send it twice. Another reply in the same body is no
		// repetition.
		if id != "" && d.responseID != "" && id != d.responseID {
			return malformed("a second message in one reply")
		}
	}
	d.responseID = cmp.Or(id, d.responseID)
	usage := message.Get("usage")
	// Before anything in it is read, which would change how it is written.
	raw := wirejson.Raw(usage)
	d.start(events.Start{ResponseID: id, Model: wirejson.String(message.Get("model")), Metadata: metadata(message)})
	d.earlyStop = cmp.Or(wirejson.String(message.Get("stop_reason")), d.earlyStop)
	d.container = cmp.Or(wirejson.String(message.Get("container", "id")), d.container)
	d.report(usage, raw, d.earlyStop != "" || d.settled)
	if len(d.blocks) > 0 {
		return nil
	}
	for key, content := range message.GetArray("content") {
		if err := d.blockStart(key, content); err != nil {
			return err
		}
		d.blockStop(key)
	}
	return nil
}

// metadata picks what else is worth knowing: the tier that served the request
// and the container that its code ran in.
func metadata(message *fastjson.Value) map[string]string {
	tier := wirejson.String(message.Get("usage", "service_tier"))
	container := wirejson.String(message.Get("container", "id"))
	if tier == "" && container == "" {
		return nil
	}
	m := make(map[string]string, 2)
	if tier != "" {
		m["service_tier"] = tier
	}
	if container != "" {
		m["container"] = container
	}
	return m
}

// messageDelta takes counts and, once, the stop reason: the same again, or none,
// is accounting, another one contradicts.
func (d *decoder) messageDelta(v *fastjson.Value) error {
	reason := wirejson.String(v.Get("delta", "stop_reason"))
	d.container = cmp.Or(wirejson.String(v.Get("delta", "container", "id")), d.container)
	usage := v.Get("usage")
	d.report(usage, wirejson.Raw(usage), reason != "" || d.settled)
	switch {
	case reason == "" || reason == d.rawStop:
	case d.settled:
		return malformed("stop reason " + reason + " after " + d.rawStop)
	default:
		d.settle(reason)
	}
	return nil
}

func (d *decoder) messageStop() {
	if !d.settled {
		d.settle(d.earlyStop)
	}
	d.state = transport.Ended
}

// report takes over a usage object and its text.
func (d *decoder) report(u *fastjson.Value, raw string, final bool) {
	if u == nil || u.Type() == fastjson.TypeNull {
		return
	}
	if err := d.counts.report(u, raw); err != nil && d.unusable == nil {
		d.unusable = err
	}
	d.usage = d.counts.usage(final)
	d.send(events.NewUsageUpdated(d.usage))
	for _, kind := range d.counts.hops.others {
		d.passOver("usage of " + kind + ", another model's")
	}
	if d.usage.Inconsistent && !d.inconsistent {
		d.inconsistent = true
		d.send(events.NewNotice(events.NoticeUsageInconsistent, "a part of the usage is larger than its whole"))
	}
}

// settle ends the calls that are not over by what the stop reason says of them.
func (d *decoder) settle(reason string) {
	d.start(events.Start{})
	d.rawStop, d.settled, d.state = reason, true, transport.Ending
	cut := stopOf(reason).Cuts()
	for i, b := range d.blocks {
		if b.kind != callBlock || b.over {
			continue
		}
		d.tellCall(b)
		// A call without arguments that is the last thing before a cut may have
		// been about to get some.
		unsure := b.open || b.bare() && i == len(d.blocks)-1
		issue := b.check()
		if b.halfOpen() && reason != "tool_use" {
			issue = &events.Issue{Kind: events.IssueTruncated, Detail: "neither arguments nor an end of the call came"}
		}
		switch {
		case cut && (unsure || issue != nil):
			d.invalid(b, events.Issue{Kind: events.IssueTruncated, Detail: "the reply was cut by " + reason})
		case issue != nil:
			d.broken = issue
			d.invalid(b, *issue)
		default:
			d.complete(b)
		}
	}
}

// End returns the terminal event, see [transport.Decoder].
func (d *decoder) End(end transport.End) events.Event {
	if !d.settled || end.Kind == transport.EndError {
		return d.failed(end.Failure)
	}
	stop := normalStop(d.rawStop, d.completed)
	data := d.data()
	switch {
	case d.unusable != nil:
		f, _ := events.AsFailure(d.unusable)
		return d.failed(f)
	case d.broken != nil:
		return d.failed(wirejson.BadToolArguments(d.broken.Error(), d.usage.Output, d.limit))
	case stop == events.StopToolUse && d.completed == 0:
		return d.failed(events.NewFailure(events.InvalidReply, events.ReasonBadToolCall, "stopped for a tool call that is not there"))
	case len(data.Value) > MaxData:
		return d.failed(tooMuch())
	}
	return events.NewCompleted(events.Completion{Stop: stop, RawStop: d.rawStop, Usage: d.usage, Data: data})
}

func (d *decoder) failed(f *events.Failure) events.Event {
	return wirejson.Failed(f, d.usage, "the reply ended before its stop reason")
}

func malformed(text string) error {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, text)
}
