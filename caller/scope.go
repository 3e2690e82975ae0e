package caller

import (
	"context"
	"errors"
	"sync"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A Scope says who makes calls and what for. Both parts are optional.
type Scope struct {
	Actor, Purpose string
}

// or returns the scope with what it leaves empty taken from another.
func (s Scope) or(outer Scope) Scope {
	if s.Actor == "" {
		s.Actor = outer.Actor
	}
	if s.Purpose == "" {
		s.Purpose = outer.Purpose
	}
	return s
}

type scopeKey struct{}

// WithScope returns a context under which every attempt is attributed to s, those of
// calls inside a tool handler too. What s leaves empty stays as it was.
func WithScope(ctx context.Context, s Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, s.or(ScopeOf(ctx)))
}

// ScopeOf returns the scope of a context.
func ScopeOf(ctx context.Context) Scope {
	s, _ := ctx.Value(scopeKey{}).(Scope)
	return s
}

// scopeFor returns the scope of a call: what the request says, then the context, then
// the run.
func scopeFor(ctx context.Context, req request.Request, run *Run) Scope {
	s := Scope{Actor: req.Correlation.Actor, Purpose: req.Correlation.Purpose}.or(ScopeOf(ctx))
	if run != nil {
		s = s.or(run.config.Scope)
	}
	return s
}

type forbiddenKey struct{}

// forbidden collects the calls that were refused under WithoutCalls.
type forbidden struct {
	mu      sync.Mutex
	refused []error
}

// WithoutCalls returns a context under which every call is refused, before anything
// is reserved or sent, as limit/limit_calls: for code that only cleans up. refused
// returns the refusals so far as one error, or nil, also those that the code
// swallowed. It is safe for concurrent use.
func WithoutCalls(ctx context.Context) (inner context.Context, refused func() error) {
	f := new(forbidden)
	return context.WithValue(ctx, forbiddenKey{}, f), f.err
}

func (f *forbidden) err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.refused...)
}

// refusedIn returns the refusal of a call under WithoutCalls, or nil.
func refusedIn(ctx context.Context, model string) *events.Failure {
	f, ok := ctx.Value(forbiddenKey{}).(*forbidden)
	if !ok {
		return nil
	}
	e := &Exceeded{Run: runIDOf(ctx), Limit: ledger.LimitCalls}
	refusal := events.NewFailure(events.LimitReached, events.ReasonLimitCalls, "a call of "+model+" where none is allowed").WithCause(e)
	refusal.Sent = events.NotSent
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refused = append(f.refused, refusal)
	return refusal
}

type nestedKey struct{}

// nesting is what the context of an attempt holds: the run that books it.
type nesting struct{ run *Run }

// isNested reports whether a call is made by a model that a caller is calling. Its
// attempts are those of the outer call: they are neither booked nor repeated. A call in
// a run of its own is booked there all the same.
func isNested(ctx context.Context) bool {
	outer, ok := ctx.Value(nestedKey{}).(nesting)
	return ok && outer.run == RunOf(ctx)
}
