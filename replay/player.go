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
	pace    *pace // nil: at once
	started bool
	waited  bool // for the first event
}

// play hands on an event and reports whether to go on.
func (p *player) play(ev events.Event) bool {
	if p.ctx.Err() != nil {
		return p.interrupt(p.ctx)
	}
	p.started = true
	if p.pace != nil && (ev.Kind.IsContent() || ev.Kind.IsDelta()) {
		p.pace.progress = true
	}
	return p.yield(ev) && !ev.Kind.IsTerminal()
}

// playAfter is play, after the time that the model took where a pace is kept.
func (p *player) playAfter(d time.Duration, ev events.Event) bool {
	if p.pace == nil || d == 0 {
		return p.play(ev)
	}
	p.waited = true
	if !p.pace.await(d) {
		return p.interrupt(p.pace.ctx)
	}
	return p.play(ev)
}

// fail ends the reply with a failure.
func (p *player) fail(f *events.Failure) {
	if p.started || p.yield(events.NewStarted(events.Start{})) {
		p.yield(events.NewFailed(f))
	}
}

// interrupt ends the reply with the reason of an ended context.
func (p *player) interrupt(ctx context.Context) bool {
	f := stream.Interrupted(ctx)
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

// wait waits, as for a provider, until the context or a clock of the call ends it.
func (p *player) wait() {
	ctx, watch := cancel.Begin(p.ctx)
	defer watch.Stop()
	watch.Enter()
	<-ctx.Done()
	watch.Leave()
	p.interrupt(ctx)
}

// A pace keeps the delays of a recording: it waits as a transport waits for bytes.
type pace struct {
	watch    *cancel.Watch
	ctx      context.Context
	progress bool // content was handed on since the clocks were last told
}

// await waits and reports whether the context still lasts.
func (p *pace) await(d time.Duration) bool {
	if p.progress {
		p.progress = false
		p.watch.Content()
	}
	p.watch.Enter()
	defer p.watch.Leave()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		p.watch.Bytes()
		return true
	case <-p.ctx.Done():
		return false
	}
}
