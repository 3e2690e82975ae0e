package ollamawire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// finish reads the done line.
func (d *decoder) finish(emit func(events.Event) bool) {
	usage, err := usageOf(&d.line)
	d.unusable, _ = events.AsFailure(err)
	d.completion.Usage = usage
	d.completion.RawStop = wirejson.String(d.line.doneReason)
	d.completion.Stop = stopOf(d.completion.RawStop, d.whole)
	d.completion.Data = dataOf(d.origin, d.thought)
	d.done = true
	if usage.Inconsistent {
		emit(events.NewNotice(events.NoticeUsageInconsistent, "more cached prompt tokens than prompt tokens"))
	}
}

// stopOf maps done_reason. With a completed call the words that only say that
// the model had finished mean the call: ollama has no word of its own for that.
func stopOf(raw string, calls bool) events.Stop {
	switch {
	case raw == "length":
		return events.StopLength
	case calls:
		return events.StopToolUse
	case raw == "stop":
		return events.StopEnd
	case raw == "":
		return events.StopUnknown
	default: // load, unload, and words that are not known yet
		return events.StopOther
	}
}

// usageOf reads the counts. A count that cannot be one leaves the others.
func usageOf(l *line) (events.Usage, error) {
	var u events.Usage
	var first error
	for _, f := range []struct {
		name  string
		value *fastjson.Value
		count *events.Count
	}{
		{"prompt_eval_count", l.prompt, &u.Input},
		{"prompt_eval_cached_count", l.cached, &u.CacheRead},
		{"eval_count", l.output, &u.Output},
	} {
		n, err := wirejson.Count(f.name, f.value)
		if err != nil && first == nil {
			first = err
		}
		*f.count = n
	}
	if cached, ok := u.CacheRead.Get(); ok && cached > u.Input.Or(cached) {
		u.Input, u.Inconsistent = u.CacheRead, true
	}
	u.Final = u.Reported()
	return u, first
}

// End returns the terminal.
func (d *decoder) End(end transport.End) events.Event {
	f := d.failure(end)
	if f == nil {
		return events.NewCompleted(d.completion)
	}
	return wirejson.Failed(f, d.completion.Usage, "")
}

// failure is why the reply is not Completed, or nil.
func (d *decoder) failure(end transport.End) *events.Failure {
	switch {
	case !d.done && end.Failure != nil:
		return end.Failure
	case !d.done:
		return events.NewFailure(events.InvalidReply, events.ReasonTruncated, "the body ended before the done line")
	case d.unusable != nil:
		return d.unusable
	case d.broken && !d.completion.Stop.Cuts():
		return events.NewFailure(events.InvalidReply, events.ReasonBadToolArguments,
			"the arguments of a tool call are not one JSON object")
	default:
		return nil
	}
}
