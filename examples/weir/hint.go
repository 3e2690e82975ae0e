package main

import (
	"strings"

	"github.com/weirsdk/weir/events"
)

// badJSON says in one line what is wrong with the JSON of a request or of tools.
// Of an unknown field the failure says what it is called here, where it is the
// field of another API; what the command line has instead is said here.
func badJSON(where string, err error) error {
	f, ok := events.AsFailure(err)
	if !ok {
		return wrongUsage("%s: %s", where, err)
	}
	detail := f.Detail
	switch field, more, unknown := strings.Cut(detail, ": unknown field"); {
	case unknown && field == "model":
		detail = "model: unknown field; give --model instead"
	case unknown && more == "":
		detail += "; " + docs + " lists the fields"
	}
	return wrongUsage("%s: %s", where, detail)
}
