package main

import (
	"cmp"
	"context"

	"github.com/weirsdk/weir/examples/models"
	"github.com/weirsdk/weir/providers"
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
	name = cmp.Or(name, models.Default(getenv))
	if name == "" {
		return openDemo(ctx)
	}
	model, prices, err := models.Open(name, getenv)
	if err != nil {
		return nil, err
	}
	return &source{model: model, prices: prices, close: func() {}}, nil
}
