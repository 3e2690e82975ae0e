package price_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/price"
)

// A named stands for a model.
type named string

func (n named) Name() string { return string(n) }

// The snippet of the package comment, with usage that a server reported and usage
// without the cached part of the prompt.
func Example() {
	model := named("openai:gpt-5")
	prices := price.Merge(anthropic.Prices(), price.Table{
		"openai:gpt-5": {
			Input:     price.PerMillion(1_250_000),
			CacheRead: price.PerMillion(125_000),
			Output:    price.PerMillion(10_000_000),
		},
	}, price.Free("ollama:llama3"))
	p, err := price.For(prices, model.Name())
	if err != nil {
		fmt.Println(err)
		return
	}
	cost, err := p.Cost(events.Usage{Input: events.Known(1000), CacheRead: events.Known(800), Output: events.Known(50)})
	fmt.Println(cost, err)

	partly := events.Usage{Input: events.Known(1000), Output: events.Known(50)}
	_, err = p.Cost(partly)
	var unknown *price.Unknown
	fmt.Println(errors.As(err, &unknown), unknown.Part, unknown.Gap)
	most, err := p.AtMost(partly)
	fmt.Println("at most", most, err)
	partly.CacheRead = events.Known(0) // where it is known that nothing was cached
	cost, err = p.Cost(partly)
	fmt.Println(cost, err)
	// Output:
	// $0.000850 <nil>
	// true cache_read no_count
	// at most $0.001750 <nil>
	// $0.001750 <nil>
}

// The second snippet: the price of the model that answered, on the day and in the
// service tier of the call.
func ExamplePrice_On() {
	model, dispatchedAt := named("openai:gpt-5"), time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	start := events.Start{Model: "gpt-5-2025-08-07", Metadata: map[string]string{"service_tier": "flex"}}
	prices := price.Table{"openai:gpt-5": {
		Input: price.PerMillion(1_250_000), Output: price.PerMillion(10_000_000),
		Service: map[string]price.Multiplier{"default": {Num: 1, Den: 1}, "flex": {Num: 1, Den: 2}},
	}}
	p, err := price.ForReply(prices, model.Name(), start.Model)
	if err != nil {
		fmt.Println(err)
		return
	}
	if p, err = p.On(dispatchedAt); err != nil {
		fmt.Println(err)
		return
	}
	if p, err = p.In(start.Metadata["service_tier"]); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Cost(events.Usage{Input: events.Known(1000), Output: events.Known(50)}))
	// Output: $0.000875 <nil>
}

// A model whose long prompts are dearer, in the provider's cheaper service tier,
// answered under its dated name.
func ExampleForReply() {
	prices := price.Table{"openai:long-1": {
		Input: price.PerMillion(3_000_000), CacheRead: price.PerMillion(300_000), Output: price.PerMillion(15_000_000),
		Long: []price.Tier{{Above: 200_000, Price: price.Price{
			Input: price.PerMillion(6_000_000), CacheRead: price.PerMillion(600_000), Output: price.PerMillion(22_500_000),
			Service: map[string]price.Multiplier{"flex": {Num: 1, Den: 2}},
		}}},
		Service: map[string]price.Multiplier{"default": {Num: 1, Den: 1}, "flex": {Num: 1, Den: 2}},
	}}
	p, err := price.ForReply(prices, "openai:long-1", "long-1-2026-08-07")
	if err != nil {
		fmt.Println(err)
		return
	}
	if p, err = p.In("flex"); err != nil {
		fmt.Println(err)
		return
	}
	usage := events.Usage{Input: events.Known(250_000), Output: events.Known(1000)}
	_, err = p.Cost(usage)
	fmt.Println(err)
	most, err := p.AtMost(usage)
	fmt.Println("at most", most, err)
	// Output:
	// cost unknown: cache_read: no_count
	// at most $0.761250 <nil>
}
