package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/weirsdk/weir/examples/models"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/price"
)

// A source is where the replies come from.
type source struct {
	// model does the work, cheap sums up.
	model, cheap providers.Model
	prices       price.Table
	// recorded: the replies are the embedded recording.
	recorded bool
	close    func()
}

// open returns the source of that name. Without a name the keys in the environment
// decide; without a key it is the demo.
func open(ctx context.Context, name string, getenv func(string) string) (*source, error) {
	name = cmp.Or(name, models.Default(getenv))
	if name == "" {
		return openDemo(ctx, demoPace)
	}
	model, prices, err := models.Open(name, getenv)
	if err != nil {
		return nil, err
	}
	cheap, _, err := models.Open(cheapOf(name), getenv) // of the same provider, so of the same prices
	if err != nil {
		return nil, err
	}
	return &source{model: model, cheap: cheap, prices: prices, close: func() {}}, nil
}

// cheapOf returns the small model to go with another; a local one does both.
func cheapOf(name string) string {
	switch provider, _, _ := strings.Cut(name, ":"); provider {
	case "openai":
		return "openai:gpt-5-nano"
	case "anthropic":
		return "anthropic:claude-haiku-4-5"
	case "gemini":
		return "gemini:gemini-3.5-flash-lite"
	default:
		return name
	}
}
