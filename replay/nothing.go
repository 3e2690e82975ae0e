package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
)

// none is the failure of a folder without a recording of a model, perhaps with one of
// another.
func (s shelf) none(model, other string) *events.Failure {
	detail := fmt.Sprintf("there are no recordings of %s in %s", model, placeName(s.dir))
	if other != "" {
		detail += ", and there are some of " + other + recordFirst
	} else {
		detail += s.instead()
	}
	return events.NewFailure(events.Other, events.ReasonNotRecorded, detail).WithCause(ErrNotRecorded)
}

// recordFirst is what to do about it.
const recordFirst = ": record first (Open with record, or a Recorder)"

// noneIn says that a folder has no recordings of any model.
func noneIn(dir string) string { return "there are no recordings in " + placeName(dir) }

// instead says what a folder without recordings holds in their place, or what to do.
func (s shelf) instead() string {
	entries, err := fs.ReadDir(s.fs, ".")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return " (no such folder)" + recordFirst
	case err != nil:
		return recordFirst
	}
	if n := tape.Count(entries, tape.IsSlug); n > 0 {
		return fmt.Sprintf(": the folder holds %s of package replay/wire, of HTTP exchanges; these here are of requests and "+
			"events, as a Recorder makes them", counted(n, "recording"))
	}
	if dir := tape.Below(s.fs, tape.IsSum); dir != "" {
		return ": they are in folders below, and the first of these is " + strconv.Quote(dir)
	}
	return recordFirst
}

// placeName names a folder for people.
func placeName(dir string) string {
	if dir == "" {
		return "the FS"
	}
	return dir
}
