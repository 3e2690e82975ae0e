package replay

import (
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

// A Reply is what a [Scripted] model answers to one request. It comes from [Says],
// [Calls], [Fails], [Waits] or [Events]; the zero Reply is Says(""). It is a value:
// its methods return a changed copy, and it may be given by several models at once.
type Reply struct {
	text   string
	calls  []events.ToolCall
	stop   events.Stop
	usage  events.Usage
	failed *events.Failure
	waits  bool
	silent bool // a reply that waits from the start
	onWait func()
	events []events.Event // as they are; nil: of the rest
}

// Says is a reply of text, in a delta for each word. It ends as events.StopEnd.
func Says(text string) Reply { return Reply{text: text} }

// Calls is a reply of tool calls, the arguments of each in two fragments. It ends
// as events.StopToolUse. A call without an id gets one, marked as minted, that is
// unique in the conversation; empty arguments are {}. Arguments that are no JSON
// object break the grammar; for those of a model that errs see [Events].
func Calls(calls ...events.ToolCall) Reply { return Reply{calls: slices.Clone(calls)} }

// Call is a tool call for [Calls]: name and arguments, a JSON object.
func Call(name, arguments string) events.ToolCall {
	return events.ToolCall{Name: name, Arguments: arguments}
}

// Fails is a reply that is a failure, before any content unless [Reply.WithText]
// gives it some. What a caller makes of it depends on f as of a real one: set
// Status (or Sent) to fail as an HTTP error does, which costs nothing. With neither
// the provider may have seen the request, and it is charged. A nil f is a failure of
// kind other. A kind that there is none is a mistake of the script, see [Scripted].
func Fails(f *events.Failure) Reply {
	if f == nil {
		f = events.NewFailure(events.Other, "", "the script says so")
	}
	told := *f
	if told.Sent == "" && told.Status != 0 {
		told.Sent = events.Answered
	}
	return Reply{failed: &told}
}

// Waits is a reply that never comes: it waits until the context ends or a clock of
// the call does (cancel.WithClocks), and fails with the reason. Nothing is handed on
// before, so that of the clocks only the first token and the call run, and whether
// the request arrived is not known (events.MaybeSent). To wait in the middle of a
// reply see [Reply.ThenWaits], to act while it waits [Reply.OnWait].
func Waits() Reply { return Reply{waits: true, silent: true} }

// Events is a reply of these events, as they are. A script that breaks the grammar
// of package validator fails as invalid_reply/protocol_violation, and so does one
// without a terminal. The With methods do not change it.
func Events(evs ...events.Event) Reply {
	return Reply{events: append([]events.Event{}, evs...)}
}

// WithText returns the reply with text before all else.
func (r Reply) WithText(text string) Reply {
	r.text = text
	return r
}

// WithUsage returns the reply with these tokens reported as final: of the whole
// prompt and of the whole output, with no cached part and no thinking. Without it a
// reply reports no usage, which is unknown and not zero, as of a provider that
// reports none: callers then charge an estimate. Of a failure, and of the one that a
// wait ends with, it is what was reported until then.
func (r Reply) WithUsage(input, output int64) Reply {
	none := events.Known(0)
	r.usage = events.Usage{
		Input: events.Known(input), CacheRead: none, CacheWrite: none, CacheWriteLong: none,
		Output: events.Known(output), Thinking: none, Final: true,
	}
	return r
}

// WithStop returns the reply ending with another stop: events.StopLength for one
// that was cut, events.StopRefusal ... The calls of such a reply are not executable.
func (r Reply) WithStop(stop events.Stop) Reply {
	r.stop = stop
	return r
}

// ThenWaits returns the reply without its terminal: it waits there, until the context
// ends or a clock of the call does. The clocks run as over a network: Idle since the
// last event, Stall since the last content, FirstToken where there was none.
func (r Reply) ThenWaits() Reply {
	r.waits = true
	if n := len(r.events); n > 0 && r.events[n-1].Kind.IsTerminal() {
		r.events = slices.Clone(r.events[:n-1])
	}
	return r
}

// OnWait returns the reply with a function that is called when its wait begins, so
// that a test can act while the model waits: press stop, or close a channel that
// another goroutine reads. Of a reply that does not wait it is never called.
//
// begins runs on the goroutine that ranges the stream, each time that the reply is
// given, in the wait: the clocks run and it must not itself wait for the end of the
// reply. A panic of it is one of the model.
func (r Reply) OnWait(begins func()) Reply {
	r.onWait = begins
	return r
}

// reported returns the usage that a reply that waits has reported by then.
func (r Reply) reported() events.Usage {
	if r.events != nil {
		return events.Usage{}
	}
	return r.usage
}

// isSilent reports whether nothing of the reply comes before it waits.
func (r Reply) isSilent() bool {
	return r.waits && r.silent && r.text == "" && !r.usage.Reported()
}

// play returns the events of the reply. Ids are minted from firstMinted on.
func (r Reply) play(firstMinted int) []events.Event {
	if r.events != nil {
		return r.events
	}
	if r.isSilent() {
		return nil
	}
	played := []events.Event{events.NewStarted(events.Start{})}
	for _, piece := range pieces(r.text) {
		played = append(played, events.NewTextDelta(0, piece))
	}
	first := min(len(played)-1, 1) // the text, if there is any, is block 0
	given := func(id string) bool {
		return slices.ContainsFunc(r.calls, func(c events.ToolCall) bool { return c.ID == id })
	}
	for i, call := range r.calls {
		if call.ID == "" {
			call.ID, call.Minted = request.MintID(&firstMinted, given), true
		}
		played = append(played, callEvents(first+i, call)...)
	}
	if r.waits {
		return played
	}
	return append(played, r.terminal())
}

func (r Reply) terminal() events.Event {
	if r.failed != nil {
		f := *r.failed
		f.Usage = f.Usage.Merge(r.usage)
		return events.NewFailed(&f)
	}
	stop := r.stop
	switch {
	case stop != "":
	case len(r.calls) > 0:
		stop = events.StopToolUse
	default:
		stop = events.StopEnd
	}
	return events.NewCompleted(events.Completion{Stop: stop, RawStop: string(stop), Usage: r.usage})
}

// callEvents returns the events of one whole call.
func callEvents(index int, call events.ToolCall) []events.Event {
	if call.Arguments == "" {
		call.Arguments = "{}"
	}
	half := events.CutText(call.Arguments, len(call.Arguments)/2)
	evs := []events.Event{events.NewToolCallStarted(index, call.ID, call.Name, call.Minted)}
	for _, part := range []string{half, call.Arguments[len(half):]} {
		for part != "" {
			piece := events.CutText(part, validator.DefaultLimits().DeltaBytes)
			evs = append(evs, events.NewToolArgumentsDelta(index, piece))
			part = part[len(piece):]
		}
	}
	return append(evs, events.NewToolCallCompleted(index, call))
}

// pieces cuts a text after its spaces, so that each delta is a word.
func pieces(text string) []string {
	var all []string
	for piece := range strings.SplitAfterSeq(text, " ") {
		for piece != "" {
			part := events.CutText(piece, validator.DefaultLimits().DeltaBytes)
			all = append(all, part)
			piece = piece[len(part):]
		}
	}
	return all
}
