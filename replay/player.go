package replay

import (
	"context"
	"time"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// A player hands on the events of one reply while the context lasts.
type player struct {
	ctx     context.Context
	yield   func(events.Event) bool
	watch   *cancel.Watch // of a reply that waits, else nil
	started bool
	waited  bool
	usage   events.Usage // reported until now
}

// begin begins the clocks of a reply that waits, as a transport does: one watch for
// the whole stream. Call what it returns when the stream is over.
func (p *player) begin() (stop func()) {
	p.ctx, p.watch = cancel.Begin(p.ctx)
	return p.watch.Stop
}

// play hands on an event and reports whether to go on.
func (p *player) play(ev events.Event) bool {
	if p.ctx.Err() != nil {
		return p.interrupt()
	}
	p.started = true
	if ev.Kind == events.UsageUpdated {
		told, _ := ev.Usage()
		p.usage = p.usage.Merge(told)
	}
	p.tell(ev)
	return p.yield(ev) && !ev.Kind.IsTerminal()
}

// tell tells the clocks what a transport would: an event came with bytes.
func (p *player) tell(ev events.Event) {
	if p.watch == nil {
		return
	}
	p.watch.Bytes()
	if ev.Kind.IsContent() || ev.Kind.IsDelta() {
		p.watch.Content()
	}
}

// playAfter is play, after the time that the model took.
func (p *player) playAfter(d time.Duration, ev events.Event) bool {
	if p.watch != nil && d > 0 && !p.await(d) {
		return p.interrupt()
	}
	return p.play(ev)
}

// fail ends the reply with a failure.
func (p *player) fail(f *events.Failure) {
	if p.started || p.yield(events.NewStarted(events.Start{})) {
		p.yield(events.NewFailed(f))
	}
}

// interrupt ends the reply with the reason of the ended context.
func (p *player) interrupt() bool {
	f := stream.Interrupted(p.ctx)
	f.Usage = p.usage
	switch {
	case p.started:
		f.Sent = events.Answered
	case p.waited:
		f.Sent = events.MaybeSent
	default:
		f.Sent = events.NotSent
	}
	p.fail(f)
	return false
}

// await waits as a transport waits for bytes and reports whether the context still
// lasts.
func (p *player) await(d time.Duration) bool {
	p.waited = true
	p.watch.Enter()
	defer p.watch.Leave()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-p.ctx.Done():
		return false
	}
}

// wait waits until the context or a clock of the call ends the reply. begins is
// called once it does.
func (p *player) wait(begins func()) {
	p.waited = true
	p.watch.Enter()
	if begins != nil {
		begins()
	}
	<-p.ctx.Done()
	p.watch.Leave()
	p.interrupt()
}
