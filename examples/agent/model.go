package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
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
	switch {
	case name != "":
	case getenv("OPENAI_API_KEY") != "":
		name = "openai:gpt-5-mini"
	case getenv("ANTHROPIC_API_KEY") != "":
		name = "anthropic:claude-haiku-4-5"
	default:
		return openDemo(ctx, demoPace)
	}
	model, err := live(name, getenv)
	if err != nil {
		return nil, err
	}
	cheap, err := live(cheapOf(name), getenv)
	if err != nil {
		return nil, err
	}
	prices := price.Merge(openai.Prices(), anthropic.Prices())
	if strings.HasPrefix(name, "ollama:") {
		prices = price.Free(model.Name(), cheap.Name())
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
	default:
		return name
	}
}

// live returns the adapter of a "<provider>:<model>".
func live(name string, getenv func(string) string) (providers.Model, error) {
	provider, id, _ := strings.Cut(name, ":")
	switch provider {
	case "openai":
		return openai.New(openai.Config{Key: providers.Secret(getenv("OPENAI_API_KEY")), Model: id})
	case "anthropic":
		return anthropic.New(anthropic.Config{Key: providers.Secret(getenv("ANTHROPIC_API_KEY")), Model: id})
	case "ollama":
		return ollama.New(ollama.Config{Model: id, Host: cmp.Or(getenv("OLLAMA_HOST"), "127.0.0.1:11434")})
	default:
		return nil, fmt.Errorf("no provider %q: use openai:, anthropic: or ollama:, then the model's id", provider)
	}
}
