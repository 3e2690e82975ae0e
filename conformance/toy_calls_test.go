package conformance

import (
	"bytes"
	"encoding/json"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
)

// call begins a call or adds to its arguments.
func (d *toyDecoder) call(f toyFrame, emit func(events.Event) bool) error {
	open := d.openOf(f.N)
	switch {
	case f.T == "call" && open == nil && f.Name != "":
		o := &openCall{n: f.N, index: d.next, call: events.ToolCall{ID: f.ID, Name: d.names.Declared(f.Name)}}
		d.mint(&o.call)
		if f.Mark != "" {
			o.call.Replay = events.ProviderData{Format: toyFormat, Origin: "toy", Value: f.Mark}
		}
		d.next++
		d.calls = append(d.calls, o)
		emit(events.NewToolCallStarted(o.index, o.call.ID, o.call.Name, o.call.Minted))
		return nil
	case f.T == "args" && open != nil:
		return d.args(open, f, emit)
	default:
		return malformed("a call that begins twice or never, or has no name")
	}
}

func (d *toyDecoder) args(o *openCall, f toyFrame, emit func(events.Event) bool) error {
	if d.fault == mixesTheCalls {
		o = d.calls[len(d.calls)-1]
	}
	o.arguments = append(o.arguments, f.D...)
	if !d.fault.tellsCallsWhole() && !transport.EmitDelta(emit, events.ToolArgumentsDelta, o.index, f.D) {
		return nil
	}
	return nil
}

// tellsCallsWhole: the pieces are not told, so that what they were is not held
// against the whole.
func (fl fault) tellsCallsWhole() bool {
	switch fl {
	case reencodesTheArguments, roundsTheArguments, takesTheFirstValue, mendsTheArguments:
		return true
	default:
		return false
	}
}

func (d *toyDecoder) openOf(n int) *openCall {
	for _, o := range d.calls {
		if o.n == n {
			return o
		}
	}
	return nil
}

// end ends a call: by what its arguments are, completed or invalid.
func (d *toyDecoder) end(o *openCall, emit func(events.Event) bool) (valid bool) {
	o.over = true
	o.call.Arguments = d.fault.arguments(o.arguments)
	if issue := events.CheckArguments(o.call.Arguments); issue != nil {
		emit(events.NewToolCallInvalid(o.index, o.call, *issue))
		return false
	}
	emit(events.NewToolCallCompleted(o.index, o.call))
	return true
}

// arguments returns the text of the arguments: {} for none, else as they came.
func (fl fault) arguments(text []byte) string {
	var v any
	switch {
	case len(text) == 0 && fl != takesNoneForNull:
		return "{}"
	case fl == mendsTheArguments:
		for _, end := range []string{"", "}", "\"}", "null}"} {
			if mended := string(text) + end; events.CheckArguments(mended) == nil {
				return mended
			}
		}
	case fl == reencodesTheArguments:
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if d.Decode(&v) == nil {
			text, _ = json.Marshal(v)
		}
	case fl == roundsTheArguments:
		if json.Unmarshal(text, &v) == nil {
			text, _ = json.Marshal(v)
		}
	case fl == takesTheFirstValue:
		var first json.RawMessage
		if json.NewDecoder(bytes.NewReader(text)).Decode(&first) == nil {
			text = first
		}
	}
	return string(text)
}

// stopped is the terminal evidence: open calls are over.
func (d *toyDecoder) stopped(f toyFrame, emit func(events.Event) bool) (transport.State, error) {
	stop, known := stops()[f.Why]
	if !known {
		if d.fault == failsOnUnknownWords {
			return transport.Open, malformed("a stop that nobody knows")
		}
		stop = events.StopOther
		if d.fault == takesUnknownForEnd {
			stop = events.StopEnd
		}
	}
	if d.held != "" && d.fault == tellsTheTextAtOnce {
		transport.EmitDelta(emit, events.TextDelta, d.block(events.TextDelta.String()), d.held)
	}
	valid := 0
	for _, o := range d.calls {
		if d.ends(o, stop, emit) {
			valid++
		}
	}
	if err := d.fits(stop, valid); err != nil {
		return transport.Open, err
	}
	d.stop, d.why = d.fault.stop(stop), f.Why
	return d.state(), nil
}

// ends ends a call at the stop, and reports whether it can be executed.
func (d *toyDecoder) ends(o *openCall, stop events.Stop, emit func(events.Event) bool) bool {
	if o.over {
		return true
	}
	if stop == events.StopToolUse || d.fault == executesWithoutToolUse || d.fault == mendsTheArguments {
		return d.end(o, emit)
	}
	o.over = true
	o.call.Arguments = string(o.arguments)
	if d.fault != losesTheInvalid {
		emit(events.NewToolCallInvalid(o.index, o.call, events.Issue{Kind: events.IssueTruncated, Detail: "the reply was cut in it"}))
	}
	return false
}

// fits says what is wrong with a stop beside the calls.
func (d *toyDecoder) fits(stop events.Stop, valid int) error {
	switch {
	case stop != events.StopToolUse && len(d.calls) > 0 && !stop.Cuts() && d.fault != executesWithoutToolUse:
		return events.NewFailure(events.InvalidReply, events.ReasonBadToolCall, "calls, and a stop that says that there are none")
	case stop != events.StopToolUse || d.fault == takesAnyStop:
		return nil
	case len(d.calls) == 0:
		return events.NewFailure(events.InvalidReply, events.ReasonBadToolCall, "a stop for calls, and none came")
	case valid < len(d.calls):
		return events.NewFailure(events.InvalidReply, events.ReasonBadToolArguments, "arguments that are no object")
	default:
		return nil
	}
}

// stop returns the stop that a faulty decoder makes of another.
func (fl fault) stop(s events.Stop) events.Stop {
	switch {
	case (fl == takesEveryStopForEnd || fl == takesARefusalForText) && s != events.StopToolUse:
		return events.StopEnd
	case fl == executesWithoutToolUse && s == events.StopLength:
		return events.StopToolUse
	case fl == takesAnyStop && s == events.StopToolUse:
		return events.StopEnd
	default:
		return s
	}
}
