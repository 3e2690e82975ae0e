package events_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/weirsdk/weir/events"
)

func Example() {
	reply := []events.Event{
		events.NewStarted(events.Start{Model: "m-1"}),
		events.NewTextDelta(0, "Weirs measure "),
		events.NewTextDelta(0, "water."),
		events.NewFailed(events.NewFailure(events.InvalidReply, events.ReasonTruncated, "the body ended early")),
	}
	for _, ev := range reply {
		switch ev.Kind {
		case events.TextDelta:
			fmt.Print(ev.Text)
		case events.Failed:
			fmt.Println()
			fmt.Println(errors.Is(ev.Err(), &events.Failure{Kind: events.InvalidReply}), ev.Err())
		}
	}
	// Output:
	// Weirs measure water.
	// true invalid_reply/truncated: the body ended early
}

func ExampleAsFailure() {
	slow := events.NewFailure(events.RateLimited, events.ReasonRateLimit, "slow down")
	slow.RetryAfter = 2 * time.Second
	err := fmt.Errorf("chat: %w", slow)

	fmt.Println(errors.Is(err, &events.Failure{Kind: events.RateLimited}))
	fmt.Println(errors.Is(err, &events.Failure{Kind: events.RateLimited, Reason: events.ReasonQuota}))
	if f, ok := events.AsFailure(err); ok && f.Retryable() {
		fmt.Println("again in", f.RetryAfter)
	}
	// Output:
	// true
	// false
	// again in 2s
}

func ExampleAppendJSON() {
	fmt.Printf("%s\n", events.AppendJSON(nil, events.NewTextDelta(0, "1 < 2")))
	// Output:
	// {"kind":"text_delta","index":0,"text":"1 < 2"}
}

func ExampleCheckArguments() {
	fmt.Println(events.CheckArguments(`{"n":12345678901234567890}`) == nil)
	fmt.Println(events.CheckArguments(`{"n":1,"\u006e":2}`).Kind)
	// Output:
	// true
	// duplicate_key
}
