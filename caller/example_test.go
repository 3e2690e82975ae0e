package caller_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// An agent folds; the limits of its run end it, and the books say what it spent.
func Example() {
	ctx := context.Background()
	c := caller.New(newScript(says("a long answer", 1000, 400)), caller.Config{Prices: prices()})
	run, err := c.OpenRun(ctx, caller.RunConfig{ID: "report-7", Limits: caller.Limits{MaxCost: 4_000, MaxOutputTokensPerCall: 500}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx = caller.WithRun(ctx, run)
	req := request.Request{Messages: []request.Message{request.UserText("Write the report.")}}
	for {
		result, err := c.Generate(ctx, req)
		var refused *caller.Exceeded
		if errors.As(err, &refused) {
			fmt.Println(refused)
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(result.Reply.Text(), result.Cost, result.CostCertainty)
	}
	state, err := run.State(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	left, _ := state.Left(ledger.LimitCost)
	fmt.Println(state.Totals.OK, "calls,", events.Micros(left), "left")
	// Output:
	// a long answer $0.001800 exact
	// a long answer $0.001800 exact
	// run "report-7": cost could come to $0.004637, and the limit is $0.004000
	// 2 calls, $0.000400 left
}

// A chat shows tokens as they arrive. Whatever ends the loop, the result is there.
func ExampleCaller_Stream() {
	c := caller.New(newScript(says("Hello!", 12, 3)), caller.Config{Prices: prices()})
	ctx := caller.WithScope(context.Background(), caller.Scope{Actor: "ann", Purpose: "chat"})
	call := c.Stream(ctx, request.Request{Messages: []request.Message{request.UserText("Hi")}})
	for text, err := range call.Text() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text)
	}
	result, err := call.Result()
	fmt.Println(result.Usage.Output, result.Cost, err)

	byActor, err := ledger.GroupBy(c.Ledger().Records(ctx, ledger.Filter{}), ledger.ByActor)
	fmt.Println(byActor[0].Name, byActor[0].Calls, err)
	// Output:
	// Hello!
	// 3 $0.000018 <nil>
	// ann 1 <nil>
}

func ExampleAs() {
	type City struct {
		Name   string `json:"name"`
		People int    `json:"people" description:"Inhabitants."`
	}
	c := caller.New(newScript(says(`{"name":"Oslo","people":724000}`, 20, 9)), caller.Config{})
	city, _, err := caller.As[City](context.Background(), c, request.Request{
		Messages: []request.Message{request.UserText("The largest city of Norway?")},
	})
	fmt.Println(city.Name, city.People, err)
	// Output: Oslo 724000 <nil>
}
