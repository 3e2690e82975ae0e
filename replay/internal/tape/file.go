package tape

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

var errName = errors.New("not the name of a file in the directory")

// Write writes a file of dir so that after a crash, at whatever moment, the name
// holds the old data or the new, whole: a temporary file of its own in dir,
// fsync, rename, fsync of dir. The directory is made with mode 0700 where it is
// missing, the file has mode 0600. After an error the old data is in place
// (after an error of the last fsync perhaps the new) and the temporary file is
// gone; a crash leaves it, see [RemoveStale].
func Write(dir, name string, data []byte) error { return write(disk{}, dir, name, data) }

// WriteAfter is Write with something done when the data is on the disk and before it
// takes its name; an error of it is returned, and the old data is in place.
func WriteAfter(dir, name string, data []byte, before func() error) error {
	return write(after{disk{}, before}, dir, name, data)
}

// after is a volume that does something before a file takes its name.
type after struct {
	volume
	before func() error
}

func (a after) rename(from, to string) error {
	if a.before != nil {
		if err := a.before(); err != nil {
			return err
		}
	}
	return a.volume.rename(from, to)
}

// staleAfter is far longer than any write takes.
const staleAfter = time.Hour

// RemoveStale removes the temporary files that writers left in dir when they were
// killed. What is younger than an hour may be that of a writer at work and stays. The
// first error is returned and stops nothing; a missing directory holds none.
func RemoveStale(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if isTemporary, _ := filepath.Match(temporaryPattern, entry.Name()); !isTemporary || !entry.Type().IsRegular() {
			continue
		}
		info, statErr := entry.Info()
		if statErr == nil && time.Since(info.ModTime()) > staleAfter {
			statErr = os.Remove(filepath.Join(dir, entry.Name()))
		}
		// Another writer may have been faster.
		if !errors.Is(statErr, fs.ErrNotExist) {
			err = cmp.Or(err, statErr)
		}
	}
	return err
}

// Remove removes files of dir, in the order given; that one is missing is fine.
// The removals are on the disk when it returns nil.
func Remove(dir string, names ...string) error { return remove(disk{}, dir, names) }

func remove(v volume, dir string, names []string) error {
	removed := false
	for _, name := range names {
		if !isPlain(name) {
			return &fs.PathError{Op: "remove", Path: name, Err: errName}
		}
		switch err := v.remove(filepath.Join(dir, name)); {
		case err == nil:
			removed = true
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	if !removed {
		return nil
	}
	return v.syncDir(dir)
}

// isPlain reports whether a name is that of a file in the directory itself.
func isPlain(name string) bool {
	return filepath.IsLocal(name) && name != "." && filepath.Base(name) == name
}

// A volume is what write asks of the operating system; tests make it fail at
// each step.
type volume interface {
	mkdir(dir string) error
	create(dir string) (temporary, error)
	rename(from, to string) error
	remove(name string) error
	syncDir(dir string) error
}

// A temporary file, open for writing.
type temporary interface {
	io.WriteCloser
	Name() string
	Sync() error
}

func write(v volume, dir, name string, data []byte) error {
	if !isPlain(name) {
		return &fs.PathError{Op: "write", Path: name, Err: errName}
	}
	if err := v.mkdir(dir); err != nil {
		return err
	}
	t, err := v.create(dir)
	if err != nil {
		return err
	}
	if err := fill(t, data); err != nil {
		return errors.Join(err, v.remove(t.Name()))
	}
	if err := v.rename(t.Name(), filepath.Join(dir, name)); err != nil {
		return errors.Join(err, v.remove(t.Name()))
	}
	return v.syncDir(dir)
}

// fill writes data and closes t, on every way out.
func fill(t temporary, data []byte) error {
	_, err := t.Write(data)
	if err == nil {
		err = t.Sync()
	}
	return errors.Join(err, t.Close())
}

// disk is the real volume.
type disk struct{}

func (disk) mkdir(dir string) error       { return os.MkdirAll(dir, 0o700) }
func (disk) rename(from, to string) error { return os.Rename(from, to) }
func (disk) remove(name string) error     { return os.Remove(name) }

// temporaryPattern is of names that no reader takes for a recording.
const temporaryPattern = ".tape-*.tmp"

// create makes a file of mode 0600.
func (disk) create(dir string) (temporary, error) { return os.CreateTemp(dir, temporaryPattern) }

func (disk) syncDir(dir string) error {
	// Windows has no fsync of a directory.
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
