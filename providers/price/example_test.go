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
