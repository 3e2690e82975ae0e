package replay

import (
	"fmt"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
)

// A Cassette is a Model for a test, that records or replays as it was opened. It
// comes from [Open]; one of Recorder and Replayer is set, and its fields may be
// changed before the first request.
type Cassette struct {
	providers.Model
	Recorder *Recorder
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
// What record is taken from is the test's: a flag, the environment. Each test has a
// dir of its own, because recording a request again replaces what was there.
//
// The error is that of live; or a failure of kind invalid_request, reason bad_config,
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

// Close reports what is wrong when the test is over: the first exchange that could
// not be recorded, or recordings that were never played, so that the test no longer
// does what it was recorded with. It frees nothing. The error is a failure of kind
// other.
func (c *Cassette) Close() error {
	if c.Recorder != nil {
		return c.Recorder.Err()
	}
	unused, err := c.Replayer.Unused()
	if err != nil {
		return err
	}
	if len(unused) > 0 {
		return events.NewFailure(events.Other, "", "recordings that were never played: "+strings.Join(unused, ", "))
	}
	return nil
}
