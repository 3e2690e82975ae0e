package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/wire"
)

// recorded returns the files of one recording, as earlier versions made it: with the
// sizes of the reads and no delays.
func recorded(tb testing.TB) (files fstest.MapFS, head, body string) {
	tb.Helper()
	dir := tb.TempDir()
	drain(tb, recorder(dir, &script{reads: []string{"abc", "de"}}), post(`{"temperature":0}`))
	files = fstest.MapFS{}
	for name, text := range tree(tb, dir) {
		files[name] = &fstest.MapFile{Data: []byte(text)}
		if strings.Contains(name, ".body-") {
			body = name
		} else {
			head = name
			files[name].Data = bytes.Replace(files[name].Data, []byte(`"end"`), []byte(`"chunks": [3, 2], "end"`), 1)
		}
	}
	return files, head, body
}

// TestBadRecordings: each way in which files may be wrong is told, with what to do.
func TestBadRecordings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why      string
		from, to string
		problem  string
	}{
		{"no JSON", `"version"`, `version`, "cannot be read"},
		{"of the future", `"version": 1`, `"version": 2`, "another version"},
		{"no version", `"version": 1,`, ``, "another version"},
		{"a request changed by hand", `"temperature": 0`, `"temperature": 1`, "rename the file to chat-completions-"},
		{"its path too", `"path": "/v1/chat/completions"`, `"path": "/v1/x"`, "rename the file to x-"},
		{"a key changed by hand", `"key": "`, `"key": "0`, "its request was changed"},
		{"a key of another form", `"request": {`, `"request": {"asked": "ab",`, "\"asked\""},
		{"another key", `"request": {`, `"request": {"asked": "` + strings.Repeat("a", 64) + `",`, "its request was changed"},
		{"another type", `"status": 200`, `"status": "200"`, "cannot be read"},
		{"no final status", `"status": 200`, `"status": 101`, "status"},
		{"an end of the future", `"end": "eof"`, `"end": "later"`, "end is not known"},
		{"broken by nothing", `"end": "eof"`, `"end": "broken"`, "what broke"},
		{"an end that contradicts", `"complete": true`, `"complete": false`, "complete"},
		{"no answer and no failure", `"response"`, `"respons"`, "either"},
		{"a failure of no stage", `"response"`, `"failure": {"reason":"eof","stage":"later"}, "respons"`, "stage"},
		{"both", `"response"`, `"failure": {"reason":"eof","stage":"none"}, "response"`, "either"},
		{"sizes that are too small", `[3, 2]`, `[3, 1]`, "add up"},
		{"sizes that are too large", `[3, 2]`, `[3, 3]`, "add up"},
		{"a size of nothing", `[3, 2]`, `[3, 0, 2]`, "add up"},
		{"a size that overflows", `[3, 2]`, `[-9223372036854775808, 5]`, "add up"},
		{"delays that do not fit", `"end": "eof"`, `"delays_ms": [1, 2], "end": "eof"`, "delays"},
		{"a delay before its time", `"end": "eof"`, `"delays_ms": [1, 2, -3, 4], "end": "eof"`, "negative"},
		{"a body of another folder", `"body_file": "`, `"body_file": "../`, "same folder"},
		{"of a folder below", `"body_file": "`, `"body_file": "below/`, "same folder"},
		{"of no folder", `"body_file": "`, `"body_file": "/`, "same folder"},
		{"a body that is not there", `"body_file": "`, `"body_file": "x`, "is missing"},
	}
	for _, row := range rows {
		files, head, _ := recorded(t)
		text := string(files[head].Data)
		require.Contains(t, text, row.from, row.why)
		files[head] = &fstest.MapFile{Data: []byte(strings.Replace(text, row.from, row.to, 1))}
		_, err := wire.Load(files)
		var bad *wire.BadRecording
		if !assert.ErrorAs(t, err, &bad, row.why) {
			continue
		}
		assert.Equal(t, head, bad.File, row.why)
		assert.Contains(t, bad.Problem, row.problem, row.why)
		f, ok := events.AsFailure(err)
		require.True(t, ok)
		assert.Equal(t, events.Other, f.Kind)
		assert.False(t, f.Retryable())

		rt := &wire.Transport{FS: files}
		assert.Nil(t, rt.Unused())
		assert.ErrorAs(t, rt.Err(), &bad, "it does not look like success")
		_, err = rt.RoundTrip(post(`{"temperature":0}`))
		assert.ErrorAs(t, err, &bad, "a Transport tells the same")
		assert.Equal(t, rt.Err(), err)
	}
}

// TestHandEdits: what may be changed by hand.
func TestHandEdits(t *testing.T) {
	t.Parallel()
	rows := []struct{ why, from, to string }{
		{"a status", `"status": 200`, `"status": 503`},
		{"sizes left out", `"chunks": [3, 2],`, ``},
		{"sizes left out, and delays for the whole", `"chunks": [3, 2],`, `"delays_ms": [0, 0, 0],`},
		{"a field of the future", `"status": 200`, `"status": 200, "later": {"a": [1]}`},
		{"a host", `api.example.com`, `other.example.com`},
		{"the form", "\n", "\n\n"},
	}
	for _, row := range rows {
		files, head, _ := recorded(t)
		files[head] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(files[head].Data), row.from, row.to))}
		reads, _ := drain(t, &wire.Transport{FS: files}, post(`{"temperature":0}`))
		assert.Equal(t, "abcde", strings.Join(reads, ""), row.why)
	}
}

// TestEditedBodies: a body that is another than its name says is told, and what to do.
func TestEditedBodies(t *testing.T) {
	t.Parallel()
	lines := "data: 1\n\ndata: 2\n\n"
	windows := strings.ReplaceAll(lines, "\n", "\r\n")
	rows := []struct{ why, was, is, problem string }{
		{"edited, of the same length", lines, strings.Replace(lines, "1", "9", 1), "was edited"},
		{"edited, longer", lines, lines + "data: 3\n\n", "was edited"},
		{"emptied", lines, "", "was edited"},
		{"edited and checked out", lines, strings.Replace(windows, "1", "9", 1), "was edited"},
		{"checked out on Windows", lines, windows, "\"*.body-* -text\" into .gitattributes"},
		{"checked in from Windows", windows, lines, "\"*.body-* -text\" into .gitattributes"},
		{"as it was", windows, windows, ""},
	}
	for _, row := range rows {
		dir := t.TempDir()
		drain(t, recorder(dir, &script{reads: []string{row.was}}), post(`{}`))
		files, head, body := fstest.MapFS{}, "", ""
		for name, text := range tree(t, dir) {
			if files[name] = (&fstest.MapFile{Data: []byte(text)}); strings.Contains(name, ".body-") {
				body = name
			} else {
				head = name
			}
		}
		files[body] = &fstest.MapFile{Data: []byte(row.is)}
		_, err := wire.Load(files)
		if row.problem == "" {
			assert.NoError(t, err, row.why)
			continue
		}
		var bad *wire.BadRecording
		require.ErrorAs(t, err, &bad, row.why)
		assert.Equal(t, head, bad.File)
		assert.Contains(t, bad.Problem, row.problem, row.why)
		assert.Contains(t, bad.Problem, body, row.why)
		if row.problem != "was edited" || row.is == "" {
			continue
		}
		// The advice works.
		_, rest, _ := strings.Cut(bad.Problem, "rename the body to ")
		name, _, _ := strings.Cut(rest, ",")
		files[name] = files[body]
		delete(files, body)
		var fields map[string]any
		require.NoError(t, json.Unmarshal(files[head].Data, &fields))
		response, _ := fields["response"].(map[string]any)
		response["body_file"] = name
		delete(response, "chunks")
		edited, err := json.Marshal(fields)
		require.NoError(t, err)
		files[head] = &fstest.MapFile{Data: edited}
		reads, _ := drain(t, &wire.Transport{FS: files}, post(`{}`))
		assert.Equal(t, row.is, strings.Join(reads, ""), row.why)
	}
	// A name without a hash promises nothing.
	files, head, body := recorded(t)
	files["by-hand.sse"] = &fstest.MapFile{Data: []byte("other")}
	files[head] = &fstest.MapFile{Data: []byte(strings.Replace(string(files[head].Data), body, "by-hand.sse", 1))}
	reads, _ := drain(t, &wire.Transport{FS: files}, post(`{"temperature":0}`))
	assert.Equal(t, "other", strings.Join(reads, ""))
}

// TestMissingNumbers: a sequence whose beginning is gone says so.
func TestMissingNumbers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{}
	rec := recorder(dir, s)
	for _, text := range []string{"1", "2", "3"} {
		s.reads = []string{text}
		drain(t, rec, post("{}"))
	}
	names := slices.Sorted(maps.Keys(heads(t, dir)))
	first := strings.Replace(names[0], ".2.json", ".json", 1)
	require.NoError(t, os.Remove(dir+"/"+first))
	for _, repeat := range []bool{false, true} {
		rt := &wire.Transport{Dir: dir, Repeat: repeat}
		miss := func() *wire.NotRecorded {
			_, err := rt.RoundTrip(post("{}"))
			var n *wire.NotRecorded
			require.ErrorAs(t, err, &n)
			return n
		}
		n := miss()
		assert.Equal(t, first, n.Missing)
		assert.Equal(t, strings.Replace(first, ".json", ".3.json", 1), n.Nearest)
		assert.Equal(t, []int{2, 1}, []int{n.Recorded, n.Asked})
		assert.Contains(t, n.Error(), first+" is missing")
		assert.Contains(t, n.Error(), "was recorded 2 times and asked for once")
		for _, want := range []string{"2", "3"} {
			reads, _ := drain(t, rt, post("{}"))
			assert.Equal(t, []string{want}, reads, "the others keep their numbers")
		}
		n = miss()
		assert.Equal(t, repeat, n.Missing == first)
		if repeat {
			reads, _ := drain(t, rt, post("{}"))
			assert.Equal(t, []string{"2"}, reads, "a round later they do, too")
		}
	}
}

// TestRenamedAsTold: the advice for a changed request works.
func TestRenamedAsTold(t *testing.T) {
	t.Parallel()
	files, head, _ := recorded(t)
	text := strings.Replace(string(files[head].Data), `"temperature": 0`, `"temperature": 1`, 1)
	files[head] = &fstest.MapFile{Data: []byte(text)}
	_, err := wire.Load(files)
	var bad *wire.BadRecording
	require.ErrorAs(t, err, &bad)
	_, rest, _ := strings.Cut(bad.Problem, "of the key ")
	key := rest[:64]
	_, rest, _ = strings.Cut(bad.Problem, "rename the file to ")
	name, _, _ := strings.Cut(rest, ",")
	delete(files, head)
	files[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, head[len("chat-completions-"):len(head)-5], key[:12], 1))}
	_, err = wire.Load(files)
	require.Error(t, err, "the key has to be set as a whole")
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &fields))
	fields["key"] = key
	edited, err := json.Marshal(fields)
	require.NoError(t, err)
	files[name] = &fstest.MapFile{Data: edited}
	reads, _ := drain(t, &wire.Transport{FS: files}, post(`{"temperature":1}`))
	assert.Equal(t, "abcde", strings.Join(reads, ""))
}

// TestNamesAreInOrder: the second behind the first, and the tenth behind the ninth.
func TestNamesAreInOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := recorder(dir, &script{})
	drain(t, rec, postTo("https://api.example.com/a", "{}"))
	for range 11 {
		drain(t, rec, post("{}"))
	}
	drain(t, rec, postTo("https://api.example.com/z", "{}"))
	loaded, err := wire.Load(os.DirFS(dir))
	require.NoError(t, err)
	names := loaded.Names()
	require.Len(t, names, 13)
	assert.Contains(t, names[0], "a-")
	assert.Contains(t, names[12], "z-")
	names = names[1:12]
	base := strings.TrimSuffix(names[0], ".json")
	for i, name := range names[1:] {
		assert.Equal(t, base+"."+strconv.Itoa(i+2)+".json", name)
	}
}

// TestOtherFilesArePassedOver: a folder may hold more than recordings.
func TestOtherFilesArePassedOver(t *testing.T) {
	t.Parallel()
	files, head, _ := recorded(t)
	for _, name := range []string{"README.md", "package.json", ".tape-1.tmp", strings.Repeat("a", 64) + ".json", "below/" + head} {
		files[name] = &fstest.MapFile{Data: []byte("x")}
	}
	r, err := wire.Load(files)
	require.NoError(t, err)
	assert.Equal(t, []string{head}, r.Names())
	assert.Empty(t, new(wire.Recordings).Names())
	_, err = wire.Load(nil)
	assert.Error(t, err)
}

// TestFoldersAreNoRecordings, whatever their names are, and no bodies.
func TestFoldersAreNoRecordings(t *testing.T) {
	t.Parallel()
	files, head, body := recorded(t)
	files["x-0123456789ab.json/of/a/project"] = &fstest.MapFile{}
	files["x-0123456789ac.json"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	r, err := wire.Load(files)
	require.NoError(t, err)
	assert.Equal(t, []string{head}, r.Names())
	for _, name := range []string{"x-0123456789ab.json", "x-0123456789ac.json", "."} {
		bent := maps.Clone(files)
		bent[head] = &fstest.MapFile{Data: []byte(strings.Replace(string(files[head].Data), body, name, 1))}
		_, err := wire.Load(bent)
		var bad *wire.BadRecording
		require.ErrorAs(t, err, &bad, name)
		assert.Equal(t, head, bad.File)
	}
}

// TestLinksAreOfTheFileSystem: whether one that leads out of the folder is followed.
func TestLinksAreOfTheFileSystem(t *testing.T) {
	t.Parallel()
	files, head, body := recorded(t)
	dir, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, head), files[head].Data, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(outside, body), files[body].Data, 0o600))
	if err := os.Symlink(filepath.Join(outside, body), filepath.Join(dir, body)); err != nil {
		t.Skip("this system makes no symbolic links here: ", err)
	}
	_, err := wire.Load(os.DirFS(dir))
	assert.NoError(t, err, "os.DirFS follows it")
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer func() { _ = root.Close() }()
	_, err = wire.Load(root.FS())
	f, ok := events.AsFailure(err)
	require.True(t, ok, "an os.Root does not")
	assert.Equal(t, events.Other, f.Kind)
}

// unreadable is a file system one file of which cannot be read.
type unreadable struct {
	fs.FS
	name string
}

var errUnreadable = errors.New("no permission")

func (u unreadable) Open(name string) (fs.File, error) {
	if name == u.name {
		return nil, errUnreadable
	}
	return u.FS.Open(name)
}

func TestUnreadableFiles(t *testing.T) {
	t.Parallel()
	files, head, body := recorded(t)
	for _, name := range []string{head, body, "."} {
		_, err := wire.Load(unreadable{files, name})
		assert.ErrorIs(t, err, errUnreadable, name)
		_, ok := events.AsFailure(err)
		assert.True(t, ok)
	}
}

// FuzzLoad: whatever is in a head, reading it never panics, and is a clear error or
// something that can be played to an end.
func FuzzLoad(f *testing.F) {
	files, head, body := recorded(f)
	whole := string(files[head].Data)
	// The key would refuse nearly all changes of a request, so most are of the rest.
	request, _, _ := strings.Cut(whole, `"response"`)
	response := strings.TrimPrefix(whole, request)
	f.Add(whole, false)
	f.Add(response, true)
	// A request that names its key may be changed as well.
	_, key, _ := strings.Cut(whole, `"key": "`)
	key, _, _ = strings.Cut(key, `"`)
	f.Add(strings.Replace(whole, `"request": {`, `"request": {"asked": "`+key+`",`, 1), false)
	for _, edit := range [][2]string{{`[3, 2]`, `[5]`}, {`"response"`, `"failure": {"reason":"dns","stage":"dial"}, "x"`}, {`"end": "eof"`, `"end": "closed"`}, {`"header"`, `"header":null,"delays_ms":[1,2,3,4],"x"`}} {
		f.Add(strings.Replace(response, edit[0], edit[1], 1), true)
	}
	f.Fuzz(func(t *testing.T, text string, behind bool) {
		if behind {
			text = request + text
		}
		source := fstest.MapFS{head: {Data: []byte(text)}, body: files[body]}
		loaded, err := wire.Load(source)
		if err != nil {
			var bad *wire.BadRecording
			assert.ErrorAs(t, err, &bad)
			assert.Equal(t, head, bad.File)
			return
		}
		assert.Equal(t, slices.Sorted(maps.Keys(fstest.MapFS{head: nil})), loaded.Names())
		resp, err := (&wire.Transport{FS: source}).RoundTrip(post(`{"temperature":0}`))
		if err == nil {
			_, _ = readAll(resp.Body)
		}
	})
}
