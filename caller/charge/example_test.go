package charge_test

import (
	"fmt"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
)

// A stream that broke after it had told the size of the prompt.
func Example() {
	attempt := charge.Attempt{Estimate: charge.Estimate{Input: 100, Output: events.Known(50)}}
	for _, ev := range []events.Event{
		events.NewStarted(events.Start{}),
		events.NewUsageUpdated(events.Usage{Input: events.Known(120), Output: events.Known(1)}),
		events.NewTextDelta(0, "Once upon"),
		events.NewFailed(&events.Failure{Kind: events.InvalidReply, Reason: events.ReasonLostConnection, Sent: events.Answered}),
	} {
		attempt.Observe(ev)
	}
	c := charge.Settle(attempt)
	fmt.Println(c.Status, c.Certainty)
	fmt.Println("charged", c.Usage.Input, c.Usage.Output)
	fmt.Println("known", c.Known.Input, c.Known.Output)
	// Output:
	// ambiguous estimated
	// charged 120 50
	// known 120 1
}
