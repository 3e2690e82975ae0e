package wire_test

import (
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/wire"
)

// TestInstead: a folder without recordings says what it holds.
func TestInstead(t *testing.T) {
	t.Parallel()
	files, head, _ := recorded(t)
	key := strings.Repeat("0123456789abcdef", 4)
	rows := []struct {
		why     string
		files   []string
		instead string // what it has to name
	}{
		{"nothing", nil, ""},
		{"nothing that is known", []string{"README.md", "package.json", "a/b.json"}, ""},
		{"recordings of requests and events", []string{key + ".json", key + ".2.json"}, "package replay (2)"},
		{"a folder below", []string{"a/README.md", "b/c/" + head}, `"b/c"`},
		{"as far below as is looked", []string{"a/b/c/" + head}, `"a/b/c"`},
		{"another kind of file", []string{"a/chat-0123456789ab"}, ""},
		{"too far below", []string{"a/b/c/d/e/" + head}, ""},
		{"one here", []string{head, "b/" + head, key + ".json"}, ""},
	}
	for _, row := range rows {
		source := fstest.MapFS{}
		for _, name := range row.files {
			source[name] = &fstest.MapFile{Data: files[head].Data}
		}
		if len(row.files) > 0 && row.files[0] == head {
			maps.Copy(source, files)
		}
		loaded, err := wire.Load(source)
		require.NoError(t, err)
		assert.Equal(t, row.instead == "", loaded.Instead() == "", row.why)
		assert.Contains(t, loaded.Instead(), row.instead, row.why)
		if len(loaded.Names()) > 0 {
			continue
		}
		rt := &wire.Transport{FS: source}
		assert.Nil(t, rt.Unused())
		f, ok := events.AsFailure(rt.Err())
		require.True(t, ok, "%s: it does not look like success", row.why)
		assert.Contains(t, f.Detail, loaded.Instead())
		_, err = rt.RoundTrip(post("{}"))
		assert.ErrorIs(t, err, wire.ErrNotRecorded)
		assert.ErrorContains(t, err, loaded.Instead())
	}
}

// TestInsteadIsBounded: a folder of very many files is not walked to its end.
func TestInsteadIsBounded(t *testing.T) {
	t.Parallel()
	_, head, _ := recorded(t)
	for more, found := range map[int]bool{9_997: true, 9_998: false} {
		source := fstest.MapFS{"z/" + head: {}}
		for i := range more {
			source["a"+strconv.Itoa(i)] = &fstest.MapFile{}
		}
		loaded, err := wire.Load(source)
		require.NoError(t, err)
		assert.Equal(t, found, loaded.Instead() != "")
	}
}

// TestNothingIsNotRecorded: a folder that is not there, and one that is empty, have no
// recordings; that is no success, and Err says which folder it is and what to do.
func TestNothingIsNotRecorded(t *testing.T) {
	t.Parallel()
	empty, none := t.TempDir(), t.TempDir()+"/none"
	want := &events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded}
	for _, row := range []struct {
		why, says string
		rt        func() *wire.Transport
	}{
		{"a folder that is not there", none + " (no such folder): record first", func() *wire.Transport { return &wire.Transport{Dir: none} }},
		{"one of a file system", "(no such folder): record first", func() *wire.Transport { return &wire.Transport{FS: os.DirFS(none)} }},
		{"an empty folder", empty + ": record first", func() *wire.Transport { return &wire.Transport{Dir: empty} }},
	} {
		rt := row.rt()
		assert.Nil(t, rt.Unused(), row.why)
		for _, err := range []error{rt.Err(), second(row.rt().RoundTrip(post("{}")))} {
			assert.ErrorIs(t, err, wire.ErrNotRecorded, row.why)
			assert.ErrorIs(t, err, want, row.why)
			f, ok := events.AsFailure(err)
			require.True(t, ok)
			assert.Equal(t, events.NotSent, f.Sent, row.why)
			assert.Contains(t, f.Detail, row.says, row.why)
		}
		var miss *wire.NotRecorded
		require.ErrorAs(t, second(row.rt().RoundTrip(post("{}"))), &miss, row.why)
		assert.Contains(t, miss.Error(), "was never recorded", row.why)
	}
	_, err := wire.Load(os.DirFS(none))
	assert.ErrorIs(t, err, want)
	assert.ErrorIs(t, err, fs.ErrNotExist, "a server of it is no use")
}

func second(resp *http.Response, err error) error {
	if err == nil {
		_ = resp.Body.Close()
	}
	return err
}

// TestUnreadableFolderIsNoSuccess: of a folder that cannot be read nothing is unused,
// and Err says why.
func TestUnreadableFolderIsNoSuccess(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	rt := &wire.Transport{Dir: dir + "/none"}
	assert.Nil(t, rt.Unused())
	var path *fs.PathError
	require.ErrorAs(t, rt.Err(), &path)
	assert.NotErrorIs(t, path, fs.ErrNotExist)
	assert.Equal(t, dir+"/none", path.Path, "it says which")
	files, _, _ := recorded(t)
	rt = &wire.Transport{FS: files, Dir: dir}
	assert.Len(t, rt.Unused(), 1)
	assert.NoError(t, rt.Err())
}

// TestErrHoldsTheFirstMiss of a Transport that plays.
func TestErrHoldsTheFirstMiss(t *testing.T) {
	t.Parallel()
	files, _, _ := recorded(t)
	rt := &wire.Transport{FS: files}
	drain(t, rt, post(`{"temperature":0}`))
	assert.NoError(t, rt.Err())
	_, first := rt.RoundTrip(post(`{"temperature":1}`))
	_, second := rt.RoundTrip(post(`{"temperature":2}`))
	assert.NotEqual(t, first, second)
	assert.Equal(t, first, rt.Err())
	assert.ErrorIs(t, rt.Err(), wire.ErrNotRecorded)
}
