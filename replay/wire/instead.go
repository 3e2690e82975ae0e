package wire

import (
	"cmp"
	"errors"
	"io/fs"
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
)

// Instead returns what a folder holds instead of recordings, for people, and "" when
// it has some or nothing that is known: recordings of package replay, which are of
// another format, or recordings in a folder below.
func (r *Recordings) Instead() string { return r.instead }

// insteadOf looks for recordings that are somewhere else or something else.
func insteadOf(source fs.FS, entries []fs.DirEntry) string {
	if others := tape.Count(entries, tape.IsSum); others > 0 {
		return "the folder holds recordings of package replay (" + strconv.Itoa(others) +
			"), of requests and events; these here are of HTTP exchanges, as wire.Transport and weir record make them"
	}
	if dir := tape.Below(source, tape.IsSlug); dir != "" {
		return "they are in folders below, and the first of these is " + strconv.Quote(dir)
	}
	return ""
}

// nothing says that there are no recordings, and what is there instead or what to do.
func (r *Recordings) nothing() string {
	text := "there are no recordings"
	if r.dir != "" {
		text += " in " + r.dir
	}
	if r.missing {
		text += " (no such folder)"
	}
	return text + ": " + cmp.Or(r.instead, "record first")
}

// failureOfNothing is the failure of a folder without recordings.
func failureOfNothing(what string, causes ...error) error {
	f := events.NewFailure(events.Other, events.ReasonNotRecorded, what).
		WithCause(errors.Join(append(causes, ErrNotRecorded)...))
	f.Sent = events.NotSent
	return f
}
