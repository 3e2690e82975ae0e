package conversewire

import (
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
	emit   func(events.Event) bool
	// left: the consumer is gone, nothing is emitted any more.
	left bool

	state     transport.State
	started   bool
	blocks    []*block // in the order of their starts
	nextIndex int
	minted    int // the n of the next minted id
	unknown   []string
	// floating citations wait for a text that they can belong to.
	floating []events.Citation

	usage    events.Usage
	unusable error // the first counter that was not a count

	rawStop   string
	settled   bool // the terminal evidence was read and every call is over
	completed int  // calls
	broken    *events.Issue
	kept      int // bytes to be sent back
	media     int // bytes of images
}

// Frame decodes one message, see [transport.Decoder].
func (d *decoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	d.emit = emit
	err := d.decode(frame)
	if err == nil && d.kept > MaxData {
		err = tooMuch()
	}
	if d.left {
		err = nil
	}
	return d.state, err
}

// maxBlocks bounds the blocks of a reply: as many as the grammar has indexes,
// though not every block takes one.
const maxBlocks = 1024

func tooMuch() *events.Failure { return tooLarge("more than 4 MiB to be sent back with the turn") }

func tooLarge(text string) *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonTooLarge, text)
}

func malformed(text string) error {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, text)
}

func (d *decoder) decode(frame transport.Frame) error {
	switch {
	case frame.Exception:
		return failureOfException(frame)
	case !isKnown(string(frame.Name)):
		// Of its payload nothing is known, not even that it is JSON or there.
		d.passOver("frame " + string(frame.Name))
		return nil
	}
	v, err := d.parser.Parse(frame.Data)
	if err != nil {
		return err
	}
	if v.GetObject() == nil {
		d.passOver("frame that is no object")
		return nil
	}
	key, err := keyOf(v.Get("contentBlockIndex"))
	if err != nil {
		return err
	}
	switch string(frame.Name) {
	case "contentBlockDelta":
		return d.delta(key, v.GetObject("delta"))
	case "contentBlockStart":
		return d.blockStart(key, v.Get("start"))
	case "contentBlockStop":
		return d.blockStop(key)
	case "messageStart":
		d.start()
	case "messageStop":
		return d.messageStop(wirejson.String(v.Get("stopReason")))
	case "metadata":
		d.metadata(v.Get("usage"))
	}
	return nil
}

// isKnown reports whether messages of the name are read.
func isKnown(name string) bool {
	switch name {
	case "contentBlockDelta", "contentBlockStart", "contentBlockStop", "messageStart", "messageStop", "metadata":
		return true
	default:
		return false
	}
}

// send emits an event, after Started if need be.
func (d *decoder) send(e events.Event) {
	d.start()
	d.left = d.left || !d.emit(e)
}

// sendDelta emits a piece of text for the block.
func (d *decoder) sendDelta(kind events.Kind, b *block, text []byte) {
	if len(text) == 0 {
		return
	}
	d.start()
	if d.take(b); !d.left {
		d.left = !transport.EmitDelta(d.emit, kind, b.index, d.arena.String(text))
	}
}

// start emits Started, once. The wire names neither the reply nor the model.
func (d *decoder) start() {
	if d.started {
		return
	}
	d.started = true
	d.left = d.left || !d.emit(events.NewStarted(events.Start{}))
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

// messageStop takes the stop reason, once: the same again is nothing, another one
// contradicts.
func (d *decoder) messageStop(reason string) error {
	switch {
	case !d.settled:
		return d.settle(reason)
	case reason != d.rawStop:
		return malformed("stop reason " + reason + " after " + d.rawStop)
	default:
		return nil
	}
}

// metadata takes the counts. After the stop reason it is the last message.
func (d *decoder) metadata(counts *fastjson.Value) {
	d.report(counts)
	if d.settled {
		d.state = transport.Ended
	}
}

// settle ends the blocks that are not over by what the stop reason says of them.
func (d *decoder) settle(reason string) error {
	d.start()
	for _, b := range d.blocks {
		if b.open && b.kind != callBlock {
			if err := d.closeBlock(b); err != nil {
				return err
			}
		}
	}
	d.rawStop, d.settled, d.state = reason, true, transport.Ending
	cut := stopOf(reason).Cuts()
	for i, b := range d.blocks {
		if b.kind != callBlock || b.over {
			continue
		}
		// A call without arguments that is the last thing before a cut may have
		// been about to get some.
		unsure := b.open || b.arguments() == "" && i == len(d.blocks)-1
		issue := b.check()
		if b.halfOpen() && reason != toolUse {
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
	return nil
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
	case spoiled(d.rawStop) != nil:
		return d.failed(spoiled(d.rawStop))
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
