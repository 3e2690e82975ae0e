package replay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
)

// A shelf is a directory of recordings. It remembers nothing.
type shelf struct {
	fs  fs.FS
	dir string // its name for people, empty where there is none
}

// places returns the recordings by name, those of one key in their order.
func (s shelf) places() ([]place, *events.Failure) { return s.placesOf("") }

// placesOf returns the recordings of a key, or of all for "", in their order. Names
// are read only as far as they may be of the key: folders are large, and this is
// done for each request.
func (s shelf) placesOf(key string) ([]place, *events.Failure) {
	entries, err := fs.ReadDir(s.fs, ".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, s.unreadable(err)
	}
	var all []place
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), key) {
			continue
		}
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
		return nil, s.unreadable(err)
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
