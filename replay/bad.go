package replay

import "github.com/weirsdk/weir/events"

// A BadRecording is a file that has the name of a recording and cannot be replayed:
// damaged, edited so that it no longer says what it is of, or of a later version.
// It is in the chain of an *events.Failure of kind other, reason malformed, which is
// not retried.
type BadRecording struct {
	// File is its name in the directory.
	File string
	// Problem is what is wrong and what to do about it, for people.
	Problem string
}

// Error returns one line.
func (b *BadRecording) Error() string { return "the recording " + b.File + " " + b.Problem }

func (b *BadRecording) failure() *events.Failure {
	f := events.NewFailure(events.Other, events.ReasonMalformed, b.Error())
	f.Sent = events.NotSent
	return f.WithCause(b)
}

// unreadable is the failure of a directory or file that cannot be read. The errors of
// os.DirFS do not say which directory it is.
func (s shelf) unreadable(err error) *events.Failure {
	f := events.NewFailure(events.Other, "", "the recordings in "+placeName(s.dir)+" cannot be read: "+err.Error())
	f.Sent = events.NotSent
	return f.WithCause(err)
}
