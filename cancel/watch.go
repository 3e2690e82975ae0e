package cancel

import (
	"cmp"
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
// default and a negative duration means off. Who wants "a timeout" for a silent
// provider sets FirstToken and Idle: Idle begins with the first byte.
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
	call   *Watch // of an attempt: the call that it is of, or nil

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

type clocksKey struct{}

// WithClocks returns a context under which every call keeps these clocks, each
// call its own. It is what an application sets; it starts nothing.
func WithClocks(ctx context.Context, limits Clocks) context.Context {
	return context.WithValue(ctx, clocksKey{}, limits)
}

// Start returns a context that carries a new Watch and is cancelled by its
// clocks. It is for who makes several attempts of one call, which then share the
// call clock; a single attempt needs no Start. Limits that are zero are those of
// [WithClocks], else the defaults. No clock runs before [Watch.Enter]. Call
// [Watch.Stop] when the call is over. A Watch that ctx already carries is hidden,
// not stopped.
func Start(ctx context.Context, limits Clocks) (context.Context, *Watch) {
	if outer, ok := ctx.Value(clocksKey{}).(Clocks); ok {
		limits = limits.or(outer)
	}
	limits = limits.resolve()
	w := newWatch(ctx, limits)
	w.due[callClock] = limits.Call
	return w.ctx, w
}

// Begin returns a context that carries a Watch for one attempt, for a transport.
// Under a Watch of the call the attempt has that one's limits, and its call clock
// goes on where the call's stands; else it is a call of its own with the clocks
// of [WithClocks]. A clock of the attempt cancels the attempt only. Call
// [Watch.Stop] when it is over, which adds its waiting to the call's.
func Begin(ctx context.Context) (context.Context, *Watch) {
	call, ok := FromContext(ctx)
	if !ok {
		return Start(ctx, Clocks{})
	}
	w := newWatch(ctx, call.limits)
	w.call = call
	call.mu.Lock()
	defer call.mu.Unlock()
	w.due[callClock] = call.due[callClock]
	if w.due[callClock] != never {
		w.due[callClock] -= call.waited
	}
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

// or returns the clocks with those that are zero taken from others.
func (c Clocks) or(others Clocks) Clocks {
	return Clocks{
		Call: cmp.Or(c.Call, others.Call), FirstToken: cmp.Or(c.FirstToken, others.FirstToken),
		Idle: cmp.Or(c.Idle, others.Idle), Stall: cmp.Or(c.Stall, others.Stall),
	}
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
	waited := w.stop()
	if w.call != nil {
		w.call.mu.Lock()
		defer w.call.mu.Unlock()
		w.call.waited += waited
	}
}

// stop returns the waiting that was not told of before.
func (w *Watch) stop() time.Duration {
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return 0
	}
	w.leave(now)
	w.stopped = true
	if w.timer != nil {
		w.timer.Stop()
	}
	w.cancel(nil)
	return w.waited
}

// Fired returns the reason of the clock that cancelled the context, and whether
// one did. A cancellation from outside is none.
func (w *Watch) Fired() (Reason, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fired, w.fired != ""
}

// Clocks returns the limits of the watch, defaults filled in; what is off is the longest
// duration.
func (w *Watch) Clocks() Clocks { return w.limits }

// Waited returns how long the call has waited for the provider, in the waits and
// attempts that are over.
func (w *Watch) Waited() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waited
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
