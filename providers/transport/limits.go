package transport

import (
	"time"

	"github.com/weirsdk/weir/validator"
)

// Defaults of Limits.
const (
	// DefaultMaxFrame is the largest frame, and so the longest line: 16 MiB.
	// Providers repeat a whole answer in one line (OpenAI's done events).
	DefaultMaxFrame = 16 << 20
	// DefaultMaxErrorBody is what is read of the body of an error status: 64 KiB.
	DefaultMaxErrorBody = 64 << 10
	// DefaultMaxBody is what is read of a body that is no stream: 16 MiB.
	DefaultMaxBody = 16 << 20
	// DefaultTailWait is how long a stream whose terminal evidence was read is
	// read on for usage and the end marker: 2 s.
	DefaultTailWait = 2 * time.Second
)

// drainWait is how long a connection whose stream has ended is read on for the
// end of the body, so that it can be used again. The end comes in the same
// packet or not at all, in practice.
const drainWait = 50 * time.Millisecond

// Limits bounds one exchange. A zero field means the default, never "none".
type Limits struct {
	// MaxFrame, MaxErrorBody and MaxBody are in bytes.
	MaxFrame, MaxErrorBody, MaxBody int
	// TailWait is how long to read on after the terminal evidence.
	TailWait time.Duration
	// Grammar bounds the events.
	Grammar validator.Limits
}

func (l Limits) withDefaults() Limits {
	if l.MaxFrame <= 0 {
		l.MaxFrame = DefaultMaxFrame
	}
	if l.MaxErrorBody <= 0 {
		l.MaxErrorBody = DefaultMaxErrorBody
	}
	if l.MaxBody <= 0 {
		l.MaxBody = DefaultMaxBody
	}
	if l.TailWait <= 0 {
		l.TailWait = DefaultTailWait
	}
	return l
}
