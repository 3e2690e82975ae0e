package texttools

import (
	"context"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// A Model is another model with tools over text. It is immutable and, as the other
// one is, safe for concurrent use.
type Model struct{ inner providers.Model }

// New returns inner with tools over text. Without an inner model it fails as
// invalid_request, bad_config.
func New(inner providers.Model) (*Model, error) {
	if inner == nil {
		return nil, transport.BadConfig("texttools", "no model to give tools to")
	}
	return &Model{inner}, nil
}

// Name returns the name of the inner model: its calls cost the same.
func (m *Model) Name() string { return m.inner.Name() }

// Spec returns that of the inner model, with tools.
func (m *Model) Spec() request.Spec {
	spec := m.inner.Spec()
	spec.Tools, spec.ToolChoice, spec.ParallelTools = request.Yes, request.Yes, request.Yes
	return spec
}

// Unwrap returns the inner model, for what it can do besides and does not depend on
// the tools: its list of models.
func (m *Model) Unwrap() providers.Model { return m.inner }

// Stream returns the inner model's reply, the calls in its text as tool calls.
func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
	return validator.Guard(stream.New(func(emit func(events.Event) bool) {
		a, err := prepare(req)
		if err != nil {
			_ = emit(events.NewStarted(events.Start{})) && emit(events.NewFailed(failureOf(err)))
			return
		}
		r := newReply(emit, m.Name(), a)
		for ev := range m.inner.Stream(ctx, a.request) {
			if !r.take(ev) {
				return
			}
		}
	}))
}
