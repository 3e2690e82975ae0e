package transport

import (
	"fmt"

	"github.com/weirsdk/weir/events"
)

// decode feeds the decoder one frame. A panic of the decoder becomes a failure
// that keeps what the exchange knows; one that comes out of the consumer, and a
// Goexit, are left alone: nothing is recovered while the consumer is at work.
func (x *exchange) decode(frame Frame, emit func(events.Event) bool) (state State, err error) {
	defer func() {
		if !x.yielding {
			if crash := recover(); crash != nil {
				err = crashed("the decoder", crash)
			}
		}
	}()
	return x.decoder.Frame(frame, emit)
}

// decodeEnd asks the decoder for the terminal. A panic becomes one, and so does
// an event that is none.
func (x *exchange) decodeEnd(end End) (terminal events.Event) {
	if f := end.Failure; f != nil && f.Kind == events.Crashed && end.Kind == EndError {
		return events.NewFailed(f) // its state is nobody's
	}
	defer func() {
		if crash := recover(); crash != nil {
			terminal = events.NewFailed(crashed("the decoder", crash))
		}
	}()
	return x.decoder.End(end)
}

// crashed tells the type of a panic's value only: the value may hold a secret.
func crashed(who string, crash any) *events.Failure {
	return events.NewFailure(events.Crashed, "", fmt.Sprintf("%s panicked: %T", who, crash))
}
