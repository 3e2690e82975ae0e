package price_test

import (
	"errors"
	"fmt"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

func Example() {
	prices := price.Merge(price.Table{
		"openai:gpt-5": {
			Input:     price.PerMillion(1_250_000),
			CacheRead: price.PerMillion(125_000),
			Output:    price.PerMillion(10_000_000),
			AsOf:      "2026-11-30",
		},
	}, price.Free("ollama:llama3"))

	p, err := price.For(prices, "openai:gpt-5")
	if err != nil {
		fmt.Println(err)
		return
	}
	cost, err := p.Cost(events.Usage{Input: events.Known(1000), CacheRead: events.Known(800), Output: events.Known(50)})
	fmt.Println(cost, err)

	_, err = p.Cost(events.Usage{Input: events.Known(1000), Output: events.Known(50)})
	var unknown *price.Unknown
	fmt.Println(errors.As(err, &unknown), unknown.Part, unknown.Gap)
	// Output:
	// $0.000850 <nil>
	// true cache_read no_count
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
