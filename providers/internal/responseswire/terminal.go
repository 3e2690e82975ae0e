package responseswire

import (
	"slices"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// terminal takes the frame that ends the response. Of its type and its status the one
// counts that says less than "completed": gateways send that for all, and a status may
// be left as it was. An error in it is the response's end too.
func (d *decoder) terminal(frame string, o *fastjson.Object) error {
	response := o.Get("response")
	usage := response.Get("usage")
	// Before anything in it is read, which would change how it is written.
	raw := wirejson.Raw(usage)
	status := wirejson.String(response.Get("status"))
	if status == "" || endsShort(frame) && !endsShort(status) {
		status = frame
	}
	if status == "done" {
		status = "completed"
	}
	d.begin(response)
	d.report(usage, raw)
	if err := failureIn(status, response, o.Get("error")); err != nil {
		return err
	}
	if err := d.snapshot(response.GetArray("output")); err != nil {
		return err
	}
	d.settle(status, wirejson.String(response.Get("incomplete_details", "reason")))
	return nil
}

// endsShort reports whether a word says that the response did not end as it should.
func endsShort(word string) bool {
	return word == "incomplete" || word == "failed" || word == "cancelled"
}

// failureIn returns the failure of a response that failed or was cancelled; beside is
// the error that some tell beside the response (Perplexity).
func failureIn(status string, response, beside *fastjson.Value) error {
	if inner := response.Get("error"); inner.GetObject() != nil || len(inner.GetStringBytes()) > 0 {
		if e, ok := openaierror.Of(response); ok {
			return e.Failure()
		}
	}
	switch status {
	case "failed":
		if e, ok := openaierror.Of(beside); ok {
			return e.Failure()
		}
		return openaierror.Error{Message: "the response failed, without a word of why"}.Failure()
	case "cancelled":
		// By somebody else, who asked the provider to.
		f := events.NewFailure(events.Other, "", "the response was cancelled at the provider")
		f.ProviderCode = status
		return f
	default:
		return nil
	}
}

// snapshot takes the items that the end of the response repeats, for those that did
// not end themselves or were never told: some servers end none, and some tell nothing
// but this. The list may be empty although there were items (ChatGPT's backend,
// recordings). What is new stands where the list has it: reasoning goes back before what
// it led to.
func (d *decoder) snapshot(output []*fastjson.Value) error {
	if len(output) > maxItems {
		return tooManyItems()
	}
	raws := make([]string, len(output))
	for n, v := range output {
		raws[n] = wirejson.Raw(v)
	}
	alone, next := len(d.items) == 0, 0
	for n, it := range d.toldOf(output) {
		v := output[n]
		var err error
		switch {
		case it == nil && !hasType(v) && alone:
			return malformed("an item without a type")
		case it == nil && !hasType(v):
			d.passOver("output item without a type")
			continue
		case it == nil:
			if it, err = d.newItem(n, v); err == nil {
				last := len(d.items) - 1
				d.items = slices.Insert(d.items[:last], next, it)
			}
		}
		if err == nil && !it.done {
			err = d.endItem(it, v, raws[n])
		}
		if err != nil {
			return err
		}
		next = slices.Index(d.items, it) + 1
	}
	return nil
}

// toldOf returns for each item of a list the one that was told of it, nil for none: that
// of its id or its call's, else the next of its kind. A list may leave items out, and
// some gateways give new ids (see item.key).
func (d *decoder) toldOf(output []*fastjson.Value) []*item {
	told := make([]*item, len(output))
	left := slices.Clone(d.items)
	take := func(n int, is func(*item) bool) {
		if told[n] != nil {
			return
		}
		if i := slices.IndexFunc(left, is); i >= 0 {
			told[n] = left[i]
			left = slices.Delete(left, i, i+1)
		}
	}
	for n, v := range output {
		id, call := wirejson.String(v.Get("id")), wirejson.String(v.Get("call_id"))
		kind := d.profile.kindOfItem(v)
		take(n, func(it *item) bool {
			return it.kind == kind && (id != "" && it.id == id || call != "" && it.call != nil && it.call.wireID == call)
		})
	}
	for n, v := range output {
		kind := d.profile.kindOfItem(v)
		take(n, func(it *item) bool { return it.kind == kind })
	}
	return told
}

// settle takes the evidence that the response has ended.
func (d *decoder) settle(status, reason string) {
	d.rawStop = status
	d.stop = stopOf(status)
	if d.stop == events.StopLength && reason != "" {
		d.rawStop = reason
		if reason == "content_filter" {
			d.stop = events.StopContentFilter
		}
	}
	calls := 0
	said, refused := false, false
	for _, it := range d.items {
		if it.kind == callItem {
			calls++
		}
		for _, p := range it.parts {
			said = said || p.kind == textPiece && p.index >= 0
			refused = refused || p.kind == refusalPiece && p.index >= 0
		}
	}
	switch {
	case calls > 0 && !d.stop.Cuts():
		d.stop = events.StopToolUse
	case calls == 0 && refused && !said:
		d.stop = events.StopRefusal
	}
	d.endCalls()
	d.settled = true
}

// stopOf maps the status of a response. There is no status for tool calls: the items
// say it. An incomplete response is cut, whatever the reason: max_output_tokens and
// content_filter are those that are known (openai-go v3.52, read August to October
// 2026).
func stopOf(status string) events.Stop {
	switch status {
	case "completed":
		return events.StopEnd
	case "incomplete":
		return events.StopLength
	default:
		return events.StopOther
	}
}
