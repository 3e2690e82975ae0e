package replay

import (
	"context"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// A Replayer is a providers.Model that plays what a [Recorder] has stored. It needs
// no network and no credential. The nth identical request gets the nth recording,
// counted when the streams are ranged; how often each was asked for lasts as long as
// the Replayer. A request whose context has ended by then fails as cancelled, or as the
// context says, and is not counted, as a Recorder does not.
//
// Failures come back as they were, with status, usage, wait, advice and how far the
// request got; of their causes only the reasons of package cancel. A recording that
// is not complete plays what was delivered and then fails: as it did, or as
// cancelled when the consumer had left. A request without a recording fails with a
// *[NotRecorded], a file that cannot be used with a *[BadRecording], a folder that
// cannot be read as other, with the error of the file system in its chain; none of them
// is retried, and a Replayer never calls anybody.
//
// The stream obeys the context and is held to the grammar of package validator, with
// limits that bound nothing.
//
// ModelName, and Dir or FS, are required; without them every stream fails as
// invalid_request/bad_config. Set the fields before the first request; then a
// Replayer is safe for concurrent use. It must not be copied once used. It holds no
// goroutine and no open file, so there is nothing to close.
type Replayer struct {
	// ModelName is the name of the model that was recorded, "<provider>:<model>". It
	// is part of the key.
	ModelName string
	// Dir has the recordings; one that is missing has none. It is read anew for each
	// request, of which nothing is kept.
	Dir string
	// FS is read instead of Dir where it is set, for recordings that are embedded. It
	// has to be safe for concurrent use if the Replayer is used so.
	FS fs.FS
	// ModelSpec is what Spec returns. A request is not checked against it.
	ModelSpec request.Spec
	// Pace keeps the delays of a recording made with Recorder.Timing. The waits run
	// the clocks of the call (cancel.WithClocks), as a transport's do. Without it
	// events come at once.
	Pace bool

	mu    sync.Mutex
	asked map[string]int
	used  map[place]bool
	err   *events.Failure
}

// Name returns ModelName.
func (r *Replayer) Name() string { return r.ModelName }

// Spec returns ModelSpec.
func (r *Replayer) Spec() request.Spec { return r.ModelSpec }

// Stream returns the recorded stream.
func (r *Replayer) Stream(ctx context.Context, req request.Request) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		validator.Guard(func(yield func(events.Event) bool) { r.answer(ctx, req, yield) }, validator.WithLimits(wide()))(emit)
	})
}

func (r *Replayer) answer(ctx context.Context, req request.Request, yield func(events.Event) bool) {
	p := player{ctx: ctx, yield: yield}
	if ctx.Err() != nil {
		p.interrupt()
		return
	}
	rec, f := r.find(req)
	if f != nil {
		r.note(f)
		p.fail(f)
		return
	}
	if r.Pace && rec.timed {
		defer p.begin()()
	}
	for _, ev := range rec.events {
		if !p.playAfter(ev.after, restored(ev.Event)) {
			return
		}
	}
	if rec.cut != nil {
		p.fail(rec.cut)
	}
}

func (r *Replayer) shelf() (shelf, *events.Failure) {
	problem := ""
	switch {
	case r.ModelName == "":
		problem = "the Replayer has no ModelName"
	case r.FS == nil && r.Dir == "":
		problem = "the Replayer has neither Dir nor FS"
	case r.FS != nil:
		return shelf{fs: r.FS}, nil
	default:
		return shelf{os.DirFS(r.Dir), r.Dir}, nil
	}
	f := events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, problem)
	f.Sent = events.NotSent
	return shelf{}, f
}

// A played recording is one that was found, ready to be played.
type played struct {
	events []timed
	timed  bool
	// cut is how a recording without a terminal ends.
	cut *events.Failure
}

// find takes the recording of the next request of its key.
func (r *Replayer) find(req request.Request) (played, *events.Failure) {
	s, f := r.shelf()
	if f != nil {
		return played{}, f
	}
	canonical, err := req.Canonical()
	if err != nil {
		return played{}, refused(err)
	}
	key, err := KeyOf(r.ModelName, canonical)
	if err != nil {
		return played{}, refused(err)
	}
	p := r.take(key)
	rec, f := s.read(p)
	switch {
	case f != nil:
		return played{}, f
	case rec == nil:
		return played{}, s.miss(r.ModelName, key, canonical, p.nth)
	}
	evs, problem := rec.playable()
	if problem != "" {
		return played{}, (&BadRecording{p.file(), problem}).failure()
	}
	r.mark(p)
	return played{events: evs, timed: rec.delays != nil, cut: rec.cutFailure(evs)}, nil
}

func (r *Replayer) take(key string) place {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked == nil {
		r.asked = map[string]int{}
	}
	r.asked[key]++
	return place{key, r.asked[key]}
}

// refused is the failure of a request that has no key.
func refused(err error) *events.Failure {
	f, ok := events.AsFailure(err)
	if !ok {
		f = events.NewFailure(events.InvalidRequest, "", err.Error())
	}
	told := *f
	told.Sent = events.NotSent
	return &told
}

func milliseconds(ms int64) time.Duration {
	const most = int64(24 * time.Hour / time.Millisecond)
	return time.Duration(min(ms, most)) * time.Millisecond
}
