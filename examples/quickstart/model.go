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

// A source is where the reply comes from.
type source struct {
	model  providers.Model
	prices price.Table
	// recorded: the reply is the embedded recording.
	recorded bool
	close    func()
}

// open returns the model of that name. Without a name the keys in the
// environment decide; without a key it is the demo.
func open(ctx context.Context, name string, getenv func(string) string) (*source, error) {
	switch {
	case name != "":
	case getenv("OPENAI_API_KEY") != "":
		name = "openai:gpt-5-mini"
	case getenv("ANTHROPIC_API_KEY") != "":
		name = "anthropic:claude-haiku-4-5"
	default:
		return openDemo(ctx)
	}
	model, err := live(name, getenv)
	if err != nil {
		return nil, err
	}
	prices := price.Merge(openai.Prices(), anthropic.Prices())
	if strings.HasPrefix(name, "ollama:") {
		prices = price.Free(model.Name())
	}
	return &source{model: model, prices: prices, close: func() {}}, nil
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
