package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// A Scripted is a providers.Model without a provider: it answers the nth request
// with the nth reply and records the requests. The number is taken when a stream is
// ranged, not when it is made.
//
// A request after the last reply fails as other/not_recorded, not_sent, which is
// not retried; errors.Is finds [ErrNotRecorded]. A request that a model of ModelSpec
// could not take fails as invalid_request, and one whose context has ended as
// cancelled; neither uses a reply up.
//
// A reply that breaks the grammar of package validator, its default limits too, fails as
// invalid_reply/protocol_violation, as that of a real model would; so does one that
// [Fails] with a kind that there is none. The detail says which reply of the script it
// is. It is used up, and a caller does not retry it.
//
// The time is the context's and the runtime's, so that a test in a bubble of
// testing/synctest plays waits, clocks and backoffs at once, with no sleep and no margin.
//
// The zero Scripted has no replies. Set the fields before the first request; then
// it is safe for concurrent use. It must not be copied once used.
type Scripted struct {
	// ModelName is "scripted:model" when empty. A caller that limits the cost finds the
	// price by it.
	ModelName string
	// ModelSpec is what the model can do; the zero Spec refuses nothing.
	ModelSpec request.Spec
	// Replies are given in order.
	Replies []Reply

	mu       sync.Mutex
	requests []request.Request
	played   int
}

// Name returns ModelName.
func (s *Scripted) Name() string {
	if s.ModelName == "" {
		return "scripted:model"
	}
	return s.ModelName
}

// Spec returns ModelSpec.
func (s *Scripted) Spec() request.Spec { return s.ModelSpec }

// Requests returns every request so far, those that were refused too, in the order
// in which their streams were ranged. They are copies of what they were then: an agent
// that goes on with its own messages does not change them, nor does who reads them.
func (s *Scripted) Requests() []request.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Clone(s.requests)
	for i := range all {
		all[i] = copyOf(all[i])
	}
	return all
}

// Remaining returns how many replies were not given yet. A test that is over has
// none.
func (s *Scripted) Remaining() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.Replies) - s.played
}

// Stream returns the next reply, held to the grammar of package validator.
func (s *Scripted) Stream(ctx context.Context, req request.Request) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		var turn turn
		guarded := validator.Guard(func(yield func(events.Event) bool) {
			var f *events.Failure
			if turn, f = s.next(ctx, req); f != nil {
				f.Sent = events.NotSent
				(&player{ctx: ctx, yield: yield}).fail(f)
				return
			}
			turn.answer(ctx, yield)
		})
		guarded(func(ev events.Event) bool { return emit(turn.blamed(ev)) })
	})
}

// A turn is the reply that one request gets.
type turn struct {
	Reply
	nth         int // of the script, from 1; 0 is none
	firstMinted int
}

func (t turn) answer(ctx context.Context, yield func(events.Event) bool) {
	p := player{ctx: ctx, yield: yield}
	if t.failed != nil && !isKind(t.failed.Kind) {
		p.fail(t.bad(fmt.Sprintf("fails with the unknown kind %q", t.failed.Kind)))
		return
	}
	reply := t.Reply
	if reply.waits {
		defer p.begin()()
	}
	for _, ev := range reply.play(t.firstMinted) {
		if !p.play(ev) {
			return
		}
	}
	if reply.waits {
		p.usage = p.usage.Merge(reply.reported())
		p.wait(reply.onWait)
	}
}

// blamed says of a reply that breaks the grammar that the script is what does.
func (t turn) blamed(ev events.Event) events.Event {
	var violation *validator.Violation
	if f, ok := ev.Failure(); ok && t.nth > 0 && errors.As(f, &violation) {
		told := *f
		told.Detail = t.bad("breaks the grammar: " + f.Detail).Detail
		return events.NewFailed(&told)
	}
	return ev
}

// bad is the failure of a script whose reply cannot be.
func (t turn) bad(how string) *events.Failure {
	f := events.NewFailure(events.InvalidReply, events.ReasonProtocolViolation, fmt.Sprintf("reply %d of the script %s", t.nth, how))
	f.Sent = events.Answered
	return f
}

// isKind reports whether a failure may be of a kind: a script that misspells one tests
// what no provider does.
func isKind(kind events.FailureKind) bool {
	switch kind {
	case events.Unreachable, events.TimedOut, events.RateLimited, events.Overloaded, events.Rejected, events.InvalidRequest,
		events.InvalidReply, events.Cancelled, events.LimitReached, events.Crashed, events.Other:
		return true
	default:
		return false
	}
}

// next records a request and takes its reply.
func (s *Scripted) next(ctx context.Context, req request.Request) (turn, *events.Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, copyOf(req))
	if f := stream.Interrupted(ctx); f != nil {
		return turn{}, f
	}
	// Another model's data means nothing here and does no harm.
	lenient := req
	lenient.Foreign = request.ForeignDrop
	prepared, err := lenient.Prepare(request.Target{Spec: s.ModelSpec})
	if f, ok := events.AsFailure(err); ok {
		return turn{}, f
	}
	if s.played == len(s.Replies) {
		f := events.NewFailure(events.Other, events.ReasonNotRecorded, spent(len(s.Replies)))
		return turn{}, f.WithCause(ErrNotRecorded)
	}
	s.played++
	return turn{s.Replies[s.played-1], s.played, prepared.FirstMinted}, nil
}

// spent says that a script of n replies has none left.
func spent(n int) string {
	switch n {
	case 0:
		return "the script has no replies"
	case 1:
		return "the script has one reply, which was given"
	default:
		return fmt.Sprintf("the script has %d replies, and all of them were given", n)
	}
}
