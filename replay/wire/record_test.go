package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/replay/wire"
)

// A script is a round tripper and the body that it answers with: what each Read
// gives, and how it ends.
type script struct {
	status int
	header http.Header
	reads  []string
	end    error // nil is io.EOF
	err    error // instead of an answer
	sent   []*http.Request
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.sent = append(s.sent, r)
	if s.err != nil {
		return nil, s.err
	}
	status := s.status
	if status == 0 {
		status = 200
	}
	header := s.header
	if header == nil {
		header = http.Header{"Content-Type": {"text/event-stream"}}
	}
	end := s.end
	if end == nil {
		end = io.EOF
	}
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: &scriptBody{reads: slices.Clone(s.reads), end: end}, ContentLength: -1,
	}, nil
}

type scriptBody struct {
	reads  []string
	end    error
	closed int
}

func (b *scriptBody) Read(p []byte) (int, error) {
	if len(b.reads) == 0 {
		return 0, b.end
	}
	n := copy(p, b.reads[0])
	if b.reads[0] = b.reads[0][n:]; b.reads[0] == "" {
		b.reads = b.reads[1:]
	}
	return n, nil
}

func (b *scriptBody) Close() error {
	b.closed++
	return nil
}

// post returns a request of a chat completion.
func post(body string) *http.Request {
	return postTo("https://api.example.com/v1/chat/completions", body)
}

func postTo(url, body string) *http.Request {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return r
}

// drain reads an answer to its end and returns what each Read gave.
func drain(tb testing.TB, rt http.RoundTripper, r *http.Request) (reads []string, end error) {
	tb.Helper()
	resp, err := rt.RoundTrip(r)
	require.NoError(tb, err)
	return readAll(resp.Body)
}

func readAll(body io.ReadCloser) (reads []string, end error) {
	defer func() { _ = body.Close() }()
	p := make([]byte, 64<<10)
	for {
		n, err := body.Read(p)
		if n > 0 {
			reads = append(reads, string(p[:n]))
		}
		if err != nil {
			return reads, err
		}
	}
}

// tree returns the files of a folder.
func tree(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(tb, err)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(tb, err)
		files[e.Name()] = string(text)
	}
	return files
}

// heads returns the exchanges of a folder, by file.
func heads(tb testing.TB, dir string) map[string]map[string]any {
	tb.Helper()
	all := map[string]map[string]any{}
	for name, text := range tree(tb, dir) {
		if !strings.Contains(name, ".body-") {
			var head map[string]any
			require.NoError(tb, json.Unmarshal([]byte(text), &head))
			all[name] = head
		}
	}
	return all
}

// only returns the response of the one exchange in a folder.
func only(tb testing.TB, dir string) map[string]any {
	tb.Helper()
	all := heads(tb, dir)
	require.Len(tb, all, 1)
	for _, head := range all {
		response, _ := head["response"].(map[string]any)
		return response
	}
	return nil
}

func recorder(dir string, base http.RoundTripper) *wire.Transport {
	return &wire.Transport{Mode: wire.Record, Dir: dir, Base: base}
}

var errBroke = errors.New("it broke")

// TestRoundTrip: whatever came in whatever reads comes again, with the same end; in the
// same reads where they were asked for.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		require.NoError(rt, err)
		piece := rapid.Custom(func(rt *rapid.T) string {
			return string(rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(rt, "bytes"))
		})
		s := &script{
			reads:  rapid.SliceOfN(piece, 0, 12).Draw(rt, "reads"),
			end:    rapid.SampledFrom([]error{nil, errBroke, io.ErrUnexpectedEOF}).Draw(rt, "end"),
			status: rapid.SampledFrom([]int{200, 204, 429, 500}).Draw(rt, "status"),
		}
		body := string(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(rt, "request"))
		rec := recorder(dir, s)
		rec.Timing = rapid.Bool().Draw(rt, "timing")
		live, liveEnd := drain(t, rec, post(body))
		require.NoError(rt, rec.Err())
		again := &wire.Transport{Dir: dir}
		resp, err := again.RoundTrip(post(body))
		require.NoError(rt, err)
		assert.Equal(rt, s.status, resp.StatusCode)
		played, playedEnd := readAll(resp.Body)
		assert.Equal(rt, strings.Join(live, ""), strings.Join(played, ""))
		if rec.Timing {
			assert.Equal(rt, live, played)
		}
		assert.Equal(rt, liveEnd.Error(), playedEnd.Error())
		assert.Equal(rt, liveEnd == io.EOF, playedEnd == io.EOF)
		assert.Empty(rt, again.Unused())
	})
}

// TestSmallReads: a buffer smaller than a chunk gets it in parts, and never a part of
// the next.
func TestSmallReads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := recorder(dir, &script{reads: []string{"abcde", "f", "ghi"}})
	rec.Timing = true
	drain(t, rec, post("{}"))
	resp, err := (&wire.Transport{Dir: dir}).RoundTrip(post("{}"))
	require.NoError(t, err)
	var reads []string
	p := make([]byte, 3)
	for {
		n, err := resp.Body.Read(p)
		if err != nil {
			break
		}
		reads = append(reads, string(p[:n]))
	}
	assert.Equal(t, []string{"abc", "de", "f", "ghi"}, reads)
	n, err := resp.Body.Read(p)
	assert.Zero(t, n)
	assert.Equal(t, io.EOF, err, "the end again")
	require.NoError(t, resp.Body.Close())
	_, err = resp.Body.Read(p)
	assert.ErrorIs(t, err, http.ErrBodyReadAfterClose)
}

// TestRecordingChangesNothing: the one who asks sees the answer, and the base the
// request, as without a recorder.
func TestRecordingChangesNothing(t *testing.T) {
	t.Parallel()
	s := &script{reads: []string{"a", "b"}, header: http.Header{"Set-Cookie": {"a=b"}, "X-Other": {"c"}}}
	rec := recorder(t.TempDir(), s)
	r := post(`{"a":1}`)
	r.GetBody = nil // a body of which nobody knows how to get it again
	r.Header.Set("Authorization", "Bearer sk-0123456789")
	resp, err := rec.RoundTrip(r)
	require.NoError(t, err)
	assert.Same(t, r, resp.Request)
	assert.Equal(t, s.header, resp.Header)
	reads, end := readAll(resp.Body)
	assert.Equal(t, []string{"a", "b"}, reads)
	assert.Equal(t, io.EOF, end)
	require.Len(t, s.sent, 1)
	assert.Equal(t, r.Header, s.sent[0].Header)
	sent, err := io.ReadAll(s.sent[0].Body)
	require.NoError(t, err)
	assert.JSONEq(t, `{"a":1}`, string(sent))
	again, err := s.sent[0].GetBody()
	require.NoError(t, err)
	sent, _ = io.ReadAll(again)
	assert.Equal(t, `{"a":1}`, string(sent), "HTTP/2 sends it again after a refused stream")
	assert.Equal(t, int64(7), s.sent[0].ContentLength)
}

// TestPassthrough stores nothing.
func TestPassthrough(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "none")
	s := &script{reads: []string{"a"}}
	rt := &wire.Transport{Mode: wire.Passthrough, Dir: dir, Base: s}
	reads, _ := drain(t, rt, post("{}"))
	assert.Equal(t, []string{"a"}, reads)
	assert.NoDirExists(t, dir)
	assert.Nil(t, rt.Unused())
	assert.NoError(t, rt.Err(), "it does not look for recordings")
}

// TestFolderIsPrivate: prompts are nobody else's.
func TestFolderIsPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	drain(t, recorder(dir, &script{reads: []string{"a"}}), post("{}"))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	for name := range tree(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

// TestSequences: the nth identical request gets the nth recording, then none.
func TestSequences(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{}
	rec := recorder(dir, s)
	for _, text := range []string{"one", "two", "three"} {
		s.reads = []string{text}
		drain(t, rec, post(`{"a":1}`))
	}
	rt := &wire.Transport{Dir: dir}
	assert.Len(t, rt.Unused(), 3)
	for _, text := range []string{"one", "two", "three"} {
		reads, _ := drain(t, rt, post(`{ "a": 1 }`))
		assert.Equal(t, []string{text}, reads)
	}
	assert.Empty(t, rt.Unused())
	_, err := rt.RoundTrip(post(`{"a":1}`))
	var miss *wire.NotRecorded
	require.ErrorAs(t, err, &miss)
	assert.Equal(t, 3, miss.Recorded)
	assert.Equal(t, 4, miss.Asked)
	assert.True(t, strings.HasSuffix(miss.Nearest, ".3.json"), miss.Nearest)
	assert.Empty(t, miss.Difference)
	assert.Empty(t, miss.Missing, "it was never there")
}

// TestRecordingAgainReplaces: a later Transport replaces the whole sequence of a key,
// and leaves other keys alone.
func TestRecordingAgainReplaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{reads: []string{"old"}}
	first := recorder(dir, s)
	for range 3 {
		drain(t, first, post(`{"a":1}`))
	}
	drain(t, first, post(`{"b":1}`))
	require.Len(t, tree(t, dir), 8)
	s.reads = []string{"new"}
	second := recorder(dir, s)
	drain(t, second, post(`{"a":1}`))
	require.NoError(t, second.Err())
	files := tree(t, dir)
	assert.Len(t, files, 4, "no body is left behind")
	rt := &wire.Transport{Dir: dir}
	reads, _ := drain(t, rt, post(`{"a":1}`))
	assert.Equal(t, []string{"new"}, reads)
	reads, _ = drain(t, rt, post(`{"b":1}`))
	assert.Equal(t, []string{"old"}, reads)
	_, err := rt.RoundTrip(post(`{"a":1}`))
	assert.ErrorIs(t, err, wire.ErrNotRecorded)
	drain(t, second, post(`{"a":1}`))
	assert.Len(t, tree(t, dir), 6, "the same Transport goes on counting")
}

// TestReplacingOutOfOrder: when the second answer is there before the first, the
// first of the old sequence must not stand before it.
func TestReplacingOutOfOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{reads: []string{"old"}}
	old := recorder(dir, s)
	drain(t, old, post("{}"))
	drain(t, old, post("{}"))
	s.reads = []string{"new"}
	rec := recorder(dir, s)
	slow, err := rec.RoundTrip(post("{}"))
	require.NoError(t, err)
	drain(t, rec, post("{}"))
	for name, text := range tree(t, dir) {
		assert.NotEqual(t, "old", text, name)
	}
	require.Len(t, heads(t, dir), 1)
	_, _ = readAll(slow.Body)
	rt := &wire.Transport{Dir: dir}
	for range 2 {
		reads, _ := drain(t, rt, post("{}"))
		assert.Equal(t, []string{"new"}, reads)
	}
}

// TestKeysOfBodies: bodies of different kinds are never taken for each other.
func TestKeysOfBodies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bodies := []string{
		``, `null`, `"text"`, `text`, `{"a":1}`, `{"a":1.0}`, `{"a":"1"}`, `[]`, `0`, `false`, "\xff", "dGV4dA==", `{"a":1} x`,
	}
	rec := recorder(dir, &script{reads: []string{"a"}})
	for _, body := range bodies {
		drain(t, rec, post(body))
	}
	require.NoError(t, rec.Err())
	assert.Len(t, heads(t, dir), len(bodies))
	for name := range heads(t, dir) {
		assert.NotContains(t, name, ".2.", "each is a request of its own")
	}
	rt := &wire.Transport{Dir: dir}
	for _, body := range bodies {
		drain(t, rt, post(body))
	}
	assert.Empty(t, rt.Unused())
	for name, text := range tree(t, dir) {
		if strings.HasSuffix(name, ".json") && !strings.Contains(name, ".body-") {
			assert.True(t, json.Valid([]byte(text)), name)
			assert.False(t, bytes.Contains([]byte(text), []byte("\xff")), name)
		}
	}
}
