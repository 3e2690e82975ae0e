package stream_test

import (
	"fmt"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// answer stands for the stream of a model.
func answer() stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		for _, ev := range []events.Event{
			events.NewStarted(events.Start{Model: "demo"}),
			events.NewTextDelta(0, "Good "),
			events.NewTextDelta(0, "day."),
			events.NewCompleted(events.Completion{Stop: events.StopEnd, Usage: events.Usage{Output: events.Known(3)}}),
		} {
			if !emit(ev) {
				return
			}
		}
	})
}

func ExampleCollect() {
	reply, err := stream.Collect(answer())
	fmt.Println(reply.Text(), reply.Outcome(), reply.Usage().Output, err)
	// Output: Good day. final 3 <nil>
}

func ExampleReply() {
	var reply stream.Reply
	for ev := range answer() {
		reply.Add(ev)
		if ev.Kind == events.TextDelta {
			fmt.Print(ev.Text, "|")
		}
	}
	fmt.Println(reply.Turn().Blocks[0].Text)
	// Output: Good |day.|Good day.
}

func ExampleText() {
	for piece, err := range stream.Text(answer()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(piece)
	}
	// Output: Good day.
}

func ExampleTap() {
	var reply stream.Reply
	for range stream.Tap(answer(), reply.Add) {
		continue
	}
	fmt.Println(reply.Outcome())
	// Output: final
}

func ExampleCoalesce() {
	for ev := range stream.Coalesce(answer(), 64) {
		fmt.Println(ev.Kind)
	}
	// Output:
	// started
	// text_delta
	// completed
}

func ExampleFail() {
	_, err := stream.Collect(stream.Fail(events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, "no model")))
	fmt.Println(err)
	// Output: invalid_request/bad_config: no model
}
