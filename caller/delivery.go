package caller

import (
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// maxHeld is how many events are held back before the first content. A stream that
// has more of them is delivered, and can no longer be retried.
const maxHeld = 16

// A delivery hands the events of one attempt to the consumer. It holds back what comes
// before the first content, so that an attempt that fails until then can be dropped
// without a trace but a Notice. It folds what it is given, delivered or not.
type delivery struct {
	// yield is the consumer's; nil for Generate, which has none.
	yield func(events.Event) bool
	reply *stream.Reply
	// told is what the caller has to say: of the attempts before this one, of what it
	// changed.
	told []events.Event
	held []events.Event
	// open reports that events were handed on.
	open bool
	// left reports that the consumer has left the loop, entered that its code is at
	// work. A body that does not return leaves it entered.
	left, entered bool
}

func newDelivery(yield func(events.Event) bool, dropped []events.Event) *delivery {
	return &delivery{yield: yield, reply: new(stream.Reply), told: slices.Clip(dropped)}
}

// take takes an event that is no terminal and reports whether to go on.
func (d *delivery) take(ev events.Event) bool {
	if d.open {
		return d.hand(ev)
	}
	d.held = append(d.held, ev)
	if ev.Kind.IsContent() || len(d.held) > maxHeld {
		return d.flush()
	}
	return true
}

// hand folds an event and hands it to the consumer, if it is still there.
func (d *delivery) hand(ev events.Event) bool {
	d.reply.Add(ev)
	if d.yield == nil || d.left {
		return !d.left
	}
	d.entered = true
	d.left = !d.yield(ev)
	d.entered = false
	return !d.left
}

// flush hands on what is held: Started, what the caller has to say, the rest. It reports
// whether to go on.
func (d *delivery) flush() bool {
	d.open = true
	for i, ev := range d.held {
		d.hand(ev)
		if i == 0 {
			d.notices()
		}
	}
	d.held = nil
	return !d.left
}

// folded returns the fold with what is still held back.
func (d *delivery) folded() *stream.Reply {
	if d.open || len(d.held) == 0 {
		return d.reply
	}
	r := *d.reply
	for _, ev := range d.held {
		r.Add(ev)
	}
	return &r
}

func (d *delivery) notices() {
	for _, ev := range d.told {
		d.hand(ev)
	}
}

// tell adds a Notice of the caller, before the terminal is handed on.
func (d *delivery) tell(code events.NoticeCode, detail string) {
	ev := events.NewNotice(code, detail)
	if d.open {
		d.hand(ev)
		return
	}
	d.told = append(d.told, ev)
}

// end hands on the terminal, after what is still held. Without a Started, when nothing
// was sent, it makes one.
func (d *delivery) end(terminal events.Event) {
	if !d.open {
		if len(d.held) == 0 {
			d.held = []events.Event{events.NewStarted(events.Start{})}
		}
		d.flush()
	}
	d.hand(terminal)
}
