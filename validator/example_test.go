package validator_test

import (
	"errors"
	"fmt"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/validator"
)

func ExampleValidator() {
	var v validator.Validator
	for _, ev := range []events.Event{
		events.NewStarted(events.Start{}),
		events.NewTextDelta(0, "Hello"),
		events.NewTextDelta(2, "!"), // 1 is next
		events.NewCompleted(events.Completion{Stop: events.StopEnd}),
	} {
		var bad *validator.Violation
		if err := v.Observe(ev); errors.As(err, &bad) {
			fmt.Println(bad.Rule, "at event", bad.Event)
		}
	}
	sum, err := v.Finish()
	fmt.Println(sum.Events, "events,", sum.TextBytes, "bytes of text,", sum.Stop, err)
	// Output:
	// G05 at event 3
	// 3 events, 5 bytes of text, end <nil>
}

func ExampleGuard() {
	broken := func(yield func(events.Event) bool) {
		_ = yield(events.NewStarted(events.Start{})) &&
			yield(events.NewTextDelta(0, "Hello"))
		// ... and the stream ends without a terminal.
	}
	for ev := range validator.Guard(broken) {
		switch ev.Kind {
		case events.TextDelta:
			fmt.Println(ev.Text)
		case events.Failed:
			f, _ := ev.Failure()
			fmt.Println(f.Kind, f.Reason)
		}
	}
	// Output:
	// Hello
	// invalid_reply protocol_violation
}
