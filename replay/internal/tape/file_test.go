package tape

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errDisk = errors.New("the disk says no")

// failing is the real disk, but for one step that fails.
type failing struct {
	disk
	step string
}

func (f failing) fail(step string) error {
	if f.step == step {
		return errDisk
	}
	return nil
}

func (f failing) mkdir(dir string) error { return errors.Join(f.fail("mkdir"), f.disk.mkdir(dir)) }

func (f failing) create(dir string) (temporary, error) {
	if err := f.fail("create"); err != nil {
		return nil, err
	}
	t, err := f.disk.create(dir)
	return failingFile{t, f}, err
}

func (f failing) rename(from, to string) error {
	if err := f.fail("rename"); err != nil {
		return err
	}
	return f.disk.rename(from, to)
}

func (f failing) syncDir(dir string) error {
	return errors.Join(f.fail("sync dir"), f.disk.syncDir(dir))
}

type failingFile struct {
	temporary
	on failing
}

func (f failingFile) Write(p []byte) (int, error) {
	if err := f.on.fail("write"); err != nil {
		n, _ := f.temporary.Write(p[:len(p)/2])
		return n, err
	}
	return f.temporary.Write(p)
}

func (f failingFile) Sync() error  { return errors.Join(f.on.fail("sync"), f.temporary.Sync()) }
func (f failingFile) Close() error { return errors.Join(f.temporary.Close(), f.on.fail("close")) }

func names(tb testing.TB, dir string) []string {
	tb.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(tb, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestWriteLeavesTheOldOrTheNewAtEachStep(t *testing.T) {
	t.Parallel()
	rows := []struct{ step, holds, why string }{
		{"mkdir", "old", "nothing was begun"},
		{"create", "old", "nothing was begun"},
		{"write", "old", "half of it is in a temporary file"},
		{"sync", "old", "it may not be on the disk"},
		{"close", "old", "some file systems tell only then"},
		{"rename", "old", "it never got its name"},
		{"sync dir", "new", "it has its name, perhaps not for good"},
		{"none", "new", "all went well"},
	}
	for _, r := range rows {
		t.Run(r.step, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, Write(dir, "a.json", []byte("old")))
			err := write(failing{step: r.step}, dir, "a.json", []byte("new"))
			if r.step == "none" {
				assert.NoError(t, err)
			} else {
				assert.ErrorIs(t, err, errDisk)
			}
			got, err := os.ReadFile(filepath.Join(dir, "a.json"))
			require.NoError(t, err)
			assert.Equal(t, r.holds, string(got), r.why)
			assert.Equal(t, []string{"a.json"}, names(t, dir), "the temporary file is gone")
		})
	}
}

func TestWriteIsPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, Write(dir, "x.json", nil))
	for path, mode := range map[string]fs.FileMode{dir: 0o700, filepath.Dir(dir): 0o700, filepath.Join(dir, "x.json"): 0o600} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, mode, info.Mode().Perm(), "prompts are nobody else's")
	}
}

func TestNamesStayInTheDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "inner")
	for _, name := range []string{"", ".", "..", "../a", "a/b", "/a"} {
		assert.ErrorIs(t, Write(dir, name, nil), errName, name)
		assert.ErrorIs(t, Remove(dir, name), errName, name)
	}
	assert.NoDirExists(t, dir, "a bad name makes nothing")
}

func TestRemove(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.json", "a.2.json", "b.json"} {
		require.NoError(t, Write(dir, name, nil))
	}
	assert.ErrorIs(t, remove(failing{step: "sync dir"}, dir, []string{"a.2.json"}), errDisk, "it may not be on the disk")
	assert.NoError(t, remove(failing{step: "sync dir"}, dir, []string{"a.2.json"}), "nothing was removed")
	require.NoError(t, Write(dir, "a.2.json", nil))
	require.NoError(t, Remove(dir, "a.2.json", "missing.json", "a.json"))
	assert.Equal(t, []string{"b.json"}, names(t, dir))
	assert.NoError(t, Remove(filepath.Join(dir, "no-such"), "a.json"), "a missing folder holds nothing")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "c.json"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.json", "x"), nil, 0o600))
	assert.Error(t, Remove(dir, "c.json"), "what cannot be removed is told")
}

// TestTemporaryFilesAreNoRecordings: what a crash leaves is passed over.
func TestTemporaryFilesAreNoRecordings(t *testing.T) {
	t.Parallel()
	f, err := disk{}.create(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, f.Close())
	assert.NotEqual(t, ".json", filepath.Ext(f.Name()))
	_, _, ok := ParseName(filepath.Base(f.Name()))
	assert.False(t, ok)
}

func TestRemoveStale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rows := []struct {
		name string
		age  time.Duration
		gone bool
		why  string
	}{
		{".tape-1.tmp", 2 * time.Hour, true, "a crash left it"},
		{".tape-2.tmp", 10 * time.Minute, false, "somebody may be writing it"},
		{".tape-3.tmp", -2 * time.Hour, false, "of a clock that is ahead"},
		{"a.json", 2 * time.Hour, false, "a recording"},
		{".tape-4.json", 2 * time.Hour, false, "a file of somebody else"},
		{"tape-5.tmp", 2 * time.Hour, false, "a file of somebody else"},
	}
	for _, r := range rows {
		path := filepath.Join(dir, r.name)
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		at := time.Now().Add(-r.age)
		require.NoError(t, os.Chtimes(path, at, at))
	}
	folder := filepath.Join(dir, ".tape-6.tmp")
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.NoError(t, os.Chtimes(folder, time.Unix(0, 0), time.Unix(0, 0)))
	require.NoError(t, RemoveStale(dir))
	left := names(t, dir)
	for _, r := range rows {
		assert.Equal(t, !r.gone, slices.Contains(left, r.name), r.why)
	}
	assert.Contains(t, left, ".tape-6.tmp", "a folder is nobody's temporary file")
	require.NoError(t, RemoveStale(filepath.Join(dir, "no-such")))
	assert.Error(t, RemoveStale(filepath.Join(dir, "a.json")), "a file is no folder")
}

// TestWriteAfter: what is done before the new data takes its name is done when the
// data is on the disk, and its error leaves all as it was.
func TestWriteAfter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, Write(dir, "a.json", []byte("old")))
	refused := errors.New("refused")
	err := WriteAfter(dir, "a.json", []byte("new"), func() error {
		found, err := filepath.Glob(filepath.Join(dir, temporaryPattern))
		require.NoError(t, err)
		require.Len(t, found, 1)
		text, err := os.ReadFile(found[0])
		require.NoError(t, err)
		assert.Equal(t, "new", string(text), "it is on the disk")
		return refused
	})
	require.ErrorIs(t, err, refused)
	text, err := os.ReadFile(filepath.Join(dir, "a.json"))
	require.NoError(t, err)
	assert.Equal(t, "old", string(text))
	assert.Equal(t, []string{"a.json"}, names(t, dir), "and nothing is left")
}
