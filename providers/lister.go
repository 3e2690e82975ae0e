package providers

import (
	"context"
	"time"
)

// A ModelLister is a Model whose provider tells which models it has. It is
// optional; ask with [As], which finds it behind wrappers too:
//
//	lister, ok := providers.As[providers.ModelLister](model)
type ModelLister interface {
	// ListModels asks the endpoint of the model which models it has, of which the
	// model itself is one or not. It sends one request, or one a page, with the
	// credential of the model; it is no call in the sense of package caller: nothing
	// is reserved, counted or charged. The order is the provider's. What is read is
	// bounded.
	//
	// The error is an *events.Failure of the same kinds as those of a stream. An
	// endpoint without a list answers rejected/not_found.
	ListModels(ctx context.Context) ([]ModelInfo, error)
}

// A ModelInfo is what a provider tells of one of its models. What it does not tell
// is zero.
type ModelInfo struct {
	// ID is what the Config of its adapter takes as the model. It is not empty.
	ID string
	// Name is what people call it.
	Name string
	// Created is when the model, or the file of it, was made.
	Created time.Time
	// ContextWindow and MaxOutput are in tokens.
	ContextWindow, MaxOutput int
	// Raw is the whole entry as the provider sent it, a JSON object.
	Raw string
}

// A Wrapper is a Model around another one: a recorder, a test's double. Unwrap
// returns the inner one.
type Wrapper interface {
	Unwrap() Model
}

// maxWrappers bounds the models around a model: more of them are a ring.
const maxWrappers = 100

// As returns the outermost of a model and of those that it wraps ([Wrapper]) that
// is a T, for optional interfaces like [ModelLister].
func As[T any](model Model) (T, bool) {
	for range maxWrappers {
		if t, ok := model.(T); ok {
			return t, true
		}
		outer, ok := model.(Wrapper)
		if !ok {
			break
		}
		model = outer.Unwrap()
	}
	var none T
	return none, false
}
