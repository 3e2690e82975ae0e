package coherewire

import (
	"bytes"
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
	return &decoder{profile: profile, names: p.Names, minted: p.FirstMinted, limit: p.Request.MaxOutputTokens}
}

// decoder is the state of one reply.
type decoder struct {
	profile Profile
	names   request.Names
	limit   int // of the output, in tokens; 0: none

	parser wirejson.Parser
	arena  wirejson.Arena
	memo   memo
	emit   func(events.Event) bool
	// left: the consumer is gone, nothing is emitted any more.
	left bool

	started    bool
	responseID string
	blocks     []*block // in the order of their starts
	nextIndex  int
	minted     int // the n of the next minted id
	unknown    []string

	// citations as they came; pending ones wait for the text to stand at.
	citations []string
	pending   []pendingCitation
	waiting   int // the size of the pending ones
	kept      int // thinking to be sent back, in bytes
	// keptCitations is the size of the citations.
	keptCitations int

	usage    events.Usage
	unusable error // the first counter that was not a count

	rawStop   string
	settled   bool // the terminal evidence was read and every call is over
	completed int  // calls
	broken    *events.Issue
}

// Frame decodes one frame, see [transport.Decoder].
func (d *decoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	d.emit = emit
	if len(frame.Data) < 16 && string(bytes.TrimSpace(frame.Data)) == "[DONE]" {
		return d.state(), nil
	}
	err := d.decode(frame)
	if err == nil && d.kept > MaxData {
		err = tooLarge("more than 4 MiB to be sent back with the turn")
	}
	if d.left {
		err = nil
	}
	return d.state(), err
}

func (d *decoder) state() transport.State {
	if d.settled {
		return transport.Ended
	}
	return transport.Open
}

func (d *decoder) decode(frame transport.Frame) error {
	if d.repeat(frame) {
		return nil
	}
	v, err := d.parser.Parse(frame.Data)
	if err != nil {
		if string(frame.Name) == "error" {
			return wireError{}.failure(0)
		}
		return err
	}
	d.memo.clear()
	if err := d.dispatch(frame, v); err != nil {
		return err
	}
	d.memo.learn(frame)
	return nil
}

func (d *decoder) dispatch(frame transport.Frame, v *fastjson.Value) error {
	if v.Type() != fastjson.TypeObject {
		d.passOver("frame that is no object")
		return nil
	}
	name, ok := wirejson.Text(v.Get("type"))
	if !ok {
		name = frame.Name
	}
	key, message := v.GetInt("index"), v.Get("delta", "message")
	switch string(name) {
	case contentDelta:
		return d.contentDelta(key, message.Get("content"))
	case planDelta:
		return d.planDelta(message.Get("tool_plan"))
	case callDelta:
		return d.callDelta(key, message.Get("tool_calls"))
	case "message-start":
		return d.messageStart(wirejson.String(v.Get("id")))
	case "content-start":
		return d.contentStart(key, message.Get("content"))
	case "content-end":
		d.end(false, key)
		return nil
	case "tool-call-end":
		d.end(true, key)
		return nil
	case "tool-call-start":
		return d.callStart(key, message.Get("tool_calls"))
	case "citation-start":
		return d.cite(message.Get("citations"))
	case "citation-end", "debug":
		return nil
	case "message-end":
		return d.messageEnd(v.Get("delta"))
	}
	isError := string(name) == "error" || string(frame.Name) == "error"
	if told := readError(v); isError || told.found && (!ok || told.sure) {
		return told.failure(0)
	}
	d.passOver("frame " + string(name))
	return nil
}

// send emits an event, after Started if need be.
func (d *decoder) send(e events.Event) {
	d.start(events.Start{})
	d.left = d.left || !d.emit(e)
}

// sendDelta emits a piece of text for the block.
func (d *decoder) sendDelta(kind events.Kind, b *block, text []byte) {
	if len(text) == 0 {
		return
	}
	d.start(events.Start{})
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
	d.left = d.left || !d.emit(events.NewStarted(s))
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

func (d *decoder) messageStart(id string) error {
	if d.started && id != "" && d.responseID != "" && id != d.responseID {
		return malformed("a second message in one reply")
	}
	d.responseID = id
	d.start(events.Start{ResponseID: id})
	return nil
}

// messageEnd takes the counts and the reason, and ends the calls that are not over.
func (d *decoder) messageEnd(delta *fastjson.Value) error {
	d.start(events.Start{})
	d.report(delta.Get("usage"))
	reason := wirejson.String(delta.Get("finish_reason"))
	if f := failureOfEnd(reason, delta.Get("error")); f != nil {
		return f
	}
	d.placeRest()
	d.rawStop, d.settled = reason, true
	cut := stopOf(reason).Cuts()
	last := len(d.blocks) - 1
	for i, b := range d.blocks {
		if b.kind == callBlock && !b.over {
			d.judge(b, reason, cut, i == last)
		}
	}
	return nil
}

// judge ends a call that is not over by what the reason says of it.
func (d *decoder) judge(b *block, reason string, cut, last bool) {
	// A call without arguments that is the last thing before a cut may have been
	// about to get some.
	unsure := b.open || b.arguments() == "" && last
	issue := b.check()
	if b.halfOpen() && reason != toolCall {
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
		return d.failed(tooLarge("more than 4 MiB to be sent back with the turn"))
	}
	return events.NewCompleted(events.Completion{Stop: stop, RawStop: d.rawStop, Usage: d.usage, Data: data})
}

func (d *decoder) failed(f *events.Failure) events.Event {
	return wirejson.Failed(f, d.usage, "the reply ended before its message-end")
}

func malformed(text string) error {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, text)
}

func tooLarge(text string) *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonTooLarge, text)
}
