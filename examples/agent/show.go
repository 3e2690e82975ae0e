package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// showSteps prints which model answers, what is tried again and what is refused, as
// it happens. Calls come one after the other here, so the output needs no lock.
func showSteps(out io.Writer) caller.Observer {
	return caller.ObserverFunc(func(_ context.Context, step caller.Step) {
		switch step.Kind {
		case caller.StepFirstContent:
			fmt.Fprintf(out, "%s answers (%s)\n", step.Model, step.Scope.Purpose)
		case caller.StepRetried:
			fmt.Fprintf(out, "%s: %s; again in %s\n", step.Model, step.Failure.Reason, step.Wait.Round(time.Millisecond))
		case caller.StepRefused:
			fmt.Fprintf(out, "%s: %s; nothing was sent (%s)\n", step.Model, step.Failure.Reason, step.Scope.Purpose)
		default:
		}
	})
}

// showTurn prints the calls of a turn and what the model is told of each.
func showTurn(out io.Writer, reply *stream.Reply, answers request.Message) {
	results := map[string]request.ToolResult{}
	for _, block := range answers.Blocks {
		results[block.Result.CallID] = block.Result
	}
	for _, call := range reply.AllCalls() {
		arguments, sign := call.Arguments, "="
		if call.Issue != nil {
			arguments = call.Text
		}
		result := results[call.ID]
		if result.IsError {
			sign = "!"
		}
		fmt.Fprintf(out, "  %s %s\n    %s %s\n", call.Name, arguments, sign, result.Content[0].Text)
	}
}

// showQuote prints the quote, or why there is none. A stop by the user is no error.
func showQuote(out io.Writer, quote Quote, err error) error {
	fmt.Fprintln(out)
	var exceeded *caller.Exceeded
	switch {
	case err == nil:
		for _, l := range quote.Lines {
			fmt.Fprintf(out, "%4d %-10s %9s\n", l.Quantity, l.SKU, dollars(l.AmountCents))
		}
		fmt.Fprintf(out, "     %-10s %9s\n     %-10s %9s\n%s\n", "shipping", dollars(quote.ShippingCents), "total", dollars(quote.TotalCents), quote.Note)
		return nil
	case errors.As(err, &exceeded):
		fmt.Fprintln(out, "The budget refused:", exceeded)
	case errors.Is(err, &events.Failure{Kind: events.Cancelled}):
		fmt.Fprintln(out, "Stopped:", err)
		return nil
	default:
		fmt.Fprintln(out, "No quote:", err)
	}
	return errReported
}

func dollars(cents int64) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }
