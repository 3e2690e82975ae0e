package stream

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// Answer runs the calls of a reply that ended with tool_use and returns the turn
// that answers them, one result for each call of [Reply.Turn]:
//
//	req.Messages = append(req.Messages, reply.Turn(), reply.Answer(run))
//
// run is called for each executable call, in the order of their blocks, one at a
// time and on this goroutine. Its text is the result. Its error is the result too,
// as a request.ResultError with the error's text, and does not keep the next call
// from running: what run returns, the model reads. An invalid call (the Report
// policy of validator.ForRequest) is never run; its result is its issue, so that
// the model can correct itself.
//
// Of any other reply there is nothing to answer: run is not called, and the turn
// has no blocks and is not to be appended. A panic of run is the caller's. For
// calls at the same time, results with images, or a stop at the first error, build
// the turn from [Reply.ToolCalls] and [Reply.InvalidCalls].
func (r *Reply) Answer(run func(events.ToolCall) (string, error)) request.Message {
	if r.Outcome() != OutcomeToolRequest {
		return request.Results()
	}
	var results []request.Block
	for _, c := range r.AllCalls() {
		switch {
		case c.Open:
			// It never ended and is not part of the turn.
		case c.Issue != nil:
			results = append(results, request.ResultError(c.ID, c.Issue.Error()))
		default:
			results = append(results, resultOf(run, c.ToolCall))
		}
	}
	return request.Results(results...)
}

func resultOf(run func(events.ToolCall) (string, error), call events.ToolCall) request.Block {
	text, err := run(call)
	if err != nil {
		return request.ResultError(call.ID, err.Error())
	}
	return request.Result(call.ID, text)
}
