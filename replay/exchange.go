package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// An exchange is one stream that is being recorded. It is used from one goroutine.
type exchange struct {
	recorder *Recorder
	ctx      context.Context
	model    string
	request  []byte
	place    place
	scrubber providers.Scrubber
	problem  error // why it is not recorded

	events   []timed
	held     int // bytes of events, about
	body     []byte
	received int // bytes of body, left out ones too
	last     time.Time

	stored   bool
	yielding bool // the consumer is at work; stays set when it does not return
	left     bool // the consumer has left the loop in the ordinary way
}

// A timed event is one with the time that the model took for it.
type timed struct {
	events.Event
	after time.Duration
}

// begin takes the number of an exchange, whatever becomes of it.
func (r *Recorder) begin(ctx context.Context, req request.Request) *exchange {
	x := &exchange{recorder: r, ctx: ctx, model: r.Inner.Name(), last: time.Now()}
	for _, secret := range r.Secrets {
		x.scrubber.Add(string(secret))
	}
	canonical, err := req.Canonical()
	if err != nil {
		x.problem = err
		return x
	}
	key, err := KeyOf(x.model, canonical)
	if err != nil {
		x.problem = err
		return x
	}
	x.request, x.place = canonical, r.sequences.take(key)
	return x
}

// tap keeps what the provider sends.
func (x *exchange) tap(body []byte) {
	x.received += len(body)
	if x.received <= x.maxBody() {
		x.body = append(x.body, body...)
	} else {
		x.body = nil
	}
}

func (x *exchange) maxBody() int {
	if x.recorder.MaxBody <= 0 {
		return DefaultMaxBody
	}
	return x.recorder.MaxBody
}

// pass keeps an event, stores the exchange when it was the terminal, and hands the
// event on.
func (x *exchange) pass(ev events.Event, emit func(events.Event) bool) bool {
	x.keep(ev)
	if ev.Kind.IsTerminal() {
		x.store()
	}
	x.yielding = true
	more := emit(ev)
	x.yielding = false
	x.last = time.Now()
	x.left = !more
	return more
}

func (x *exchange) keep(ev events.Event) {
	x.held += len(ev.Text) + ev.MediaSize() + perEvent
	if x.held > maxEvents {
		x.events = nil
		x.problem = tooLarge("its events are", maxEvents)
	}
	if x.problem == nil {
		x.events = append(x.events, timed{ev, time.Since(x.last)})
	}
}

// perEvent is about what an event takes beside its text.
const perEvent = 64

// leave stores an exchange that no terminal has ended.
func (x *exchange) leave() { x.store() }

func (x *exchange) store() {
	if x.stored {
		return
	}
	x.stored = true
	x.recorder.store(x)
	x.events, x.body = nil, nil
}

// recording returns the exchange as it is stored.
func (x *exchange) recording() (*recording, error) {
	if x.problem != nil {
		return nil, x.problem
	}
	evs, changed, err := scrubbed(x.events, &x.scrubber)
	if err != nil {
		return nil, err
	}
	request, redacted, err := scrubbedJSON(x.request, &x.scrubber)
	if err != nil {
		return nil, err
	}
	r := &recording{model: x.model, key: x.place.key, request: request, redacted: redacted}
	r.complete, r.reason = x.end()
	if kind, reason, _ := strings.Cut(r.reason, "/"); !isOurs(kind) || !isOurs(reason) {
		r.reason = x.scrubber.Scrub(r.reason)
	}
	size, room := 0, x.recorder.sequences.maxFile()
	for _, ev := range evs {
		line := events.AppendJSON(nil, ev.Event)
		if size += len(line); size > room {
			return nil, tooLarge("its file would be", room) // no more of it is made
		}
		r.events = append(r.events, json.RawMessage(line))
		if x.recorder.Timing {
			r.delays = append(r.delays, ev.after.Milliseconds())
		}
	}
	// Of the events as they are read: what is no UTF-8 is not written as it is.
	if read, problem := r.decode(); problem == "" {
		evs = read.events
	}
	r.reply = foldOf(evs)
	r.ungrammatical = violationIn(evs, wide()) != nil
	x.addBody(r, changed)
	return r, nil
}

// addBody adds what the provider sent, or why it is left out.
func (x *exchange) addBody(r *recording, saidSecret bool) {
	switch {
	case x.received == 0:
	case x.received > x.maxBody():
		r.bodyLeftOut = fmt.Sprintf("%d bytes are more than the %d that are kept", x.received, x.maxBody())
	case saidSecret:
		r.bodyLeftOut = "the model said a credential, which is in it in pieces"
	default:
		r.body = []byte(x.scrubber.Scrub(string(x.body)))
	}
}

// end says whether the provider had its say, and else what ended the stream.
func (x *exchange) end() (complete bool, reason string) {
	f, told := x.failure()
	if told && (f == nil || !isCut(f)) {
		return true, ""
	}
	return false, reasonOf(f)
}

// failure returns how the stream failed, nil when it completed, and whether the
// stream itself told so in a terminal.
func (x *exchange) failure() (f *events.Failure, told bool) {
	if n := len(x.events); n > 0 && x.events[n-1].Kind.IsTerminal() {
		f, _ := x.events[n-1].Failure()
		return f, true
	}
	f = stream.Interrupted(x.ctx)
	switch {
	case x.yielding:
		f = events.NewFailure(events.Cancelled, events.ReasonConsumerPanic, "")
	case f != nil:
	case x.left:
		f = events.NewFailure(events.Cancelled, events.ReasonAbandoned, "")
	default:
		f = events.NewFailure(events.InvalidReply, events.ReasonTruncated, "")
	}
	return f, false
}

// why returns what of a failure may be told beside the recording.
func (x *exchange) why() *events.Failure {
	f, _ := x.failure()
	if f == nil {
		return nil
	}
	return &events.Failure{
		Kind: events.FailureKind(x.word(string(f.Kind))), Reason: events.Reason(x.word(string(f.Reason))), Status: f.Status,
	}
}

// word returns a word of a failure, of which a model of somebody else may have made
// anything.
func (x *exchange) word(text string) string {
	if isOurs(text) {
		return text
	}
	return x.scrubber.Scrub(text)
}

// isCut reports whether a failure is that of an exchange which was cut, and not
// what the provider, or the adapter, had to say.
func isCut(f *events.Failure) bool {
	switch f.Kind {
	case events.Unreachable, events.Cancelled, events.LimitReached, events.Crashed:
		return true
	case events.TimedOut:
		return f.Reason != events.ReasonHTTP
	case events.InvalidReply:
		return f.Reason == events.ReasonTruncated || f.Reason == events.ReasonLostConnection
	default:
		return false
	}
}

func reasonOf(f *events.Failure) string {
	if f.Reason == "" {
		return string(f.Kind)
	}
	return string(f.Kind) + "/" + string(f.Reason)
}
