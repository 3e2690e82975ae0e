package replay

import (
	"fmt"
	"os"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
)

// A Cassette is a Model for a test, that records or replays as it was opened. It
// comes from [Open], lives as long as its test and is safe for concurrent use. The zero
// Cassette has no model: its methods panic, but for Unwrap, which returns nil, and
// Close, which says so.
type Cassette struct {
	// Model is the one of Recorder and Replayer that is set.
	providers.Model
	// Recorder is nil when it replays. Its fields may be changed before the first
	// request.
	Recorder *Recorder
	// Replayer is nil when it records. Its fields may be changed before the first
	// request.
	Replayer *Replayer
}

// Open returns a Model that replays the recordings of dir, or, where record is true,
// the model of live with all that it says recorded there. live is called only then,
// so that replaying needs no credential:
//
//	model, err := replay.Open("testdata/weather", "openai:gpt-5", *record, func() (providers.Model, error) {
//		return openai.New(openai.Config{Key: key, Model: "gpt-5"})
//	})
//
// What record is taken from is the test's: a flag, the environment. Each model of each
// test has a dir of its own, because recording a request again replaces what was
// there (unless no answer comes, see [Recorder]), and [Cassette.Close] tells of all
// that was not played. Nothing is read or written before the first request.
//
// The error is that of live, as it is; or a failure of kind invalid_request, reason bad_config,
// when live returns a model of another name, whose recordings would never be found.
func Open(dir, model string, record bool, live func() (providers.Model, error)) (*Cassette, error) {
	if !record {
		r := &Replayer{ModelName: model, Dir: dir}
		return &Cassette{Model: r, Replayer: r}, nil
	}
	inner, err := live()
	if err != nil {
		return nil, err
	}
	if inner.Name() != model {
		return nil, events.NewFailure(events.InvalidRequest, events.ReasonBadConfig,
			fmt.Sprintf("the model to record is %s, and %s is to be replayed", inner.Name(), model))
	}
	r := &Recorder{Inner: inner, Dir: dir}
	return &Cassette{Model: r, Recorder: r}, nil
}

// Unwrap returns Model, for what a recorded model can do besides (see
// [Recorder.Unwrap]). A replay can do nothing besides.
func (c *Cassette) Unwrap() providers.Model { return c.Model }

// Close reports what is wrong when the test is over, its streams too. It frees nothing
// and may be called again.
//
// Of a replay that is the first of: a request that was not answered ([Replayer.Err]);
// no recording at all; recordings that were never played, so that the test no longer
// does what it was recorded with; recordings of another model, which a new name of
// the model has left behind. A miss that the test asks for is one too: such a test
// reads Unused of its Replayer instead.
//
// Of a recording it is the first of: [Recorder.Err], an exchange that could not be
// recorded, or that was not, to keep an earlier recording; recordings of the model that
// this run did not record, as a changed prompt leaves them behind, and those of other
// models: a replay would not play them. A recording of a part of the tests needs a
// folder for each, or reads Err of its Recorder instead.
//
// What is left over is told by file and the first words of the prompt, five of them, and
// is to be removed, or recorded anew into an empty folder. Nothing is removed here.
//
// The error is an *events.Failure: with a *[NotRecorded], a *[BadRecording] or a
// *[HeldBack] in its chain where it tells of one, and of kind other where recordings are
// left over; invalid_request where a request of a replay or a field is wrong, as in a
// Cassette that does not come from [Open].
func (c *Cassette) Close() error {
	if c == nil || c.Recorder == nil && c.Replayer == nil {
		return events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, "the Cassette does not come from Open")
	}
	if c.Recorder != nil {
		return c.Recorder.leftOver()
	}
	if err := c.Replayer.Err(); err != nil {
		return err
	}
	found, f := c.Replayer.unplayed()
	if f != nil {
		return f
	}
	return found.failure(c.Replayer.ModelName, "recordings that were never played")
}

// leftOver returns what is wrong after a recording: an exchange that is not stored, or
// recordings of earlier runs that a replay of this one would not play.
func (r *Recorder) leftOver() error {
	if err := r.Err(); err != nil || r.Dir == "" || r.Inner == nil {
		return err
	}
	model := r.Name()
	found, f := shelf{os.DirFS(r.Dir), r.Dir}.leftovers(model, r.sequences.stored)
	if f != nil {
		return f
	}
	return found.failure(model, "recordings of "+model+" that this run did not record")
}
