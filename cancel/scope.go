package cancel

import (
	"context"
	"errors"
)

// A Scope is a piece of work that can be cancelled with a reason: a chat turn, a
// run, a process. It comes from [New] or [Scope.Child]; the zero Scope is
// invalid. It is safe for concurrent use.
//
// Cancel a scope when its work is over, as one does with a context: that frees
// it from its parent. Nobody hears a reason that comes after the work.
type Scope struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// New returns a scope under parent: it is cancelled with it, with its cause.
func New(parent context.Context) *Scope {
	ctx, cancel := context.WithCancelCause(parent)
	return &Scope{ctx: ctx, cancel: cancel}
}

// Child returns a scope that is cancelled with s, for the reason of s, or alone
// for a reason of its own.
func (s *Scope) Child() *Scope { return New(s.ctx) }

// Context returns the context of the work.
func (s *Scope) Context() context.Context { return s.ctx }

// Cancel cancels the scope and its children. The first cancellation gives the
// reason; later ones change nothing. An empty reason means [User].
func (s *Scope) Cancel(r Reason) {
	if r == "" {
		r = User
	}
	s.cancel(r)
}

// Close releases the scope when its work is over, as the cancel function of a
// context does: with the cause [context.Canceled] unless there is one already.
// Its children are cancelled too.
func (s *Scope) Close() { s.cancel(nil) }

// Reason returns why the scope was cancelled; false while it is not, and when a
// plain context above it was cancelled without a Reason (see [Of]).
func (s *Scope) Reason() (Reason, bool) { return ReasonOf(s.ctx) }

// ReasonOf returns the Reason that is, or is wrapped by, the cause of ctx; false
// while ctx is not done and when its cause is no Reason.
func ReasonOf(ctx context.Context) (Reason, bool) {
	var r Reason
	if errors.As(context.Cause(ctx), &r) {
		return r, true
	}
	return "", false
}

// Of returns why ctx is done, whoever cancelled it: its [Reason], typed; or, for
// a plain context of the user's, [Deadline] when its deadline has passed and
// [User] otherwise, not typed. It returns "" and false while ctx is not done.
//
// A Deadline that is not typed is the user's own: another attempt has no time
// left. Whether a clock of a call gave the reason, its [Watch.Fired] says.
func Of(ctx context.Context) (r Reason, typed bool) {
	if r, ok := ReasonOf(ctx); ok {
		return r, true
	}
	switch err := ctx.Err(); {
	case err == nil:
		return "", false
	case errors.Is(err, context.DeadlineExceeded):
		return Deadline, false
	default:
		return User, false
	}
}
