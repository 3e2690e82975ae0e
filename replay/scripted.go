package replay

import (
	"context"
	"fmt"
	"slices"
	"strconv"
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
// A reply that breaks the grammar of package validator, its default limits too, fails
// as invalid_reply, as that of a real model would.
//
// The zero Scripted has no replies. Set the fields before the first request; then
// it is safe for concurrent use. It must not be copied once used.
type Scripted struct {
	// ModelName is "scripted:model" when empty.
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
		validator.Guard(func(yield func(events.Event) bool) { s.answer(ctx, req, yield) })(emit)
	})
}

func (s *Scripted) answer(ctx context.Context, req request.Request, yield func(events.Event) bool) {
	p := player{ctx: ctx, yield: yield}
	reply, firstMinted, f := s.next(ctx, req)
	if f != nil {
		f.Sent = events.NotSent
		p.fail(f)
		return
	}
	if reply.waits {
		defer p.begin()()
	}
	for _, ev := range reply.play(firstMinted) {
		if !p.play(ev) {
			return
		}
	}
	if reply.waits {
		p.usage = p.usage.Merge(reply.reported())
		p.wait(reply.onWait)
	}
}

// next records a request and takes its reply.
func (s *Scripted) next(ctx context.Context, req request.Request) (Reply, int, *events.Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, copyOf(req))
	if f := stream.Interrupted(ctx); f != nil {
		return Reply{}, 0, f
	}
	// Another model's data means nothing here and does no harm.
	lenient := req
	lenient.Foreign = request.ForeignDrop
	prepared, err := lenient.Prepare(request.Target{Spec: s.ModelSpec})
	if f, ok := events.AsFailure(err); ok {
		return Reply{}, 0, f
	}
	if s.played == len(s.Replies) {
		f := events.NewFailure(events.Other, events.ReasonNotRecorded, spent(len(s.Replies)))
		return Reply{}, 0, f.WithCause(ErrNotRecorded)
	}
	s.played++
	return s.Replies[s.played-1], prepared.FirstMinted, nil
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

func mintedID(n int) string { return "call_w" + strconv.Itoa(n) }
