package responseswire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
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
	limit   int // of the output in tokens, 0 for none

	parser wirejson.Parser
	arena  wirejson.Arena
	memo   memo
	emit   func(events.Event) bool
	// left: the consumer is gone, nothing is emitted any more.
	left bool

	started bool
	// The service tiers: that which Started told, and another that a later frame tells.
	asked, served string

	items     []*item // in the order of their starts
	parts     int     // of all items
	thoughts  *part   // that belong to no item
	nextIndex int
	minted    int // the n of the next minted id
	unknown   []string

	usage    events.Usage
	cost     *events.Cost
	unusable error // the first counter that was not a count

	settled   bool // the terminal evidence was read and every call is over
	stop      events.Stop
	rawStop   string
	completed int             // calls
	bad       *events.Failure // what is wrong with a reply that ended properly
	broken    string          // the first call whose arguments are none
	kept      int             // bytes to be sent back
	held      int             // bytes of what no event has told yet
	callBytes int             // of the ids and arguments of all calls
}

// Frame decodes one frame, see [transport.Decoder].
func (d *decoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	d.emit = emit
	var err error
	if !d.settled && !isMarker(frame.Data) {
		err = d.decode(frame)
	}
	if err == nil && d.kept > MaxData {
		err = tooMuch()
	}
	if d.left {
		err = nil
	}
	if d.settled {
		return transport.Ended, err
	}
	return transport.Open, err
}

// isMarker reports whether the data is the end marker of another wire, which some
// gateways send. It ends nothing here.
func isMarker(data []byte) bool {
	return len(data) < 16 && string(bytes.TrimSpace(data)) == "[DONE]"
}

func (d *decoder) decode(frame transport.Frame) error {
	if d.repeat(frame) {
		return nil
	}
	v, err := d.parser.Parse(frame.Data)
	switch {
	case err == nil:
		d.memo.clear()
		if err = d.dispatch(frame, v); err == nil {
			d.memo.learn(frame)
		}
		return err
	case string(frame.Name) == "error":
		return openaierror.Error{Message: "error event of the provider"}.Failure()
	default:
		return err
	}
}

func (d *decoder) dispatch(frame transport.Frame, v *fastjson.Value) error {
	o := v.GetObject()
	if o == nil {
		return malformed("a frame is no JSON object")
	}
	text, ok := wirejson.Text(o.Get("type"))
	if !ok || len(text) == 0 {
		text = frame.Name
	}
	name, isResponse := bytes.CutPrefix(text, []byte("response."))
	if isResponse {
		if known, err := d.response(string(name), o); known {
			return err
		}
	}
	switch string(text) {
	case "error":
		return errorEvent(v)
	case "ping", "keepalive":
		return nil
	}
	// A tool that failed is no failure of the response.
	progress := isResponse && isProgress(string(name))
	if e, ok := openaierror.Of(v); ok && !progress && (isSet(o.Get("error")) || len(text) == 0) {
		return e.Failure()
	}
	if !d.started {
		d.start(events.Start{})
	}
	switch {
	case d.profile.Thoughts && strings.HasPrefix(string(name), "reasoning."):
		d.thought(o.Get("thought"))
	case !isProgress(string(name)):
		d.passOver("frame " + string(text))
	}
	return nil
}

func isSet(v *fastjson.Value) bool { return v != nil && v.Type() != fastjson.TypeNull }

// errorEvent reads the event that ends a response for an error: OpenAI sends code
// and message flat or in an object error (recordings), gateways either.
func errorEvent(v *fastjson.Value) error {
	e, ok := openaierror.Of(v)
	if !ok {
		e.Message = "error event of the provider"
	}
	return e.Failure()
}

// response takes a frame by its type without "response.", and reports whether it is
// one that means something here.
func (d *decoder) response(name string, o *fastjson.Object) (known bool, err error) {
	if kind, what, ok := pieceOf(name); ok {
		switch {
		case what == "delta" && kind == argumentsPiece:
			return true, d.argumentsDelta(o)
		case what == "delta":
			return true, d.delta(kind, o)
		case kind == argumentsPiece:
			return true, d.argumentsDone(o)
		default:
			return true, d.textDone(kind, o)
		}
	}
	switch name {
	case "output_item.added":
		return true, d.itemAdded(o)
	case "output_item.done":
		return true, d.itemDone(o)
	case "content_part.done", "reasoning_part.done", "reasoning_summary_part.done":
		return true, d.partDone(o)
	case "output_text.annotation.added":
		return true, d.annotation(o)
	case "created", "queued", "in_progress":
		d.begin(o.Get("response"))
	case "completed", "done", "incomplete", "failed", "cancelled":
		return true, d.terminal(name, o)
	default:
		return false, nil
	}
	return true, nil
}

// isProgress reports whether a frame tells only that something goes on, or in pieces
// what the end of its item says whole: the parts that begin, and the work of hosted
// tools (web_search_call.searching, code_interpreter_call_code.delta,
// mcp_list_tools.in_progress, the images before the last ...).
func isProgress(name string) bool {
	switch name {
	case "content_part.added", "reasoning_part.added", "reasoning_summary_part.added", "compaction.compacting":
		return true
	default:
		return strings.Contains(name, "_call") || strings.HasPrefix(name, "mcp_list_tools.")
	}
}

// begin emits Started with what the response says of itself, once. The tier is that
// which was asked for until the response ends ("auto", then "default": recordings).
func (d *decoder) begin(response *fastjson.Value) {
	tier := wirejson.String(response.Get("service_tier"))
	if d.started {
		if tier == d.asked {
			d.served = ""
		} else if tier != "" {
			d.served = tier
		}
		return
	}
	s := events.Start{ResponseID: wirejson.String(response.Get("id")), Model: wirejson.String(response.Get("model"))}
	if d.asked = tier; tier != "" {
		s.Metadata = map[string]string{"service_tier": tier}
	}
	d.start(s)
}

// start emits Started, once.
func (d *decoder) start(s events.Start) {
	if d.started {
		return
	}
	d.started = true
	d.send(events.NewStarted(s))
}

// send emits an event, after Started if need be.
func (d *decoder) send(e events.Event) {
	if !d.started {
		d.start(events.Start{})
	}
	d.left = d.left || !d.emit(e)
}

// sendDelta emits a piece of text for the block of that index.
func (d *decoder) sendDelta(kind events.Kind, index int, text []byte) {
	if !d.started {
		d.start(events.Start{})
	}
	if !d.left {
		d.left = !transport.EmitDelta(d.emit, kind, index, d.arena.String(text))
	}
}

// takeIndex returns the next index of the response.
func (d *decoder) takeIndex() int {
	d.nextIndex++
	return d.nextIndex - 1
}

// passOver tells, once for each kind of thing and only a few times in all, that
// something unknown was passed over.
func (d *decoder) passOver(what string) {
	what = strings.Clone(events.CutText(what, events.MaxDetail))
	if len(d.unknown) == 8 || slices.Contains(d.unknown, what) {
		return
	}
	d.unknown = append(d.unknown, what)
	d.send(events.NewNotice(events.NoticeUnknownFrame, what))
}

// End returns the terminal event, see [transport.Decoder].
func (d *decoder) End(end transport.End) events.Event {
	if !d.settled || end.Kind == transport.EndError {
		return d.failed(end.Failure)
	}
	data := d.data()
	switch {
	case d.unusable != nil:
		f, _ := events.AsFailure(d.unusable)
		return d.failed(f)
	case d.bad != nil:
		return d.failed(d.bad)
	case d.broken != "":
		return d.failed(wirejson.BadToolArguments(d.broken, d.usage.Output, d.limit))
	case len(data.Value) > MaxData:
		return d.failed(tooMuch())
	}
	return events.NewCompleted(events.Completion{
		Stop: d.stop, RawStop: d.rawStop, ServiceTier: d.served, Usage: d.usage, Cost: d.cost, Data: data,
	})
}

func (d *decoder) failed(f *events.Failure) events.Event {
	return wirejson.Failed(f, d.usage, "the body ended before the response did")
}

// hold counts bytes that are held before any event tells them, so that no consumer can
// stop it.
func (d *decoder) hold(size int) error {
	if d.held += size; d.held > MaxData {
		return tooLarge("ids, names and sources above nearly 4 MiB")
	}
	return nil
}

func malformed(text string) error {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, text)
}

func tooLarge(text string) error {
	return events.NewFailure(events.InvalidReply, events.ReasonTooLarge, text)
}

func tooMuch() *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonTooLarge, "nearly 4 MiB or more to be sent back with the turn")
}
