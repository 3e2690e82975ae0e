package sse

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"

	gosse "github.com/tmaxmax/go-sse"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// MaxEventBytes bounds one message that Read takes: the largest media of the
// grammar, 64 MiB, in base64, and room for the rest. Nothing is reserved ahead.
const MaxEventBytes = 96 << 20

// Read returns the events that [Serve] wrote to r. It reads when it is ranged,
// to the terminal and no further, and does not close r: that is the caller's,
// after the loop. Check the status code of the response first: an error page, or
// the 204 of [Serve], has no events and would read as truncated.
//
// Of each message only the data counts. Comments, and messages without data, are
// passed over. An event of a kind that this version does not know becomes a
// Notice unknown_frame, or nothing while no Started was read; so a server may be
// newer than its reader.
//
// The stream ends as Failed, with Sent answered:
//
//   - invalid_reply/truncated when r ends before a terminal. A last message
//     without its blank line is cut and does not count;
//   - invalid_reply/malformed for data that is no event;
//   - invalid_reply/too_large for a message over [MaxEventBytes];
//   - cancelled/user or timed_out/deadline when r fails with an error that is
//     context.Canceled or context.DeadlineExceeded, invalid_reply/lost_connection
//     when it fails otherwise. The error is reachable by errors.Is and errors.As.
//
// The order of the events is not checked; validator.Guard does that.
func Read(r io.Reader) stream.Stream { return read(r, MaxEventBytes) }

func read(r io.Reader, most int) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		in := reader{emit: emit}
		for m, err := range gosse.Read(r, &gosse.ReadConfig{MaxEventSize: most}) {
			if err != nil {
				in.fail(readFailure(err))
				return
			}
			if m.Data != "" && !in.message(m.Data) {
				return
			}
		}
		// go-sse calls every end of r a success.
		in.fail(truncated())
	})
}

type reader struct {
	emit    func(events.Event) bool
	started bool
}

// message reads one event and reports whether to go on.
func (in *reader) message(data string) bool {
	var ev events.Event
	if err := json.Unmarshal([]byte(data), &ev); err != nil {
		if kind, ok := unknownKind(data); ok {
			return !in.started || in.emit(events.NewNotice(events.NoticeUnknownFrame, "event of kind "+kind))
		}
		in.fail(malformed(err))
		return false
	}
	in.started = in.started || ev.Kind == events.Started
	return in.emit(ev) && !ev.Kind.IsTerminal()
}

func (in *reader) fail(f *events.Failure) {
	f.Sent = events.Answered
	if in.started || in.emit(events.NewStarted(events.Start{})) {
		in.emit(events.NewFailed(f))
	}
}

// unknownKind returns the kind of an event that is well made but not known here.
func unknownKind(data string) (kind string, ok bool) {
	var head struct {
		Kind string `json:"kind"`
	}
	if json.Unmarshal([]byte(data), &head) != nil || head.Kind == "" {
		return "", false
	}
	for _, known := range events.Kinds() {
		if known.String() == head.Kind {
			return "", false
		}
	}
	return head.Kind, true
}

// malformed returns err, which json wraps or makes itself, as a failure.
func malformed(err error) *events.Failure {
	if f, ok := events.AsFailure(err); ok {
		return f
	}
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, "a message is no event: "+err.Error())
}

func readFailure(err error) *events.Failure {
	kind, reason, text := events.InvalidReply, events.ReasonLostConnection, "the body broke"
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		reason, text = events.ReasonTooLarge, "a message is too large"
	case errors.Is(err, context.Canceled):
		kind, reason, text = events.Cancelled, events.ReasonUser, "reading was cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		kind, reason, text = events.TimedOut, events.ReasonDeadline, "reading took too long"
	}
	return events.NewFailure(kind, reason, text).WithCause(err)
}
