package chatwire

import "github.com/weirsdk/weir/events"

// brokenBy returns what a finish_reason says of a reply that broke at the provider.
// "error" is OpenRouter's and Mistral's, network_error that of Z.AI ("the inference
// failed": docs.bigmodel.cn, API reference), abort vLLM's of an engine that gave up
// (github.com/vllm-project/vllm, issue 57082): read 2026-12-01. With DeepSeek's
// insufficient_system_resource "the request is interrupted" (docs.rs, openai-interface
// 0.12.0, FinishReason, read likewise): a text is the reader's to judge by RawStop, but
// what a call holds then may be a part that happens to parse.
func (d *decoder) brokenBy(raw string) (reason events.Reason, broken bool) {
	switch raw {
	case "error", "network_error", "abort":
		return events.ReasonServer, true
	case "insufficient_system_resource":
		return events.ReasonOverloaded, len(d.calls) > 0
	default:
		return "", false
	}
}

// stopOf translates a finish_reason. model_length is Mistral's word for a full
// context window, function_call OpenAI's old word for a tool call (the vendors'
// SDKs and docs, read August to October 2026), sensitive Z.AI's for what its filter
// stopped (docs.bigmodel.cn, API reference, read 2026-12-01).
func stopOf(raw string) events.Stop {
	switch raw {
	case "":
		return events.StopUnknown
	case "stop":
		return events.StopEnd
	case "length", "model_length":
		return events.StopLength
	case "tool_calls", "function_call":
		return events.StopToolUse
	case "content_filter", "sensitive":
		return events.StopContentFilter
	default:
		return events.StopOther
	}
}

// settle turns the provider's reason into the reply's, by what it holds.
func (d *decoder) settle(stop events.Stop) events.Stop {
	switch {
	case len(d.calls) > 0 && !stop.Cuts():
		return events.StopToolUse
	case len(d.calls) == 0 && d.refusal.open && !d.text.open:
		return events.StopRefusal
	default:
		return stop
	}
}

// finish takes the reason that ends the reply; the empty one is [DONE] without
// any.
func (d *decoder) finish(raw string) error {
	if d.finished {
		return d.finishAgain(raw)
	}
	if reason, broken := d.brokenBy(raw); broken {
		f := events.NewFailure(events.Overloaded, reason, "the provider ended the reply with an error")
		f.ProviderCode = raw
		return f
	}
	d.finished, d.rawStop = true, raw
	d.stop = d.settle(stopOf(raw))
	if d.stop == events.StopToolUse && len(d.calls) == 0 {
		d.bad = events.NewFailure(events.InvalidReply, events.ReasonBadToolCall,
			"the provider says that it calls tools and calls none")
	}
	d.endUses()
	d.endAudio()
	d.endCalls()
	return nil
}

// finishAgain takes a second reason: the same one is accounting (OpenRouter
// repeats it beside the usage), one that comes to the same is told, another one
// contradicts.
func (d *decoder) finishAgain(raw string) error {
	switch {
	case raw == d.rawStop || raw == "":
		return nil
	case d.settle(stopOf(raw)) == d.stop:
		d.send(events.NewNotice(events.NoticeStopRepeated, "finish_reason "+raw+" after "+d.rawStop))
		return nil
	default:
		return malformed("finish_reason " + raw + " after " + d.rawStop)
	}
}
