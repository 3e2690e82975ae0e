package replay

import (
	"context"
	"fmt"
	"sync"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// DefaultMaxBody is what is kept of what a provider sent for one reply: 16 MiB.
const DefaultMaxBody = 16 << 20

// maxEvents bounds the events that are held for one recording, about in bytes. It
// is far above what the grammar allows by default, for models that nothing bounds.
const maxEvents = 256 << 20

// tooLarge is the failure of an exchange that is larger than a recording may be.
func tooLarge(what string, most int) *events.Failure {
	return events.NewFailure(events.Other, events.ReasonTooLarge, fmt.Sprintf("%s larger than the %d bytes that may be", what, most))
}

// A Recorder is a providers.Model that passes the streams of another one through
// and stores each exchange in Dir: the request, the events, their fold, and the
// bytes that the provider sent. Failures are stored too.
//
// A recording is written when the terminal has come, before it is handed on. A
// stream that was left (break, panic, runtime.Goexit) or cancelled is written as it
// is left, as not complete. Each is written once, and held in memory until then.
//
// The stream is as without the Recorder, whatever comes of the disk: an exchange
// that could not be stored is told to OnError and by Err. That a write takes a few
// milliseconds is the exception. What a [Replayer] would not read again is not stored:
// a file has at most 512 MiB, and the texts and media of its events about 256 MiB.
//
// The nth identical request of a Recorder's lifetime becomes the nth recording of
// its key, counted when the streams are ranged. The first one that is stored
// replaces all recordings that the key had before. A request whose context has ended
// by then is never sent: it is passed on to Inner, and neither counted nor stored.
//
// An exchange without an answer does not replace one with an answer. An answer is
// content, a Completed, or a refusal (rejected) for what is in the request. No answer
// is what says nothing of it: unreachable, not sent, timed out, cancelled or broken
// before any content; no credential, permission, money or quota; no such model or
// address; rate limits, overload, a page that is no reply. Where an earlier recording
// of the key has an answer, or cannot be read, such an exchange is held back in
// memory, of all at most 16 MiB, until one with an answer comes to the same Recorder;
// then it is stored with it, in its number. If none comes, the earlier recordings stay
// as they are, and Err and OnError tell a *[HeldBack]. Where there is nothing to lose
// it is stored at once.
//
// Nothing that is stored holds a credential that the call sent (see
// providers.Scrubber) or one of Secrets: it is replaced by "[redacted]", a number of the
// request that has one by a text. A model
// that says a credential itself has its body left out, because there it is in
// pieces. A reply that breaks the grammar without the credential is not stored.
//
// Of a recording the events are what is played. The request, with model and key, is
// what is looked for. The reply, which is the fold of the events, and the body are for
// people: nobody reads the body, and a reply that does not agree with the events is a
// *[BadRecording].
//
// Inner and Dir are required: without Inner it is no model (Name and Spec panic, and
// each stream fails as crashed), without Dir nothing is stored, which is told. Set the
// fields before the first request; then a Recorder is safe for concurrent use. It must
// not be copied once used. It holds no goroutine and no open file, so there is nothing
// to close. Two Recorders must not record the same request into one Dir at the same
// time: each replaces what the other stores.
type Recorder struct {
	// Inner is the model that is recorded.
	Inner providers.Model
	// Dir is made, with mode 0700, by the first recording; files have mode 0600. One
	// that is there keeps its mode, however many may read it. What a crash may leave
	// there (.tape-*.tmp) is no recording and is never read; the first exchange that a
	// Recorder stores removes what is left so for more than an hour.
	Dir string
	// Timing keeps how long the model took for each event, in milliseconds, for
	// Replayer.Pace. Two recordings of the same run then differ.
	Timing bool
	// Secrets are more texts to keep off the disk. Those shorter than four bytes are
	// passed over: they would tear ordinary words.
	Secrets []providers.Secret
	// MaxBody bounds the bytes of the provider, which are left out with a note when
	// there are more; 0 or less means DefaultMaxBody.
	MaxBody int
	// OnError is told of each exchange that could not be stored, and of each that is
	// held back (a *HeldBack is in the chain), on the goroutine that ranges the stream,
	// so of several at once. A panic of it is contained. The error is an
	// *events.Failure of kind other with the cause in its chain: other/too_large for an
	// exchange that is larger than a recording may be, other/protocol_violation for a
	// reply that breaks the grammar without its credentials, invalid_request for a
	// request without a key or a Recorder without Dir, an error of the file system.
	OnError func(error)

	sequences sequences
	mu        sync.Mutex
	err       error
}

// Name returns the name of Inner.
func (r *Recorder) Name() string { return r.Inner.Name() }

// Spec returns the Spec of Inner.
func (r *Recorder) Spec() request.Spec { return r.Inner.Spec() }

// Unwrap returns Inner, for what it can do besides (see providers.As): its list of
// models, counts of tokens. That is not recorded.
func (r *Recorder) Unwrap() providers.Model { return r.Inner }

// Err returns the first error that OnError was told, or would be, and that still holds,
// or nil: every exchange that has ended is stored. Those of exchanges that could not be stored
// come before those of exchanges that are held back.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	return r.sequences.heldBack()
}

// Stream returns the stream of Inner, which is stored while it is ranged.
func (r *Recorder) Stream(ctx context.Context, req request.Request) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		if ctx.Err() != nil {
			r.Inner.Stream(ctx, req)(emit)
			return
		}
		x := r.begin(ctx, req)
		defer x.leave()
		ctx := providers.WithScrubber(providers.WithTap(ctx, x.tap), &x.scrubber)
		// Contained here, so that a panic of Inner is recorded as what it becomes.
		inner := stream.New(func(emit func(events.Event) bool) { r.Inner.Stream(ctx, req)(emit) })
		inner(func(ev events.Event) bool { return x.pass(ev, emit) })
	})
}

// store stores an exchange. What goes wrong is told, and nothing of it leaves.
func (r *Recorder) store(x *exchange) {
	defer func() {
		if crash := recover(); crash != nil {
			r.report(fmt.Errorf("panic of type %T", crash))
		}
	}()
	rec, err := x.recording()
	if err != nil {
		r.report(err)
		return
	}
	text, err := rec.print()
	if err != nil {
		r.report(err)
		return
	}
	if room := r.sequences.maxFile(); len(text) > room {
		r.report(tooLarge("its file would be", room)) // no Replayer reads it
		return
	}
	e := entry{place: x.place, model: x.model, text: text}
	if !isAnswer(x.events) {
		e.failed = x.why()
	}
	came := r.sequences.store(r.Dir, e)
	for _, err := range came.failed {
		r.report(err)
	}
	if came.held != nil {
		r.tell(came.held)
	}
}

// report tells that an exchange was not stored, for good.
func (r *Recorder) report(cause error) {
	err := notRecorded(cause)
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	r.mu.Unlock()
	r.tell(err)
}

func (r *Recorder) tell(err error) {
	if r.OnError != nil {
		defer func() { _ = recover() }() // it may not change the stream
		r.OnError(err)
	}
}

func notRecorded(cause error) error {
	return events.NewFailure(events.Other, "", "an exchange was not recorded: "+cause.Error()).WithCause(cause)
}
