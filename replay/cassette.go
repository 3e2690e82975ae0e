package replay

import (
	"fmt"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
)

// A Cassette is a Model for a test, that records or replays as it was opened. It
// comes from [Open], lives as long as its test and is safe for concurrent use. The zero
// Cassette has no model: its methods panic, but for Close, which says so.
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

// Close reports what is wrong when the test is over, its streams too. It frees nothing
// and may be called again.
//
// Of a replay that is the first of: a request that was not answered ([Replayer.Err]);
// no recording at all; recordings that were never played, so that the test no longer
// does what it was recorded with; recordings of another model, which a new name of
// the model has left behind. A miss that the test asks for is one too: such a test
// reads Unused of its Replayer instead.
//
// Of a recording it is [Recorder.Err]: the first exchange that could not be recorded,
// or that was not, to keep an earlier recording.
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
		return c.Recorder.Err()
	}
	if err := c.Replayer.Err(); err != nil {
		return err
	}
	found, f := c.Replayer.unplayed()
	switch {
	case f != nil:
		return f
	case len(found.own) > 0:
		return leftOver("recordings that were never played: ", found.own)
	case len(found.others) > 0:
		return leftOver("recordings of other models than "+c.Replayer.ModelName+": ", found.others)
	}
	return nil
}

func leftOver(what string, names []string) error {
	return events.NewFailure(events.Other, "", what+strings.Join(names, ", "))
}
