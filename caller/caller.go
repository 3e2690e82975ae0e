package caller

import (
	"context"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A Caller meters the calls of one model, and of its fallbacks. Make one with
// [New]; the zero Caller is invalid. It is safe for concurrent use and holds nothing
// that has to be closed.
type Caller struct {
	models []providers.Model
	config Config
	jitter *jitter
}

// New returns a caller for a model.
func New(model providers.Model, config Config) *Caller {
	config = config.withDefaults()
	if config.Ledger == nil {
		config.Ledger = memory.New(memory.Options{})
	}
	return &Caller{
		models: append([]providers.Model{model}, config.Fallback...),
		config: config, jitter: newJitter(config.Seed),
	}
}

// Ledger returns the books of the calls that belong to no run of another ledger.
func (c *Caller) Ledger() ledger.Ledger { return c.config.Ledger }

// Generate makes the call and folds the reply. The result is never nil; its Reply
// is what came of the last attempt, also beside an error.
//
// The error is nil when the last attempt completed: a refusal, a truncated or a
// paused reply is a reply. Else it is or wraps a *events.Failure: [*Unavailable] when
// the models failed, [*Exceeded] when a limit refused, invalid_request when the
// request does not fit the model, invalid_reply/answer_invalid when no structured
// answer did.
func (c *Caller) Generate(ctx context.Context, req request.Request) (*Result, error) {
	return c.generate(newSession(ctx, c, req, false))
}

func (c *Caller) generate(s *session) (*Result, error) {
	// The stream yields nothing unless somebody's code panics, which it contains.
	for ev := range stream.New(func(func(events.Event) bool) { s.proceed(nil) }) {
		if f, ok := ev.Failure(); ok {
			s.failure = f
		}
	}
	return s.result, s.err()
}

// Stream returns the call as a lazy stream. Nothing is reserved or sent before one
// of [Call.Events] and [Call.Text] is ranged.
func (c *Caller) Stream(ctx context.Context, req request.Request) *Call {
	return newCall(ctx, c, req)
}

// Model returns the model that calls go to first, for what it can do besides: its
// Spec, or providers.As. Streams of it are not metered.
func (c *Caller) Model() providers.Model { return c.models[0] }
