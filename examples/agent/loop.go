package main

import (
	"context"
	"io"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// An agent quotes orders: a model, tools, and the run that bounds both.
type agent struct {
	model *caller.Caller
	run   *caller.Run
	tools caller.Tools
	out   io.Writer
}

// quote asks the model, runs the tools that it calls, tells it what came of them, and
// asks again, until there is an answer or the run allows no more. Nothing else ends
// the loop: MaxCalls does.
func (a *agent) quote(ctx context.Context, order string) (Quote, error) {
	ctx = caller.WithRun(ctx, a.run)
	req := request.Request{
		System:   system,
		Messages: []request.Message{request.UserText(order)},
		Tools:    a.tools.Declared(),
	}
	for {
		quote, result, err := caller.As[Quote](ctx, a.model, req)
		reply := result.Reply // never nil
		if reply.Outcome() != stream.OutcomeToolRequest {
			return quote, err
		}
		answers := a.run.Answer(ctx, reply, a.tools.Handle)
		showTurn(a.out, reply, answers)
		req.Messages = append(req.Messages, reply.Turn(), answers)
	}
}

const system = "You quote orders of a small shop. Look up every article, and the shipping of the whole weight. " +
	"Ask for the handling of fragile articles. Amounts are in cents."

// A Quote is the answer, in the form that the model is asked for.
type Quote struct {
	Lines         []Line `json:"lines"`
	ShippingCents int64  `json:"shipping_cents"`
	TotalCents    int64  `json:"total_cents" description:"All lines and the shipping."`
	Note          string `json:"note" description:"What the customer should know, in one sentence."`
}

// A Line is one article of a quote.
type Line struct {
	SKU         string `json:"sku"`
	Quantity    int    `json:"quantity"`
	AmountCents int64  `json:"amount_cents"`
}
