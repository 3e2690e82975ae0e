package replay

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
)

// A shelf is a directory of recordings. It remembers nothing.
type shelf struct{ fs fs.FS }

// places returns the recordings by name, those of one key in their order.
func (s shelf) places() ([]place, *events.Failure) {
	entries, err := fs.ReadDir(s.fs, ".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(err)
	}
	var all []place
	for _, entry := range entries {
		if p, ok := placeOf(entry.Name()); ok && !entry.IsDir() {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.nth, b.nth))
	})
	return all, nil
}

// read returns a recording that is what its name and its key say; nil without a
// failure when there is none.
func (s shelf) read(p place) (*recording, *events.Failure) {
	text, err := readFile(s.fs, p.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, errTooLarge) {
		return nil, (&BadRecording{p.file(), fmt.Sprintf("is larger than %d bytes: remove it", maxFile)}).failure()
	}
	if err != nil {
		return nil, unreadable(err)
	}
	rec, problem := parse(text)
	if problem == "" {
		problem = rec.mismatch(p)
	}
	if problem != "" {
		return nil, (&BadRecording{p.file(), problem}).failure()
	}
	return rec, nil
}

// mismatch says how a recording is not the one that its name says.
func (r *recording) mismatch(p place) string {
	if r.key != p.key {
		return fmt.Sprintf("says that its key is %s: give the file the name of its key, or record it again", r.key)
	}
	key, err := KeyOf(r.model, r.request)
	if err != nil {
		return "has a request that is no JSON: record it again"
	}
	if key != r.key && !r.redacted {
		return "has another model or request than its key says, so it was edited: undo that, record it again, or make " +
			key + " its key and " + tape.Name(key, p.nth) + " its name"
	}
	return ""
}

var errTooLarge = errors.New("too large")

func readFile(fsys fs.FS, name string) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = errTooLarge
	}
	return text, err
}

// decoded returns the events of a recording, each with its delay in milliseconds.
// Kinds that this version does not know are passed over.
func (r *recording) decoded() (evs []timed, problem string) {
	passed := false
	var waited int64
	for i, line := range r.events {
		if r.delays != nil {
			waited += r.delays[i]
		}
		var head struct {
			Kind string `json:"kind"`
		}
		if json.Unmarshal(line, &head) == nil && head.Kind != "" && !isKnown(head.Kind) {
			passed = true
			continue
		}
		var ev events.Event
		if err := ev.UnmarshalJSON(line); err != nil {
			return nil, fmt.Sprintf("has an event %d that cannot be read (%s): record it again", i+1, detailOf(err))
		}
		evs = append(evs, timed{ev, milliseconds(waited)})
		waited = 0
	}
	if passed {
		renumber(evs)
	}
	return evs, r.endProblem(evs)
}

// endProblem says how the events do not fit what the recording says of its end.
func (r *recording) endProblem(evs []timed) string {
	ended := len(evs) > 0 && evs[len(evs)-1].Kind.IsTerminal()
	switch {
	case r.complete && !ended:
		return "is complete and its last event is no terminal: record it again"
	case !r.complete && ended && evs[len(evs)-1].Kind == events.Completed:
		return "is not complete and ends with completed: record it again"
	case !r.complete && r.reason == "":
		return "is not complete and has no reason: record it again"
	}
	return ""
}

func isKnown(kind string) bool {
	return slices.ContainsFunc(events.Kinds(), func(k events.Kind) bool { return k.String() == kind })
}

// renumber closes the gaps that passed over blocks leave: indexes are taken in
// order.
func renumber(evs []timed) {
	numbers := map[int32]int32{}
	for i := range evs {
		if !evs[i].Kind.HasIndex() {
			continue
		}
		number, ok := numbers[evs[i].Index]
		if !ok {
			number = int32(len(numbers))
			numbers[evs[i].Index] = number
		}
		evs[i].Index = number
	}
}

func detailOf(err error) string {
	if f, ok := events.AsFailure(err); ok {
		return f.Detail
	}
	return err.Error()
}
