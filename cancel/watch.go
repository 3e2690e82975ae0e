package cancel

import (
	"context"
	"math"
	"sync"
	"time"
)

// The defaults of [Clocks].
const (
	DefaultCall       = 10 * time.Minute
	DefaultFirstToken = 3 * time.Minute
	DefaultIdle       = time.Minute
)

// Clocks are the limits of one call's waiting. Of each field zero means the
// default and a negative duration means off.
type Clocks struct {
	// Call bounds all waiting of the call, retries included: 10 minutes.
	Call time.Duration
	// FirstToken bounds the waiting until the first content: 3 minutes.
	FirstToken time.Duration
	// Idle bounds the waiting for any byte of the body, counted from its first
	// byte: 60 seconds. Comments and pings are bytes.
	Idle time.Duration
	// Stall bounds the waiting for content, counted from the first content:
	// off by default.
	Stall time.Duration
}

// clock numbers the clocks of a watch. When several are due at once the first
// is the reason.
type clock int

const (
	callClock clock = iota
	firstTokenClock
	idleClock
	stallClock
	tailClock
	clockCount
)

func (c clock) reason() Reason {
	switch c {
	case callClock:
		return Deadline
	case firstTokenClock:
		return FirstToken
	case idleClock:
		return Idle
	case stallClock:
		return Stall
	default:
		return Tail
	}
}

// never is the time at which a clock that is off is due.
const never = time.Duration(math.MaxInt64)

// A Watch is the one owner of a call's clocks. It comes from [Start]; the zero
// Watch is invalid. Its methods are safe for concurrent use.
//
// The clocks run only between Enter and Leave, while somebody waits for the
// provider; they stand still while the consumer's code runs, however long. A
// clock that is due cancels the context with its [Reason] as the cause.
type Watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	limits Clocks
	start  time.Time

	mu      sync.Mutex
	waited  time.Duration             // waiting of the waits that are over
	entered time.Duration             // when the present wait began
	due     [clockCount]time.Duration // in waiting time
	waiting bool
	tailing bool
	stopped bool
	fired   Reason

	// The timer is left alone when a clock is put off: it fires early, sees
	// that nothing is due, and is set again. So most waits never touch it.
	timer *time.Timer
	armed bool
	alarm time.Duration // when the timer fires, if armed
}

type watchKey struct{}

// Start returns a context that carries a new Watch and is cancelled by its
// clocks. No clock runs before [Watch.Enter]. Call [Watch.Stop] when the call is
// over. A Watch that ctx already carries is hidden, not stopped.
func Start(ctx context.Context, limits Clocks) (context.Context, *Watch) {
	limits = limits.resolve()
	w := newWatch(ctx, limits)
	w.due[callClock] = limits.Call
	return w.ctx, w
}

// FromContext returns the Watch that ctx carries. Who did not start it does not
// stop it.
func FromContext(ctx context.Context) (*Watch, bool) {
	w, ok := ctx.Value(watchKey{}).(*Watch)
	return w, ok
}

func newWatch(ctx context.Context, limits Clocks) *Watch {
	w := &Watch{limits: limits, start: time.Now()}
	ctx, w.cancel = context.WithCancelCause(ctx)
	w.ctx = context.WithValue(ctx, watchKey{}, w)
	w.due = [clockCount]time.Duration{never, limits.FirstToken, never, never, never}
	return w
}

// resolve returns the clocks with defaults filled in and never for off.
func (c Clocks) resolve() Clocks {
	return Clocks{
		Call:       limit(c.Call, DefaultCall),
		FirstToken: limit(c.FirstToken, DefaultFirstToken),
		Idle:       limit(c.Idle, DefaultIdle),
		Stall:      limit(c.Stall, never),
	}
}

func limit(d, normal time.Duration) time.Duration {
	switch {
	case d < 0:
		return never
	case d == 0:
		return normal
	default:
		return d
	}
}

// Attempt stops w and starts a Watch for another attempt of the same call under
// ctx, which must not be w's own context: that is over. The call clock goes on
// where it stood; the others begin anew. It works after a clock has fired too;
// a call clock that is used up fires at the next Enter.
func (w *Watch) Attempt(ctx context.Context) (context.Context, *Watch) {
	w.Stop()
	next := newWatch(ctx, w.limits)
	w.mu.Lock()
	defer w.mu.Unlock()
	next.due[callClock] = w.due[callClock]
	if next.due[callClock] != never {
		next.due[callClock] -= w.waited
	}
	return next.ctx, next
}

// Enter tells that a blocking wait for the provider begins: the dispatch or a
// read of the body. Waits do not nest; a second Enter changes nothing.
func (w *Watch) Enter() {
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting || w.stopped {
		return
	}
	w.waiting, w.entered = true, now
	w.set(now)
}

// Leave tells that the wait is over, whatever came of it. Without an Enter it
// changes nothing.
func (w *Watch) Leave() {
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leave(now)
}

func (w *Watch) leave(now time.Duration) {
	if w.waiting {
		w.waited += now - w.entered
		w.waiting = false
	}
}

// Bytes tells that at least one byte of the body arrived, and restarts the idle
// clock. It may be called in a wait or after it; after it is cheaper.
func (w *Watch) Bytes() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.tailing {
		w.restart(idleClock, w.limits.Idle)
	}
}

// Content tells that progress was made: a content event was delivered, or a
// piece of a tool call's arguments. It ends the first-token clock and restarts
// the stall clock.
func (w *Watch) Content() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.tailing {
		w.due[firstTokenClock] = never
		w.restart(stallClock, w.limits.Stall)
	}
}

// Tail tells that the reply has ended in fact and only its accounting may still
// come: from now on at most d more of waiting, then the context is cancelled
// with the cause [Tail]. First token, idle and stall no longer matter; the call
// clock does. A second Tail changes nothing.
func (w *Watch) Tail(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tailing {
		return
	}
	w.tailing = true
	w.due[firstTokenClock], w.due[idleClock], w.due[stallClock] = never, never, never
	w.restart(tailClock, max(d, 0))
}

// restart makes c due after d more of waiting.
func (w *Watch) restart(c clock, d time.Duration) {
	if !w.waiting {
		w.due[c] = plus(w.waited, d)
		return
	}
	now := w.now()
	w.due[c] = plus(w.waited+now-w.entered, d)
	w.set(now)
}

// plus saturates at never.
func plus(a, b time.Duration) time.Duration {
	if a > never-b {
		return never
	}
	return a + b
}

// Stop ends the clocks and cancels the context, with the cause
// [context.Canceled] unless there is one already. It is idempotent.
func (w *Watch) Stop() {
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leave(now)
	w.stopped = true
	if w.timer != nil {
		w.timer.Stop()
	}
	w.cancel(nil)
}

// Fired returns the reason of the clock that cancelled the context, and whether
// one did. A cancellation from outside is none.
func (w *Watch) Fired() (Reason, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fired, w.fired != ""
}

// now is a duration, because reading only the monotonic clock is cheaper.
func (w *Watch) now() time.Duration { return time.Since(w.start) }

// next returns the clock that is due first.
func (w *Watch) next() clock {
	first := callClock
	for c := firstTokenClock; c < clockCount; c++ {
		if w.due[c] < w.due[first] {
			first = c
		}
	}
	return first
}

// set fires the clock that is due in the present wait, or sees to it that the
// timer goes off no later than the next one is.
func (w *Watch) set(now time.Duration) {
	c := w.next()
	if w.due[c] == never {
		return
	}
	rest := w.due[c] - w.waited - (now - w.entered)
	if rest <= 0 {
		w.fire(c)
		return
	}
	if w.armed && w.alarm <= now+rest {
		return
	}
	w.armed, w.alarm = true, now+rest
	if w.timer == nil {
		w.timer = time.AfterFunc(rest, w.tick)
		return
	}
	w.timer.Reset(rest)
}

// tick is the timer's function. It trusts the state and not the timer, so an
// alarm that is late, early or meant for another wait does no harm.
func (w *Watch) tick() {
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = false
	if w.waiting {
		w.set(now)
	}
}

func (w *Watch) fire(c clock) {
	if w.ctx.Err() != nil {
		return
	}
	w.cancel(c.reason())
	if context.Cause(w.ctx) == error(c.reason()) {
		w.fired = c.reason()
	}
}
