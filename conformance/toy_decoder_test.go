package conformance

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// A toyFrame is a frame of the toy's reply.
type toyFrame struct {
	T  string
	D  string // the piece
	ID string
	N  int // which call

	Name, URL, Why, Mark   string
	In, Out, Cached, Spent *int64
	Code, Message          string
}

func decodeToy(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errMore
	}
	return nil
}

var errMore = events.NewFailure(events.InvalidReply, events.ReasonMalformed, "more than one value in a frame")

// A toyDecoder turns frames of the toy's wire into events.
type toyDecoder struct {
	fault   fault
	names   request.Names
	minted  int
	notices []events.NoticeInfo
	key     string

	started       bool
	next          int // the next unused index
	blocks        map[string]int
	calls         []*openCall
	stop          events.Stop // the terminal evidence
	why           string
	usage         events.Usage
	unusable      bool
	seal, held    string
	frames, texts int
}

// An openCall is a call whose arguments are coming.
type openCall struct {
	n, index  int
	call      events.ToolCall
	arguments []byte
	over      bool
}

func malformed(what string) error {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, what)
}

// Frame decodes a frame.
func (d *toyDecoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	d.frames++
	if d.fault == crashes && d.frames == 2 {
		panic("the toy's own")
	}
	var f toyFrame
	if err := d.read(frame.Data, &f); err != nil {
		if d.fault.skips(frame.Data) || d.stop != "" && (d.fault == skipsAfterTheStop || d.fault == takesAbsentForZero) {
			return d.state(), nil
		}
		return transport.Open, malformed("a frame cannot be read")
	}
	if !d.started && f.T != "ping" {
		d.started = true
		if !emit(events.NewStarted(d.start(f))) {
			return transport.Open, nil
		}
	}
	if d.stop != "" && f.T != "count" && f.T != "bye" && d.fault != goesOnAfterTheStop {
		return d.state(), nil
	}
	return d.said(f, frame.Data, emit)
}

// skips reports whether a frame that cannot be read is passed over.
func (fl fault) skips(frame []byte) bool {
	text := string(bytes.TrimSpace(frame))
	switch fl {
	case skipsTheUnreadable:
		return true
	case skipsPages:
		return strings.HasPrefix(text, "<")
	case skipsOpenObjects:
		return strings.HasPrefix(text, "{") && !strings.HasSuffix(text, "}")
	case skipsTornObjects:
		return strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}")
	default:
		return false
	}
}

func (d *toyDecoder) read(data []byte, f *toyFrame) error {
	if d.fault == failsOnUnknownMembers {
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.DisallowUnknownFields()
		return dec.Decode(f)
	}
	return decodeToy(data, f)
}

func (d *toyDecoder) start(f toyFrame) events.Start {
	if d.fault == tellsTheKeyAtTheStart {
		return events.Start{ResponseID: d.key}
	}
	if f.T != "start" {
		return events.Start{}
	}
	return events.Start{ResponseID: f.ID, Model: f.Name}
}

func (d *toyDecoder) waits() bool { return d.fault == waitsForTheEnd || d.fault == failsWithoutTheEnd }

// state is what is to come: after the stop only the counts.
func (d *toyDecoder) state() transport.State {
	if d.stop == "" || d.waits() {
		return transport.Open
	}
	return transport.Ending
}

// said hands on what a frame says.
func (d *toyDecoder) said(f toyFrame, data []byte, emit func(events.Event) bool) (transport.State, error) {
	switch f.T {
	case "text", "think", "refuse":
		d.piece(f, emit)
	case "seal":
		d.seal = f.D
	case "call", "args":
		return transport.Open, d.call(f, emit)
	case "cite", "search":
		return transport.Open, d.source(f, emit)
	case "count":
		d.count(f, data, emit)
	case "stop":
		return d.stopped(f, emit)
	case "bye":
		if d.stop == "" {
			return transport.Open, malformed("the reply ends before it has stopped")
		}
		if d.waits() {
			return transport.Open, nil
		}
		return transport.Ended, nil
	case "error":
		return transport.Open, d.fault.failure(toyError{f.Code, f.Message})
	case "start", "ping":
	default:
		if d.fault == failsOnUnknownFrames {
			return transport.Open, malformed("a frame that nobody knows")
		}
	}
	return d.state(), nil
}

// piece hands on a piece of text, thinking or refusal.
func (d *toyDecoder) piece(f toyFrame, emit func(events.Event) bool) {
	kind := map[string]events.Kind{"text": events.TextDelta, "think": events.ThinkingDelta, "refuse": events.RefusalDelta}[f.T]
	if kind == events.RefusalDelta && d.fault == takesARefusalForText {
		kind = events.TextDelta
	}
	if f.D == "" {
		return
	}
	switch d.fault {
	case losesTheThinking:
		if kind == events.ThinkingDelta {
			return
		}
	case turnsTheOrder:
		if kind == events.ThinkingDelta {
			d.held += f.D
			return
		}
	case tellsTheTextAtOnce:
		if kind == events.TextDelta {
			d.held += f.D
			return
		}
	case doublesTheText:
		d.texts++
		if d.texts == 1 {
			transport.EmitDelta(emit, kind, d.block(kind.String()), f.D)
		}
	case tellsAnyLength:
		if f.D != "" {
			emit(events.Event{Kind: kind, Index: int32(d.block(kind.String())), Text: f.D})
		}
		return
	}
	transport.EmitDelta(emit, kind, d.block(kind.String()), f.D)
	if d.held != "" && d.fault == turnsTheOrder {
		transport.EmitDelta(emit, events.ThinkingDelta, d.block(events.ThinkingDelta.String()), d.held)
		d.held = ""
	}
}

// block returns the index of the block of that name.
func (d *toyDecoder) block(name string) int {
	if d.blocks == nil {
		d.blocks = map[string]int{}
	}
	index, ok := d.blocks[name]
	if !ok {
		index = d.next
		d.blocks[name] = index
		d.next++
	}
	return index
}

// source hands on a citation or the use of a hosted tool.
func (d *toyDecoder) source(f toyFrame, emit func(events.Event) bool) error {
	if f.T == "cite" {
		index, ok := d.blocks[events.TextDelta.String()]
		if !ok || f.URL == "" {
			return malformed("a source of nothing")
		}
		if d.fault != losesTheSources {
			emit(events.NewCitationAdded(index, events.Citation{URL: f.URL}))
		}
		return nil
	}
	if d.fault == losesTheHosted {
		return nil
	}
	h := events.HostedTool{ID: f.ID, Name: "search", Sources: []events.Source{{URL: f.URL}}}
	if d.fault == losesTheSources {
		h.Sources = nil
	}
	index := d.next
	d.next++
	if emit(events.NewHostedToolStarted(index, h.ID, h.Name)) {
		emit(events.NewHostedToolCompleted(index, h))
	}
	return nil
}

// count takes the running counts, which replace the ones before.
func (d *toyDecoder) count(f toyFrame, data []byte, emit func(events.Event) bool) {
	known := func(n *int64) events.Count {
		switch {
		case n == nil && d.fault == takesAbsentForZero:
			return events.Known(0)
		case n == nil:
			return events.Count{}
		default:
			return events.Known(*n)
		}
	}
	u := events.Usage{Input: known(f.In), Output: known(f.Out), CacheRead: known(f.Cached), Thinking: known(f.Spent), Raw: string(data)}
	if !u.Sane() {
		d.unusable = d.fault != takesAnyCount
		return
	}
	switch d.fault {
	case addsTheCounts:
		u.Input, u.Output = events.Known(d.usage.Input.Or(0)+u.Input.Or(0)), events.Known(d.usage.Output.Or(0)+u.Output.Or(0))
	case losesTheParts:
		u.CacheRead, u.Thinking = events.Count{}, events.Count{}
	case losesLateCounts:
		if d.stop != "" {
			return
		}
	}
	d.usage = d.usage.Merge(u)
	if u.Reported() {
		emit(events.NewUsageUpdated(d.usage))
	}
}

// stops says what the words of the wire mean.
func stops() map[string]events.Stop {
	return map[string]events.Stop{
		"done": events.StopEnd, "calls": events.StopToolUse, "length": events.StopLength, "sequence": events.StopSequence,
		"filter": events.StopContentFilter, "refused": events.StopRefusal, "": events.StopUnknown,
	}
}

// End returns the terminal.
func (d *toyDecoder) End(end transport.End) events.Event {
	switch {
	case d.stop == "" && (d.fault == takesTheEndForTheStop && end.Kind == transport.EndEOF || d.fault == takesAResetForTheStop && end.Kind == transport.EndBroken):
		d.stop = events.StopEnd
	case end.Kind == transport.EndError, d.stop == "", d.fault == failsWithoutTheEnd && end.Kind == transport.EndBroken:
		f := end.Failure
		f.Usage = d.usage
		f.Usage.Final = d.fault == takesAnyCountForFinal && !d.usage.Reported()
		if f.Usage.Final {
			f.Usage.Input, f.Usage.Output = events.Known(0), events.Known(0)
		}
		return events.NewFailed(f)
	case d.unusable:
		return events.NewFailed(events.NewFailure(events.InvalidReply, events.ReasonUnusableUsage, "the counts cannot be used"))
	}
	d.usage.Final = d.usage.Reported() && d.fault != tellsNoFinalCounts
	c := events.Completion{Stop: d.stop, RawStop: d.why, Usage: d.usage}
	if d.fault == takesAbsentForZero && !d.usage.Reported() {
		c.Usage.Input, c.Usage.Output, c.Usage.Final = events.Known(0), events.Known(0), true
	}
	if d.fault == losesTheRawStop {
		c.RawStop = ""
	}
	if d.seal != "" {
		c.Data = events.ProviderData{Format: toyFormat, Origin: "toy", Value: d.seal}
	}
	return events.NewCompleted(c)
}

// mint gives a call an id of our own where its own cannot be used.
func (d *toyDecoder) mint(c *events.ToolCall) {
	used := func(id string) bool {
		return id == "" || slices.ContainsFunc(d.calls, func(o *openCall) bool { return o.call.ID == id })
	}
	if d.fault == makesItsOwnIDs {
		c.ID = "toy-" + strconv.Itoa(d.next)
		return
	}
	for used(c.ID) {
		c.ID, c.Minted = request.MintedID(d.minted), true
		d.minted++
	}
}
