package caller

import (
	"context"
	"iter"
	"sync/atomic"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A Call is one call that streams. It comes from [Caller.Stream]. Range its events
// or its text, once, on one goroutine; Result may be called from any.
type Call struct {
	events stream.Stream
	ended  atomic.Pointer[session]
}

func newCall(ctx context.Context, c *Caller, req request.Request) *Call {
	call := new(Call)
	call.events = stream.New(func(emit func(events.Event) bool) {
		s := newSession(ctx, c, req, true)
		defer call.ended.Store(s)
		s.proceed(emit)
	})
	return call
}

// Events returns the reply as a stream that obeys the grammar: one Started, that of
// the attempt that delivered, and one terminal. Attempts that failed before it are
// told by a Notice attempt_failed each. Like every stream it can be ranged once.
func (c *Call) Events() stream.Stream { return c.events }

// Text returns the visible answer of the same stream; when the call fails, the last
// pair is an empty text with the error.
func (c *Call) Text() iter.Seq2[string, error] { return stream.Text(c.events) }

// Result returns what came of the call, once the loop over it was left, however it
// was. The error is as of [Caller.Generate], and of kind cancelled when the consumer
// left the loop. Before the loop has ended the error is of kind invalid_request. The
// result is never nil.
func (c *Call) Result() (*Result, error) {
	s := c.ended.Load()
	if s == nil {
		f := events.NewFailure(events.InvalidRequest, "", "the call has not ended")
		f.Sent = events.NotSent
		return &Result{Reply: new(stream.Reply)}, f
	}
	return s.result, s.err()
}
