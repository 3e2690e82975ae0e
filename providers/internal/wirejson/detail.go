package wirejson

import "github.com/weirsdk/weir/events"

const noKey = " (no key is configured)"

// ExplainRefusal says in the detail of a rejected/auth failure that no credential
// is configured. Call it where there is none; a nil failure, and any other, it
// leaves alone.
func ExplainRefusal(f *events.Failure) {
	if f != nil && f.Kind == events.Rejected && f.Reason == events.ReasonAuth {
		f.Detail = events.CutText(f.Detail, events.MaxDetail-len(noKey)) + noKey
	}
}

// BadToolArguments returns the failure of a reply that calls a tool with
// arguments that are none. Some servers say tool_calls of a reply that the output
// limit cut (vllm-project/vllm issue 58228, of the public reports): where the
// reported output is exactly the limit, which is 0 for none, the detail says so.
func BadToolArguments(detail string, output events.Count, limit int) *events.Failure {
	if n, known := output.Get(); known && limit > 0 && n == int64(limit) {
		detail = "possibly cut by the output limit: " + detail
	}
	return events.NewFailure(events.InvalidReply, events.ReasonBadToolArguments, detail)
}

// Failed returns the terminal of a reply that failed, with the usage so far. Without a
// failure the body ended properly and before the reply did, as detail says.
func Failed(f *events.Failure, usage events.Usage, detail string) events.Event {
	if f == nil {
		f = events.NewFailure(events.InvalidReply, events.ReasonTruncated, detail)
	}
	told := *f
	told.Usage = usage
	return events.NewFailed(&told)
}
