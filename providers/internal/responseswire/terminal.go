package responseswire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// terminal takes the frame that ends the response. Its status counts, where it has
// one: gateways send "completed" for all. An error in it is the response's end too.
func (d *decoder) terminal(frame string, o *fastjson.Object) error {
	response := o.Get("response")
	usage := response.Get("usage")
	// Before anything in it is read, which would change how it is written.
	raw := wirejson.Raw(usage)
	status := wirejson.String(response.Get("status"))
	if status == "" {
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
// not end themselves: some servers end none, and some tell nothing but this. The
// list may be empty although there were items (ChatGPT's backend, recordings).
func (d *decoder) snapshot(output []*fastjson.Value) error {
	alone := len(d.items) == 0
	for n, v := range output {
		raw := wirejson.Raw(v)
		id, _ := wirejson.Text(v.Get("id"))
		if it := d.find(n, id); !alone && (it == nil || it.done || it.id != string(id)) {
			continue
		}
		if err := d.finishItem(n, v, raw); err != nil {
			return err
		}
	}
	return nil
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
